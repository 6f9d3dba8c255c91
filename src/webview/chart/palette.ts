import { demandField, forecastField, rampField } from '../../shared/fields.ts';
import { crossHatch } from './scene.ts';
import { stressBandIds } from '../../shared/stressBands.ts';

/** The colours of a chart as `#rrggbb`, all opaque. */
export interface Palette {
  readonly background: string;
  readonly foreground: string;
  /** Axis labels. */
  readonly muted: string;
  readonly grid: string;
  /** Each 3:1 against the background. */
  readonly series: readonly string[];
  /** Which of `hatches` an area in each of these colours has: 0, plain, unless its colour alone does not tell it from one before. */
  readonly patterns: readonly number[];
  /** From dark to light in even steps, for values as colours. */
  readonly scale: readonly string[];
  /** From blue, below 0, over the background to orange in even steps, 0 in the middle. */
  readonly diverging: readonly string[];
  /** Low, moderate, high, critical. */
  readonly bands: readonly string[];
  /** Shades say nothing here: lines do. */
  readonly highContrast: boolean;
}

/** What a theme gives: the text of each token, empty where it has none. */
export type TokenReader = (token: string) => string;

/** The contrast a line must have to be seen, after WCAG 1.4.11. */
const leastContrast = 3;
const textContrast = 4.5;
const scaleSteps = 32;
/** Areas in colours that differ less for colour-blind readers get unlike patterns. */
const toldApart = 0.06;

/**
 * The same in every theme and picture, so that who knows one chart reads all: as light as it takes to stand 3:1 on a white and on a dark
 * background alike, and as unlike as that leaves room for, for colour-blind readers too.
 */
const seriesColours = {
  hydro: '#0067f4',
  peakers: '#ca6331',
  renewables: '#33a265',
  nuclear: '#8e5bc3',
  pink: '#c453a0',
  wind: '#078393',
  pv: '#c18b00',
  gas: '#cb2654',
  forecast: '#009ed6',
  coal: '#6e6968',
  imports: '#939498',
  brown: '#975c00',
} as const;

type SeriesColour = keyof typeof seriesColours;

/** What the fields of the catalogue and the parts of the generation mix are drawn in; a demand is the line over all, in the foreground. */
const colourOfColumn: Readonly<Record<string, SeriesColour | 'foreground'>> = {
  [demandField]: 'foreground',
  '=demand': 'foreground',
  [forecastField]: 'forecast',
  thermal_mw: 'coal',
  nuclear_mw: 'nuclear',
  hydro_water_mw: 'hydro',
  pv_mw: 'pv',
  wind_mw: 'wind',
  eskom_gas_mw: 'gas',
  eskom_ocgt_mw: 'peakers',
  [rampField]: 'peakers',
  total_re_mw: 'renewables',
  '=other_renewable': 'renewables',
  imports_mw: 'imports',
  net_import_mw: 'imports',
  '=net_import': 'imports',
};

/** A series in its colour: which of the palette's, or the foreground. */
export type SeriesPlace = number | 'foreground';

/** The colours of columns drawn together, by their names: by meaning where they have one, else the first that is free. */
export function coloursOfColumns(names: readonly string[]): (name: string) => SeriesPlace {
  const order = Object.keys(seriesColours);
  const places = new Map<string, SeriesPlace>();
  for (const name of names) {
    const colour = Object.hasOwn(colourOfColumn, name) ? colourOfColumn[name] : undefined;
    const place = colour === undefined || colour === 'foreground' ? colour : order.indexOf(colour);
    if (place !== undefined && ![...places.values()].includes(place)) places.set(name, place);
  }
  const taken = new Set(places.values());
  let free = 0;
  for (const name of names) {
    if (places.has(name)) continue;
    while (taken.has(free)) free++;
    places.set(name, free++);
  }
  return name => places.get(name) ?? 0;
}

