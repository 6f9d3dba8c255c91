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

/** The colors of a chart as `#rrggbb`, all opaque. */
export interface Palette {
  readonly background: string;
  readonly foreground: string;
  /** The color of axis labels. */
  readonly muted: string;
  readonly grid: string;
  /** The colors of series, each with a contrast of 3:1 against the background. */
  readonly series: readonly string[];
  /** The index in `hatches` for an area in each of these colors: 0 (plain) unless the color is too similar to an earlier one. */
  readonly patterns: readonly number[];
  /** An even scale from dark to light, for values as colors. */
  readonly scale: readonly string[];
  /** An even scale from blue (below 0) over the background (0) to orange. */
  readonly diverging: readonly string[];
  /** The colors of the bands: low, moderate, high, critical. */
  readonly bands: readonly string[];
  /** Whether the theme is high contrast, where lines replace shades. */
  readonly highContrast: boolean;
}

/** Reads the text of a theme's token; empty if the theme does not define it. */
export type TokenReader = (token: string) => string;

/** The minimum contrast of a line (WCAG 1.4.11). */
const minLineContrast = 3;
const textContrast = 4.5;
const scaleColorCount = 32;
/** The minimum difference of two colors for color-blind readers. If the colors of two areas differ less, their patterns differ. */
const minDifference = 0.06;

/**
 * The colors are the same in every theme and picture. They have a contrast of 3:1 on white and on dark backgrounds, and within that differ as much
 * as possible, for color-blind readers too.
 */
