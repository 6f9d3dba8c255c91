import { Temporal } from 'temporal-polyfill';
import { eskomTariffs, createTariffPeriodFinder, tariffPeriods } from '../../../../src/core/calendar/tariffPeriods.ts';
import type { ScoreGrouping } from '../../../../src/shared/scorecard.ts';

const hourMs = 3_600_000;
/** The calendar of tariffs is tested by itself. */
const periodAt = createTariffPeriodFinder(eskomTariffs);

/** A row. Its numbers are in thousandths, null, or absent (undefined). */
export interface Row {
  readonly ms: number;
  readonly actual: bigint | null | undefined;
  readonly forecast: bigint | null | undefined;
}

export interface ScoreOptions {
  /** The range of the hours, without its end. */
  readonly start: number;
  readonly end: number;
  readonly by: ScoreGrouping;
  readonly timeZone: string;
  readonly isCounted: (ms: number) => boolean;
}

export type Figure = number | null;

export const isNumber = (value: bigint | null | undefined): value is bigint => typeof value === 'bigint';
const absolute = (value: bigint): bigint => (value < 0n ? -value : value);
const divide = (numerator: bigint, denominator: bigint): Figure =>
  denominator === 0n ? null : Number(numerator) / Number(denominator);
const sortValues = (values: readonly bigint[]): bigint[] => values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
const sumValues = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + value, 0n);

/** Computes a percentile by definition 7 of Hyndman and Fan in integers. */
function computePercentile(errors: readonly bigint[], percent: number): Figure {
  const sorted = sortValues(errors);
  const position = (errors.length - 1) * percent;
  const low = sorted[Math.floor(position / 100)];
  const high = sorted[Math.ceil(position / 100)];
  if (low === undefined || high === undefined) return null;
  const weight = BigInt(position % 100);
  return Number(low * (100n - weight) + high * weight) / 100_000;
}

/** Models the included hours and their values by the rules. */
function modelHours(rows: readonly Row[], { start, end, isCounted }: ScoreOptions) {
  const last = new Map(rows.map(row => [row.ms, row]));
  const getActual = (ms: number): bigint | undefined => last.get(ms)?.actual ?? undefined;
  return Array.from({ length: (end - start) / hourMs }, (_, hour) => start + hour * hourMs)
    .filter(ms => isCounted(ms))
    .map(ms => {
      const { actual, forecast } = last.get(ms) ?? {};
      const error = isNumber(actual) && isNumber(forecast) ? actual - forecast : undefined;
      const computeChange = (hours: number): bigint | undefined => {
        const earlierActual = getActual(ms - hours * hourMs);
        return isNumber(actual) && earlierActual !== undefined ? actual - earlierActual : undefined;
      };
      return { at: ms, actual: actual ?? undefined, error, day: computeChange(24), week: computeChange(168) };
    });
}

type Hour = ReturnType<typeof modelHours>[number];

function modelFigures(hours: readonly Hour[]): Figure[] {
  const scored = hours.flatMap(({ error, actual, ...hour }) =>
    error === undefined || actual === undefined ? [] : [{ ...hour, error, actual }],
  );
  const errors = scored.map(({ error }) => error);
  const count = BigInt(errors.length) * 1000n;
  const parts = scored
    .filter(({ actual }) => actual !== 0n)
    .map(({ error, actual }) => absolute(error * 10n ** 20n) / absolute(actual));
  const computeSkill = (persistence: 'day' | 'week'): Figure => {
    const pairs = scored.flatMap(({ error, [persistence]: reference }) =>
      reference === undefined ? [] : [[absolute(error), absolute(reference)] as const],
    );
    const part = divide(sumValues(pairs.map(([error]) => error)), sumValues(pairs.map(([, reference]) => reference)));
    return part === null ? null : 100 * (1 - part);
  };
  const meanSquare = divide(sumValues(errors.map(error => error * error)), count * 1000n);
  const meanPart = divide(sumValues(parts), BigInt(parts.length) * 10n ** 18n);
  return [
    ...[errors.length, hours.length],
    divide(sumValues(errors), count),
    divide(sumValues(errors.map(absolute)), count),
    meanSquare === null ? null : Math.sqrt(meanSquare),
    meanPart,
    ...[5, 50, 95].map(percent => computePercentile(errors, percent)),
    ...[computeSkill('day'), computeSkill('week')],
  ];
}

/** Computes bands in integers: the rank of an hour among all hours (the last rank of equal values), in fifths. */
function createBandFinder(hours: readonly Hour[]): (hour: Hour) => string | undefined {
  const sorted = sortValues(hours.flatMap(({ actual }) => actual ?? []));
  const bandByValue = new Map(sorted.map((value, rank) => [value, Math.floor((5 * rank) / sorted.length)]));
  const names = [0, 1, 2, 3, 4].map(band => {
    const bandValues = sorted.filter(value => bandByValue.get(value) === band).map(value => Number(value) / 1000);
    const [lowest, highest] = [bandValues[0], bandValues.at(-1)].map(value => value?.toLocaleString('en'));
    return lowest === highest ? `${lowest} MW` : `${lowest} – ${highest} MW`;
  });
  return ({ actual }) => (actual === undefined ? undefined : names[bandByValue.get(actual) ?? NaN]);
}

function createGroupFinder(hours: readonly Hour[], { by, timeZone }: ScoreOptions): (hour: Hour) => string | undefined {
  if (by === 'all' || by === 'worst') return () => undefined;
  if (by === 'band') return createBandFinder(hours);
  return ({ at }) => {
    const { hour, dayOfWeek, month } = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
    const season = [0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 0][month - 1];
    const tariffPeriod = tariffPeriods.findIndex(period => period === periodAt(at));
    return String({ hourOfDay: hour, weekday: dayOfWeek - 1, monthOfYear: month - 1, season, tariffPeriod }[by]);
  };
}

export function model(rows: readonly Row[], choice: ScoreOptions): Map<string, Figure[]> {
  const hours = modelHours(rows, choice);
  const groups = Map.groupBy(hours, createGroupFinder(hours, choice));
  groups.delete(undefined);
  const scored = Array.from(groups, ([name = '', groupHours]) => [name, modelFigures(groupHours)] as const);
  return new Map([['all', modelFigures(hours)] as const, ...scored]);
}

export function modelWorst(rows: readonly Row[], choice: ScoreOptions): Figure[][] {
  const hoursWithError = modelHours(rows, choice).filter(({ error }) => error !== undefined);
  return hoursWithError
    .sort((a, b) => Number(absolute(b.error ?? 0n) - absolute(a.error ?? 0n)) || a.at - b.at)
    .slice(0, 10)
    .map(({ at, actual = 0n, error = 0n }) => [
      ...[at, Number(actual) / 1000, Number(actual - error) / 1000, Number(error) / 1000],
      actual === 0n ? null : (100 * Number(error)) / Number(absolute(actual)),
    ]);
}
