import {
  convertLrgbToRgb,
  convertOklabToRgb,
  convertRgbToLrgb,
  convertRgbToOklab,
  parseHex,
  parseRgbLegacy,
  type Oklab,
  type Rgb,
} from 'culori/fn';
import { demandField, forecastField, rampField } from '../../shared/fields.ts';
import { crossHatch } from './scene.ts';
import { stressBandIds } from '../../shared/stressBands.ts';

/** The colours of a chart as `#rrggbb`, all opaque. */
export interface Palette {
  readonly background: string;
  readonly foreground: string;
  /** The colour of axis labels. */
  readonly muted: string;
  readonly grid: string;
  /** The colours of series, each with a contrast of 3:1 against the background. */
  readonly series: readonly string[];
  /** The index in `hatches` for an area in each of these colours: 0 (plain) unless the colour is too similar to an earlier one. */
  readonly patterns: readonly number[];
  /** An even scale from dark to light, for values as colours. */
  readonly scale: readonly string[];
  /** An even scale from blue (below 0) over the background (0) to orange. */
  readonly diverging: readonly string[];
  /** The colours of the bands: low, moderate, high, critical. */
  readonly bands: readonly string[];
  /** Whether the theme is high contrast, where lines replace shades. */
  readonly highContrast: boolean;
}

/** Reads the text of a theme's token; empty if the theme does not define it. */
export type TokenReader = (token: string) => string;

/** The minimum contrast of a line (WCAG 1.4.11). */
const leastContrast = 3;
const textContrast = 4.5;
const scaleSteps = 32;
/** Areas whose colours differ less than this for colour-blind readers get different patterns. */
const toldApart = 0.06;

/**
 * The colours are the same in every theme and picture. They have a contrast of 3:1 on white and on dark backgrounds, and within that differ as much
 * as possible, for colour-blind readers too.
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

/** The colours of known fields and of the parts of the generation mix. Demand is the main line, in the foreground colour. */
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

/** The colour of a series: an index in the palette's series, or the foreground. */
export type SeriesPlace = number | 'foreground';