/** The colours of a theme's tokens, and those of the series as they are seen on its background. */
export function paletteOf(read: TokenReader, highContrast: boolean): Palette {
  const opaque = (token: string, otherwise: Colour, under: Colour): Colour =>
    onBackground(parseColour(read(token)) ?? otherwise, under);
  const black = { red: 0, green: 0, blue: 0, alpha: 1 };
  const background = opaque('--vscode-editor-background', { ...black, red: 30, green: 30, blue: 30 }, black);
  const grey = { red: 204, green: 204, blue: 204, alpha: 1 };
  const foreground = withContrast(opaque('--vscode-editor-foreground', grey, background), background, textContrast);
  const muted = withContrast(
    opaque('--vscode-descriptionForeground', foreground, background),
    background,
    textContrast,
  );
  const faint = onBackground({ ...foreground, alpha: highContrast ? 0.4 : 0.16 }, background);
  const series = Object.values(seriesColours).map(text =>
    withContrast(parseColour(text) ?? grey, background, leastContrast),
  );
  return {
    background: colourText(background),
    foreground: colourText(foreground),
    muted: colourText(muted),
    grid: colourText(faint),
    series: series.map(colourText),
    patterns: patternsFor(series),
    scale: evenScale(),
    diverging: divergingScale(background),
    bands: stressBandIds.map(id => {
      const given = opaque(`--vscode-gridDataStress-${id}`, foreground, background);
      return colourText(withContrast(given, background, leastContrast));
    }),
    highContrast,
  };
}

/** Dark on white, whatever the theme: the stress bands as the manifest has them for light themes. */
const paperColours: Readonly<Record<string, string>> = {
  '--vscode-editor-background': '#ffffff',
  '--vscode-editor-foreground': '#1f1f1f',
  '--vscode-descriptionForeground': '#4d4d4d',
  '--vscode-gridDataStress-low': '#1f5c9e',
  '--vscode-gridDataStress-moderate': '#b88600',
  '--vscode-gridDataStress-high': '#a84300',
  '--vscode-gridDataStress-critical': '#7d0b18',
};

export function paperPalette(): Palette {
  return paletteOf(token => paperColours[token] ?? '', false);
}

/** As evenly as they look, after OKLab, from dark violet over blue and green to light yellow. */
function evenScale(): string[] {
  return Array.from({ length: scaleSteps }, (_, step) => {
    const share = step / (scaleSteps - 1);
    const hue = ((300 - 195 * share) * Math.PI) / 180;
    return colourText(fromLab([0.28 + 0.64 * share, 0.13 * Math.cos(hue), 0.13 * Math.sin(hue)]));
  });
}

/** Even after OKLab: straight from the lightness of the background to two colours as far from it as from grey. */
function divergingScale(background: Colour): string[] {
  const [middle] = toLab(background);
  const pole = middle < 0.5 ? 0.66 : 0.58;
  return Array.from({ length: scaleSteps + 1 }, (_, step) => {
    const share = (2 * step) / scaleSteps - 1;
    const hue = ((share < 0 ? 250 : 50) * Math.PI) / 180;
    const [size, chroma] = [Math.abs(share), 0.13 * Math.abs(share)];
    return colourText(fromLab([middle + (pole - middle) * size, chroma * Math.cos(hue), chroma * Math.sin(hue)]));
  });
}

function patternsFor(series: readonly Colour[]): number[] {
  const patterns: number[] = [];
  for (const [index, colour] of series.entries()) {
    const alike = patterns.filter((_, before) => colourBlindDifference(colour, series[before] ?? colour) < toldApart);
    let pattern = 0;
    while (alike.includes(pattern) && pattern + 1 < crossHatch) pattern++;
    patterns[index] = pattern;
  }
  return patterns;
}

