import { t } from '@vscode/l10n';
import { sumDecimals } from '../../core/statistics/decimalSum.ts';
import { hourMs } from '../../shared/durations.ts';
import { visibleLayers, type Layer, type Plot } from './plot.ts';
import type { PlotWords } from './words.ts';

/** The maximum number of times that are listed. More are described by their number, the first and the last. */
const toldOneByOne = 3;

/** Explains why a part of the stack is marked; undefined if the stack is complete. */
export function incompleteNotice(plot: Plot, words: PlotWords): string | undefined {
  const { incomplete } = plot;
  if (incomplete.length === 0) return undefined;
  const missing = areasOf(plot).filter(layer => incomplete.some(point => isMissing(layer, point)));
  const names = missing.map(({ label }) => label).join(', ');
  return t('Generation is incomplete at {0} (marked): no value for {1}.', times(plot, words, incomplete.length), names);
}

/** Formats the caption of a chart, and warns of contradictory readings that leave a part without a value. May be empty. */
export function captionOf(plot: Plot, words: PlotWords): string {
  const { caption = '', contradicted } = plot;
  if (contradicted === undefined) return caption;
  const at = times(plot, words, contradicted);
  const wrong = t(
    'Wrong reading at {0}: the published sources exceed total generation, so the unpublished part is unknown.',
    at,
  );
  return `${wrong} ${caption}`;
}

/** Describes where the stack is incomplete among the points [from, to), with the times. */
export function incompleteSentence(plot: Plot, words: PlotWords, from: number, to: number): string | undefined {
  const points = plot.incomplete.filter(point => point >= from && point < to);
  if (points.length === 0) return undefined;
  const parts = areasOf(plot).flatMap(layer => {
    const missing = points.filter(point => isMissing(layer, point));
    return missing.length === 0 ? [] : t('{0} missing at {1}', layer.label, timesOf(plot, words, missing));
  });
  return t('Generation is incomplete at {0}: {1}.', times(plot, words, points.length), parts.join('; '));
}

/** The label of the marks for points with too few hours. */
export function fewLabel(): string {
  return t('Few hours');
}

/** Explains the marks in the row at the bottom; undefined if there are none. */
export function fewNotice(plot: Plot, words: PlotWords): string | undefined {
  const { points, least } = plot.few;
  if (points.length === 0) return undefined;
  return t('{0}: data for less than {1} % of the hours (marked).', times(plot, words, points.length), percent(least));
}

/** Describes which of the points [from, to) have too few hours, with the times. */
export function fewSentence(plot: Plot, words: PlotWords, from: number, to: number): string | undefined {
  const { least } = plot.few;
  const points = plot.few.points.filter(point => point >= from && point < to);
  if (points.length === 0) return undefined;
  return t('{0}: data for less than {1} % of the hours.', timesOf(plot, words, points), percent(least));
}

function percent(part: number): string {
  return String(Math.round(part * 100));
}

/** The sum of a stack at a point. */
export interface Total {
  /** The number, followed by "(incomplete)" if a part is missing. */
  readonly short: string;
  /** "Total generation 27,000 MW", "Total generation without Wind 25,000 MW". */
  readonly sentence: string;
}

/**
 * Formats the total of the stack at a point; undefined if no part has a value. A missing part may be an export, which would reduce the total, so
 * an incomplete total is not a lower bound.
 */
export function totalAt(plot: Plot, words: PlotWords, point: number): Total | undefined {
  const areas = areasOf(plot);
  const known = areas.filter(layer => !isMissing(layer, point));
  const [first] = known;
  const { total } = plot;
  if (!first || total === undefined) return undefined;
  const sum = sumDecimals(Float64Array.from(known, ({ values }) => values[point] ?? 0));
  const [number, value] = [words.number(first, sum), words.value(first, sum)];
  if (known.length === areas.length) return { short: number, sentence: `${total} ${value}` };
  const missing = areas.filter(layer => isMissing(layer, point)).map(({ label }) => label);
  return {
    short: t('{0} (incomplete)', number),
    sentence: t('{0} without {1} {2}', total, missing.join(', '), value),
  };
}

function areasOf(plot: Plot): Layer[] {
  return visibleLayers(plot).filter(({ kind }) => kind === 'area');
}

function isMissing({ values }: Layer, point: number): boolean {
  return Number.isNaN(values[point] ?? NaN);
}

function timesOf(plot: Plot, words: PlotWords, points: Uint32Array): string {
  const at = (point: number | undefined): string => words.time(plot.timeline.x[point ?? 0] ?? 0);
  if (points.length <= toldOneByOne) return Array.from(points, at).join(', ');
  return t('{0} between {1} and {2}', times(plot, words, points.length), at(points[0]), at(points.at(-1)));
}

function times({ daily, bins, axis, timeline }: Plot, words: PlotWords, count: number): string {
  const text = words.count(count);
  const areDays = daily && !axis && (!bins || bins.size === 'day');
  if (areDays) return count === 1 ? t('1 day') : t('{0} days', text);
  if (!axis && timeline.step === hourMs && !timeline.endOf) return count === 1 ? t('1 hour') : t('{0} hours', text);
  return count === 1 ? t('1 point in time') : t('{0} points in time', text);
}