/** Assigns colours to columns that are drawn together: a known column has its own colour, the others get the first free ones. */
export function coloursOfColumns(names: readonly string[]): (name: string) => SeriesPlace {
  const order = Object.keys(seriesColours);
  const places = new Map<string, SeriesPlace>();
  for (const name of names) {
    // An energy, minimum or maximum has the colour of its power.
    const power = name.replace(/(?:_min|_max)?_mwh?$/, '_mw');
    const colour = Object.hasOwn(colourOfColumn, power) ? colourOfColumn[power] : undefined;
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

/** Creates a palette from a theme's tokens. The colours of series are adjusted to its background. */
export function paletteOf(read: TokenReader, highContrast: boolean): Palette {
  const opaque = (token: string, otherwise: Rgb, under: Rgb): Rgb =>
    onBackground(parseColour(read(token)) ?? otherwise, under);
  const background = opaque('--vscode-editor-background', greyOf(30 / 255), greyOf(0));
  const grey = greyOf(204 / 255);
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

/** Dark on white, whatever the theme. The stress bands have the manifest's colours for light themes. */
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

/** A perceptually even scale (OKLab) from dark violet over blue and green to light yellow. */
function evenScale(): string[] {
  return Array.from({ length: scaleSteps }, (_, step) => {
    const share = step / (scaleSteps - 1);
    const hue = ((300 - 195 * share) * Math.PI) / 180;
    return colourText(fromLab({ l: 0.28 + 0.64 * share, a: 0.13 * Math.cos(hue), b: 0.13 * Math.sin(hue) }));
  });
}

/** A perceptually even scale (OKLab) from the lightness of the background to two equally strong colours. */
function divergingScale(background: Rgb): string[] {
  const { l: middle } = convertRgbToOklab(background);
  const pole = middle < 0.5 ? 0.66 : 0.58;
  return Array.from({ length: scaleSteps + 1 }, (_, step) => {
    const share = (2 * step) / scaleSteps - 1;
    const hue = ((share < 0 ? 250 : 50) * Math.PI) / 180;
    const [size, chroma] = [Math.abs(share), 0.13 * Math.abs(share)];
    const l = middle + (pole - middle) * size;
    return colourText(fromLab({ l, a: chroma * Math.cos(hue), b: chroma * Math.sin(hue) }));
  });
}

function patternsFor(series: readonly Rgb[]): number[] {
  const patterns: number[] = [];
  for (const [index, colour] of series.entries()) {
    const alike = patterns.filter((_, before) => colourBlindDifference(colour, series[before] ?? colour) < toldApart);
    let pattern = 0;
    while (alike.includes(pattern) && pattern + 1 < crossHatch) pattern++;
    patterns[index] = pattern;
  }
  return patterns;
}

/** Parses a colour of VS Code's tokens: `#rgb`, `#rrggbb`, `#rrggbbaa`, `rgb()` or `rgba()`; undefined for anything else. */
export function parseColour(text: string): Rgb | undefined {
  const plain = text.trim();
  return parseHex(plain) ?? parseRgbLegacy(plain);
}

function greyOf(share: number): Rgb {
  return { mode: 'rgb', r: share, g: share, b: share };
}

/** Formats a colour as `#rrggbb`, without its opacity. */
export function colourText({ r, g, b }: Rgb): string {
  const pair = (share: number): string =>
    Math.round(share * 255)
      .toString(16)
      .padStart(2, '0');
  return `#${pair(r)}${pair(g)}${pair(b)}`;
}

/** Blends a colour with an opaque background. */
export function onBackground({ r, g, b, alpha = 1 }: Rgb, background: Rgb): Rgb {
  const mix = (above: number, under: number): number => above * alpha + under * (1 - alpha);
  return { mode: 'rgb', r: mix(r, background.r), g: mix(g, background.g), b: mix(b, background.b) };
}

/** The contrast of two opaque colours as WCAG defines it: 1 (the same) to 21 (black on white). */
export function contrast(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** Lightens or darkens a colour until its contrast with the background is at least `least`. */
export function withContrast(colour: Rgb, background: Rgb, least: number): Rgb {
  const lab = convertRgbToOklab(colour);
  const isDark = luminance(background) < 0.18;
  // Try the nearest lightness first, in both directions: a mid-grey background allows only one of them.
  for (let way = 0; way <= 1; way += 0.01) {
    for (const shift of isDark ? [way, -way] : [-way, way]) {
      const l = lab.l + shift;
      if (l < 0 || l > 1) continue;
      const shifted = way === 0 ? colour : fromLab({ ...lab, l });
      if (contrast(shifted, background) >= least) return shifted;
    }
  }
  return greyOf(isDark ? 1 : 0);
}

/** The distance of two colours in OKLab: 0 if equal, about 0.02 if just distinguishable. */
export function difference(one: Rgb, other: Rgb): number {
  const [from, to] = [convertRgbToOklab(one), convertRgbToOklab(other)];
  return Math.hypot(from.l - to.l, from.a - to.a, from.b - to.b);
}

type Row = readonly [red: number, green: number, blue: number];

/**
 * Matrices that convert linear light to what is seen without the cones for long waves (protanopia) and for medium ones (deuteranopia): Machado, Oliveira and
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

/** The distance of two colours for readers with red-green colour blindness: the smaller one of its two kinds. */
export function colourBlindDifference(one: Rgb, other: Rgb): number {
  return Math.min(...colourBlindness.map(rows => difference(seenBy(rows, one), seenBy(rows, other))));
}

function seenBy(rows: readonly [Row, Row, Row], colour: Rgb): Rgb {
  const light = convertRgbToLrgb(colour);
  const [r = 0, g = 0, b = 0] = rows.map(([red, green, blue]) => red * light.r + green * light.g + blue * light.b);
  return onScreen(convertLrgbToRgb({ r, g, b }));
}

export function fromLab(lab: Omit<Oklab, 'mode'>): Rgb {
  return onScreen(convertOklabToRgb(lab));
}

/** Rounds each channel to the nearest of 256 levels. */
function onScreen({ r, g, b }: Rgb): Rgb {
  const channel = (share: number): number => Math.round(255 * Math.min(1, Math.max(0, share))) / 255;
  return { mode: 'rgb', r: channel(r), g: channel(g), b: channel(b) };
}

function luminance(colour: Rgb): number {
  const { r, g, b } = convertRgbToLrgb(colour);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