/** Red, green, blue from 0 to 255, and how opaque, from 0 to 1. */
export interface Colour {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

/** Lightness 0 to 1, and the two colour axes of OKLab: distances in it are about as large as they look. */
type Lab = readonly [lightness: number, a: number, b: number];

/** A colour as VS Code writes its tokens: `#rgb`, `#rrggbb`, `#rrggbbaa`, `rgb()` or `rgba()`; undefined for anything else. */
export function parseColour(text: string): Colour | undefined {
  const plain = text.trim();
  if (/^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(plain)) {
    const digits = plain.length <= 5 ? plain.slice(1).replace(/./g, '$&$&') : plain.slice(1);
    const [red = 0, green = 0, blue = 0, alpha = 255] = (digits.match(/../g) ?? []).map(pair => parseInt(pair, 16));
    return { red, green, blue, alpha: alpha / 255 };
  }
  const inside = /^rgba?\(([^()]*)\)$/i.exec(plain)?.[1];
  const numbers = (inside ?? '').split(/[\s,/]+/).filter(Boolean);
  const [red = NaN, green = NaN, blue = NaN, alpha = 1] = numbers.map((part, index) => {
    const share = part.endsWith('%') ? Number(part.slice(0, -1)) / 100 : undefined;
    return share === undefined ? Number(part) : index === 3 ? share : share * 255;
  });
  return [red, green, blue, alpha].some(Number.isNaN) ? undefined : { red, green, blue, alpha };
}

/** `#rrggbb`; how opaque it is is left out. */
export function colourText({ red, green, blue }: Colour): string {
  const pair = (channel: number): string => Math.round(channel).toString(16).padStart(2, '0');
  return `#${pair(red)}${pair(green)}${pair(blue)}`;
}

/** What is seen of a colour on an opaque background. */
export function onBackground(colour: Colour, background: Colour): Colour {
  const mix = (above: number, under: number): number => above * colour.alpha + under * (1 - colour.alpha);
  return {
    red: mix(colour.red, background.red),
    green: mix(colour.green, background.green),
    blue: mix(colour.blue, background.blue),
    alpha: 1,
  };
}

/** The contrast of two opaque colours after WCAG: 1 (the same) to 21 (black on white). */
export function contrast(one: Colour, other: Colour): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** The same hue, as much lighter or darker as it takes to stand `least` to 1 against the background. */
export function withContrast(colour: Colour, background: Colour, least: number): Colour {
  const [lightness, a, b] = toLab(colour);
  // The nearest lightness first, on both sides: a mid-grey background allows one of them only.
  for (let way = 0; way <= 1; way += 0.01) {
    const away = luminance(background) < 0.18 ? [way, -way] : [-way, way];
    for (const shift of away) {
      const wanted = lightness + shift;
      if (wanted < 0 || wanted > 1) continue;
      const shifted = way === 0 ? colour : fromLab([wanted, a, b]);
      if (contrast(shifted, background) >= least) return shifted;
    }
  }
  return luminance(background) < 0.18 ? fromLab([1, 0, 0]) : fromLab([0, 0, 0]);
}

/** How different two colours look: 0 the same, about 0.02 just told apart. */
export function difference(one: Colour, other: Colour): number {
  const [l1, a1, b1] = toLab(one);
  const [l2, a2, b2] = toLab(other);
  return Math.hypot(l1 - l2, a1 - a2, b1 - b2);
}

type Row = readonly [red: number, green: number, blue: number];

/**
 * Linear light as it is seen without the cones for long waves (protanopia) and for medium ones (deuteranopia): Machado, Oliveira and
 * Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE TVCG 15 (2009), severity 1.
 */
const colourBlindness: readonly (readonly [Row, Row, Row])[] = [
  [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
];

/** The same for readers who do not tell red from green: the smaller one, where the two kinds of them differ. */
export function colourBlindDifference(one: Colour, other: Colour): number {
  return Math.min(...colourBlindness.map(rows => difference(seenBy(rows, one), seenBy(rows, other))));
}

function seenBy([toRed, toGreen, toBlue]: readonly [Row, Row, Row], { red, green, blue, alpha }: Colour): Colour {
  const light = [linear(red), linear(green), linear(blue)];
  const channel = (row: Row): number => encoded(row.reduce((sum, share, at) => sum + share * (light[at] ?? 0), 0));
  return { red: channel(toRed), green: channel(toGreen), blue: channel(toBlue), alpha };
}

export function toLab(colour: Colour): Lab {
  const [r, g, b] = [linear(colour.red), linear(colour.green), linear(colour.blue)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** What a screen cannot show is pulled to the nearest it can, channel by channel. */
export function fromLab([lightness, a, b]: Lab): Colour {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return {
    red: encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    green: encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    blue: encoded(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
    alpha: 1,
  };
}

function luminance({ red, green, blue }: Colour): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function encoded(light: number): number {
  const inside = Math.min(1, Math.max(0, light));
  return Math.round(255 * (inside <= 0.0031308 ? inside * 12.92 : 1.055 * inside ** (1 / 2.4) - 0.055));
}