const seriesColors = {
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

type SeriesColorName = keyof typeof seriesColors;

/** The colors of known fields and of the parts of the generation mix. Demand is the main line, in the foreground color. */
const columnColors: Readonly<Record<string, SeriesColorName | 'foreground'>> = {
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

/** The color of a series: an index in the palette's series, or the foreground. */
export type SeriesColor = number | 'foreground';

/** Assigns colors to columns that are drawn together: a known column has its own color, and every other column gets the next free color. */
export function assignSeriesColors(names: readonly string[]): (name: string) => SeriesColor {
  const colorNames = Object.keys(seriesColors);
  const assigned = new Map<string, SeriesColor>();
  for (const name of names) {
    // An energy, minimum or maximum has the color of its power.
    const power = name.replace(/(?:_min|_max)?_mwh?$/, '_mw');
    const color = Object.hasOwn(columnColors, power) ? columnColors[power] : undefined;
    const assignedColor = color === undefined || color === 'foreground' ? color : colorNames.indexOf(color);
    if (assignedColor !== undefined && ![...assigned.values()].includes(assignedColor))
      assigned.set(name, assignedColor);
  }
  const usedColors = new Set(assigned.values());
  let nextFree = 0;
  for (const name of names) {
    if (assigned.has(name)) continue;
    while (usedColors.has(nextFree)) nextFree++;
    assigned.set(name, nextFree++);
  }
  return name => assigned.get(name) ?? 0;
}

/** Creates a palette from a theme's tokens. The colors of series are adjusted to its background. */
export function createPalette(readToken: TokenReader, highContrast: boolean): Palette {
  const readOpaque = (token: string, fallback: Rgb, behind: Rgb): Rgb =>
    blendWithBackground(parseColor(readToken(token)) ?? fallback, behind);
  const background = readOpaque('--vscode-editor-background', createGray(30 / 255), createGray(0));
  const gray = createGray(204 / 255);
  const foreground = ensureContrast(
    readOpaque('--vscode-editor-foreground', gray, background),
    background,
    textContrast,
  );
  const muted = ensureContrast(
    readOpaque('--vscode-descriptionForeground', foreground, background),
    background,
    textContrast,
  );
  const faint = blendWithBackground({ ...foreground, alpha: highContrast ? 0.4 : 0.16 }, background);
  const series = Object.values(seriesColors).map(text =>
    ensureContrast(parseColor(text) ?? gray, background, minLineContrast),
  );
  return {
    background: formatColor(background),
    foreground: formatColor(foreground),
    muted: formatColor(muted),
    grid: formatColor(faint),
    series: series.map(formatColor),
    patterns: assignPatterns(series),
    scale: createEvenScale(),
    diverging: createDivergingScale(background),
    bands: stressBandIds.map(id => {
      const bandColor = readOpaque(`--vscode-gridDataStress-${id}`, foreground, background);
      return formatColor(ensureContrast(bandColor, background, minLineContrast));
    }),
    highContrast,
  };
}

/** The colors of paper: dark on white in every theme. The stress bands have the manifest's colors for light themes. */
const paperColors: Readonly<Record<string, string>> = {
  '--vscode-editor-background': '#ffffff',
  '--vscode-editor-foreground': '#1f1f1f',
  '--vscode-descriptionForeground': '#4d4d4d',
  '--vscode-gridDataStress-low': '#1f5c9e',
  '--vscode-gridDataStress-moderate': '#b88600',
  '--vscode-gridDataStress-high': '#a84300',
  '--vscode-gridDataStress-critical': '#7d0b18',
};

export function createPaperPalette(): Palette {
  return createPalette(token => paperColors[token] ?? '', false);
}

/** A perceptually even scale (OKLab) from dark violet over blue and green to light yellow. */
function createEvenScale(): string[] {
  return Array.from({ length: scaleColorCount }, (_, index) => {
    const share = index / (scaleColorCount - 1);
    const hue = ((300 - 195 * share) * Math.PI) / 180;
    return formatColor(convertLabToRgb({ l: 0.28 + 0.64 * share, a: 0.13 * Math.cos(hue), b: 0.13 * Math.sin(hue) }));
  });
}

/** A perceptually even scale (OKLab) from the lightness of the background to two equally strong colors. */
function createDivergingScale(background: Rgb): string[] {
  const { l: middle } = convertRgbToOklab(background);
  const pole = middle < 0.5 ? 0.66 : 0.58;
  return Array.from({ length: scaleColorCount + 1 }, (_, index) => {
    const share = (2 * index) / scaleColorCount - 1;
    const hue = ((share < 0 ? 250 : 50) * Math.PI) / 180;
    const strength = Math.abs(share);
    const chroma = 0.13 * Math.abs(share);
    const l = middle + (pole - middle) * strength;
    return formatColor(convertLabToRgb({ l, a: chroma * Math.cos(hue), b: chroma * Math.sin(hue) }));
  });
}

function assignPatterns(series: readonly Rgb[]): number[] {
  const patterns: number[] = [];
  for (const [index, color] of series.entries()) {
    const similarPatterns = patterns.filter(
      (_, otherIndex) => computeColorBlindDifference(color, series[otherIndex] ?? color) < minDifference,
    );
    let pattern = 0;
    while (similarPatterns.includes(pattern) && pattern + 1 < crossHatch) pattern++;
    patterns[index] = pattern;
  }
  return patterns;
}

/** Parses a color of VS Code's tokens: `#rgb`, `#rrggbb`, `#rrggbbaa`, `rgb()` or `rgba()`; undefined for anything else. */
export function parseColor(text: string): Rgb | undefined {
  const trimmed = text.trim();
  return parseHex(trimmed) ?? parseRgbLegacy(trimmed);
}

function createGray(share: number): Rgb {
  return { mode: 'rgb', r: share, g: share, b: share };
}

/** Formats a color as `#rrggbb`, without its opacity. */
export function formatColor({ r, g, b }: Rgb): string {
  const formatChannel = (share: number): string =>
    Math.round(share * 255)
      .toString(16)
      .padStart(2, '0');
  return `#${formatChannel(r)}${formatChannel(g)}${formatChannel(b)}`;
}

/** Blends a color with an opaque background. */
export function blendWithBackground({ r, g, b, alpha = 1 }: Rgb, background: Rgb): Rgb {
  const mix = (above: number, below: number): number => above * alpha + below * (1 - alpha);
  return { mode: 'rgb', r: mix(r, background.r), g: mix(g, background.g), b: mix(b, background.b) };
}

/** The contrast of two opaque colors as WCAG defines it: 1 (the same) to 21 (black on white). */
export function computeContrast(first: Rgb, second: Rgb): number {
  const [low = 0, high = 0] = [computeLuminance(first), computeLuminance(second)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** Lightens or darkens a color until its contrast with the background is at least `minContrast`. */
export function ensureContrast(color: Rgb, background: Rgb, minContrast: number): Rgb {
  const lab = convertRgbToOklab(color);
  const isDark = computeLuminance(background) < 0.18;
  // Try the nearest lightness first, in both directions: a mid-gray background allows only one of them.
  for (let distance = 0; distance <= 1; distance += 0.01) {
    for (const shift of isDark ? [distance, -distance] : [-distance, distance]) {
      const l = lab.l + shift;
      if (l < 0 || l > 1) continue;
      const shifted = distance === 0 ? color : convertLabToRgb({ ...lab, l });
      if (computeContrast(shifted, background) >= minContrast) return shifted;
    }
  }
  return createGray(isDark ? 1 : 0);
}

/** The distance of two colors in OKLab: 0 if equal, about 0.02 if just distinguishable. */
export function computeDifference(first: Rgb, second: Rgb): number {
  const from = convertRgbToOklab(first);
  const to = convertRgbToOklab(second);
  return Math.hypot(from.l - to.l, from.a - to.a, from.b - to.b);
}

type MatrixRow = readonly [red: number, green: number, blue: number];

/**
 * Matrices that convert linear light to the colors seen without the cones for long waves (protanopia) and for medium ones (deuteranopia): Machado, Oliveira and
 * Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE TVCG 15 (2009), severity 1.
 */
const colorBlindness: readonly (readonly [MatrixRow, MatrixRow, MatrixRow])[] = [
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

/** The distance of two colors for readers with red-green color blindness: the smaller one of its two kinds. */
export function computeColorBlindDifference(first: Rgb, second: Rgb): number {
  return Math.min(
    ...colorBlindness.map(rows =>
      computeDifference(simulateColorBlindness(rows, first), simulateColorBlindness(rows, second)),
    ),
  );
}

function simulateColorBlindness(rows: readonly [MatrixRow, MatrixRow, MatrixRow], color: Rgb): Rgb {
  const light = convertRgbToLrgb(color);
  const [r = 0, g = 0, b = 0] = rows.map(([red, green, blue]) => red * light.r + green * light.g + blue * light.b);
  return roundToScreen(convertLrgbToRgb({ r, g, b }));
}

export function convertLabToRgb(lab: Omit<Oklab, 'mode'>): Rgb {
  return roundToScreen(convertOklabToRgb(lab));
}

/** Rounds each channel to the nearest of 256 levels. */
function roundToScreen({ r, g, b }: Rgb): Rgb {
  const channel = (share: number): number => Math.round(255 * Math.min(1, Math.max(0, share))) / 255;
  return { mode: 'rgb', r: channel(r), g: channel(g), b: channel(b) };
}

function computeLuminance(color: Rgb): number {
  const { r, g, b } = convertRgbToLrgb(color);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
