import { Temporal } from 'temporal-polyfill';
import { eskomTariffs, tariffPeriodAt, tariffPeriods } from '../../../../src/core/calendar/tariffPeriods.ts';
import type { ScoreGrouping } from '../../../../src/shared/scorecard.ts';

const hourMs = 3_600_000;
/** Has tests of its own. */
const periodAt = tariffPeriodAt(eskomTariffs);

/** A row. Numbers are thousandths, null for a null, undefined for an absent field. */
export interface Row {
  readonly at: number;
  readonly actual: bigint | null | undefined;
  readonly forecast: bigint | null | undefined;
}

export interface Choice {
  /** The hours of the range, without its end. */
  readonly start: number;
  readonly end: number;
  readonly by: ScoreGrouping;
  readonly timeZone: string;
  readonly keeps: (ms: number) => boolean;
}

export type Figure = number | null;

export const isNumber = (value: bigint | null | undefined): value is bigint => typeof value === 'bigint';
const size = (value: bigint): bigint => (value < 0n ? -value : value);
const ratio = (over: bigint, under: bigint): Figure => (under === 0n ? null : Number(over) / Number(under));
const inOrder = (values: readonly bigint[]): bigint[] => values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
const total = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + value, 0n);

/** Hyndman & Fan's definition 7 in integers. */
function percentile(errors: readonly bigint[], percent: number): Figure {
  const sorted = inOrder(errors);
  const place = (errors.length - 1) * percent;
  const [low, high] = [sorted[Math.floor(place / 100)], sorted[Math.ceil(place / 100)]];
  if (low === undefined || high === undefined) return null;
  const weight = BigInt(place % 100);
  return Number(low * (100n - weight) + high * weight) / 100_000;
}

/** Models the included hours and their values by the rules. */
function modelHours(rows: readonly Row[], { start, end, keeps }: Choice) {
  const last = new Map(rows.map(row => [row.at, row]));
  const actualAt = (ms: number): bigint | undefined => last.get(ms)?.actual ?? undefined;
  return Array.from({ length: (end - start) / hourMs }, (_, hour) => start + hour * hourMs)
    .filter(at => keeps(at))
    .map(at => {
      const { actual, forecast } = last.get(at) ?? {};
      const error = isNumber(actual) && isNumber(forecast) ? actual - forecast : undefined;
      const since = (hours: number): bigint | undefined => {
        const before = actualAt(at - hours * hourMs);
        return isNumber(actual) && before !== undefined ? actual - before : undefined;
      };
      return { at, actual: actual ?? undefined, error, day: since(24), week: since(168) };
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
    .map(({ error, actual }) => size(error * 10n ** 20n) / size(actual));
  const skill = (before: 'day' | 'week'): Figure => {
    const both = scored.flatMap(({ error, [before]: other }) =>
      other === undefined ? [] : [[size(error), size(other)] as const],
    );
    const part = ratio(total(both.map(([own]) => own)), total(both.map(([, other]) => other)));
    return part === null ? null : 100 * (1 - part);
  };
  const meanSquare = ratio(total(errors.map(error => error * error)), count * 1000n);
  const meanPart = ratio(total(parts), BigInt(parts.length) * 10n ** 18n);
  return [
    ...[errors.length, hours.length],
    ratio(total(errors), count),
    ratio(total(errors.map(size)), count),
    meanSquare === null ? null : Math.sqrt(meanSquare),
    meanPart,
    ...[5, 50, 95].map(percent => percentile(errors, percent)),
    ...[skill('day'), skill('week')],
  ];
}

/** Computes bands in integers: the rank of an hour among all (of equal ones the last), in fifths. */
function bandsOf(hours: readonly Hour[]): (hour: Hour) => string | undefined {
  const sorted = inOrder(hours.flatMap(({ actual }) => actual ?? []));
  const places = new Map(sorted.map((value, place) => [value, Math.floor((5 * place) / sorted.length)]));
  const names = [0, 1, 2, 3, 4].map(band => {
    const own = sorted.filter(value => places.get(value) === band).map(value => Number(value) / 1000);
    const [least, greatest] = [own[0], own.at(-1)].map(value => value?.toLocaleString('en'));
    return least === greatest ? `${least} MW` : `${least} – ${greatest} MW`;
  });
  return ({ actual }) => (actual === undefined ? undefined : names[places.get(actual) ?? NaN]);
}

function groupOf(hours: readonly Hour[], { by, timeZone }: Choice): (hour: Hour) => string | undefined {
  if (by === 'all' || by === 'worst') return () => undefined;
  if (by === 'band') return bandsOf(hours);
  return ({ at }) => {
    const { hour, dayOfWeek, month } = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
    const season = [0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 0][month - 1];
    const tariffPeriod = tariffPeriods.findIndex(period => period === periodAt(at));
    return String({ hourOfDay: hour, weekday: dayOfWeek - 1, monthOfYear: month - 1, season, tariffPeriod }[by]);
  };
}

export function model(rows: readonly Row[], choice: Choice): Map<string, Figure[]> {
  const hours = modelHours(rows, choice);
  const groups = Map.groupBy(hours, groupOf(hours, choice));
  groups.delete(undefined);
  const scored = Array.from(groups, ([name = '', own]) => [name, modelFigures(own)] as const);
  return new Map([['all', modelFigures(hours)] as const, ...scored]);
}

export function modelWorst(rows: readonly Row[], choice: Choice): Figure[][] {
  const known = modelHours(rows, choice).filter(({ error }) => error !== undefined);
  return known
    .sort((a, b) => Number(size(b.error ?? 0n) - size(a.error ?? 0n)) || a.at - b.at)
    .slice(0, 10)
    .map(({ at, actual = 0n, error = 0n }) => [
      ...[at, Number(actual) / 1000, Number(actual - error) / 1000, Number(error) / 1000],
      actual === 0n ? null : (100 * Number(error)) / Number(size(actual)),
    ]);
}
