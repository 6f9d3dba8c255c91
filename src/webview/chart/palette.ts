import {
  colourBlindDifference,
  colourText,
  contrast,
  difference,
  fromLab,
  onBackground,
  parseColour,
  toLab,
  withContrast,
} from './colour.ts';
import type { Colour } from './colour.ts';
import { crossHatch } from './scene.ts';
import { stressBandIds } from '../../shared/stressBands.ts';

/** The colours of a chart as `#rrggbb`, all opaque. */
export interface Palette {
  readonly background: string;
  readonly foreground: string;
  /** Axis labels. */
  readonly muted: string;
  readonly grid: string;
  /** At least ten, each 3:1 against the background, the first ones the theme's own. */
  readonly series: readonly string[];
  /** Which of `hatches` an area in each of these colours has: 0, plain, unless its colour alone does not tell it from one before. */
  readonly patterns: readonly number[];
  /** Low, moderate, high, critical. */
  readonly bands: readonly string[];
  /** Shades say nothing here: lines do. */
  readonly highContrast: boolean;
}

/** What a theme gives: the text of each token, empty where it has none. */
export type TokenReader = (token: string) => string;

/** The contrast a line must have to be seen, after WCAG 1.4.11. */
const leastContrast = 3;
const seriesColours = 12;
const textContrast = 4.5;
const clearlyDifferent = 0.09;
/** Areas in colours that differ less for colour-blind readers get unlike patterns. */
const toldApart = 0.06;
/** Beyond this a colour reads as black or white. */
const mostContrast = 10;

// The colours VS Code gives a dark theme that says nothing.
const tokens = [
  ['--vscode-charts-blue', '#59a4f9'],
  ['--vscode-charts-orange', '#d18616'],
  ['--vscode-charts-green', '#89d185'],
  ['--vscode-charts-purple', '#b180d7'],
  ['--vscode-charts-red', '#f14c4c'],
  ['--vscode-charts-yellow', '#cca700'],
] as const;

/** Resolves a theme's tokens, and extends its six chart colours to twelve that are seen and told apart on its background. */
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
  const base = tokens.map(([token, otherwise]) => {
    const given = opaque(token, parseColour(otherwise) ?? grey, background);
    return withContrast(given, background, leastContrast);
  });
  const series = extended(base, background, foreground);
  return {
    background: colourText(background),
    foreground: colourText(foreground),
    muted: colourText(muted),
    grid: colourText(faint),
    series: series.map(colourText),
    patterns: patternsFor(series),
    bands: stressBandIds.map(id => {
      const given = opaque(`--vscode-gridDataStress-${id}`, foreground, background);
      return colourText(withContrast(given, background, leastContrast));
    }),
    highContrast,
  };
}

/** The base without near doubles, then again and again the candidate that is furthest from all taken. */
function extended(base: readonly Colour[], background: Colour, foreground: Colour): Colour[] {
  const taken: Colour[] = [];
  for (const colour of base)
    if (taken.every(other => difference(colour, other) >= clearlyDifferent)) taken.push(colour);
  // The foreground is a line's colour as well.
  const candidates = base
    .flatMap(colour => variants(colour))
    .map(colour => withContrast(colour, background, leastContrast))
    .filter(colour => contrast(colour, background) <= mostContrast)
    .map(colour => ({ colour, away: distance(colour, [...taken, foreground]) }));
  while (taken.length < seriesColours) {
    let best = { colour: foreground, away: 0 };
    for (const candidate of candidates) if (candidate.away > best.away) best = candidate;
    taken.push(best.colour);
    // Only the new one can have come nearer.
    for (const candidate of candidates)
      candidate.away = Math.min(candidate.away, distance(candidate.colour, [best.colour]));
  }
  return taken;
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

/** Other lightness, other hue: turned by whole sixths of a half circle in OKLab. */
function variants(colour: Colour): Colour[] {
  const [lightness, a, b] = toLab(colour);
  const strength = Math.max(0.1, Math.hypot(a, b));
  const hue = Math.atan2(b, a);
  return [-0.25, -0.12, 0, 0.12, 0.25].flatMap(shift =>
    [0, 1, 2, 3, 4, 5].map(turn => {
      const angle = hue + (turn * Math.PI) / 6;
      const light = Math.min(0.95, Math.max(0.2, lightness + shift));
      return fromLab([light, strength * Math.cos(angle), strength * Math.sin(angle)]);
    }),
  );
}

/** To the nearest of the others. Colours that differ for everybody come before those that differ for colour-blind readers alone. */
function distance(colour: Colour, others: readonly Colour[]): number {
  const apart = (other: Colour): number =>
    Math.min(difference(colour, other) / 2, colourBlindDifference(colour, other));
  return Math.min(...others.map(apart), Infinity);
}
