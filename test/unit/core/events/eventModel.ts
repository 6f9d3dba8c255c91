import type { EventRule } from '../../../../src/shared/eventSearch.ts';

const hourMs = 3_600_000;

/** A row of the service. Its value is in thousandths, null, or absent (undefined). */
export interface Row {
  readonly ms: number;
  readonly value: bigint | null | undefined;
}

export interface Searched {
  readonly rows: readonly Row[];
  readonly from: number;
  readonly intervalCount: number;
  readonly intervalMs: number;
  /** Whether the hour passes the filters. */
  readonly isCounted: (ms: number) => boolean;
}

export interface Expected {
  readonly start: number;
  readonly end: number;
  readonly hours: number;
  readonly extreme: number;
  readonly extremeAt: number;
  readonly mwh: number;
  readonly isUncertain: boolean;
}

/** The value of an interval: a number, unknown, or excluded by a filter. */
type IntervalState = bigint | 'unknown' | 'out';

function createStateReader({
  rows,
  from,
  intervalCount,
  intervalMs,
  isCounted,
}: Searched): (interval: number) => IntervalState {
  const valueByInterval = new Map(rows.map(({ ms, value }) => [Math.floor((ms - from) / intervalMs), value]));
  return interval => {
    if (interval < 0 || interval >= intervalCount) return 'unknown';
    return isCounted(from + interval * intervalMs) ? (valueByInterval.get(interval) ?? 'unknown') : 'out';
  };
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** Parses a condition that compares with a number. The limit is in thousandths. */
export function parseLimit(rule: EventRule): { readonly sign: string; readonly limit: bigint } {
  const [, sign = '', number] = (rule.kind === 'condition' ? rule.condition : '').split(' ');
  return { sign, limit: BigInt(Math.round(Number(number ?? 0) * 1000)) };
}

/** Models the rules of events in exact numbers, interval by interval. */
export function model(searched: Searched, rule: EventRule): Expected[] {
  const { from, intervalCount, intervalMs, rows } = searched;
  const readState = createStateReader(searched);
  const perHour = hourMs / intervalMs;
  const instants = new Map(rows.map(({ ms }) => [Math.floor((ms - from) / intervalMs), ms]));
  const createEvent = (
    first: number,
    last: number,
    isUncertain: boolean,
    change?: readonly [bigint, number],
  ): Expected => {
    const values = Array.from(
      { length: last - first + 1 },
      (_, offset) => [readState(first + offset), first + offset] as const,
    );
    const numbers = values.filter((pair): pair is readonly [bigint, number] => typeof pair[0] === 'bigint');
    const isBetter = (a: bigint, b: bigint): boolean => (parseLimit(rule).sign === '<' ? a < b : a > b);
    const [extreme, extremeInterval] =
      change ?? numbers.reduce((best, candidate) => (isBetter(candidate[0], best[0]) ? candidate : best));
    const sum = numbers.reduce((total, [value]) => total + value, 0n);
    return {
      start: instants.get(first) ?? NaN,
      end: (instants.get(last) ?? NaN) + intervalMs,
      hours: numbers.length / perHour,
      extreme: Number(extreme) / 1000,
      extremeAt: instants.get(extremeInterval) ?? NaN,
      mwh: Number(sum) / 1000 / perHour,
      isUncertain,
    };
  };
  const intervals = Array.from({ length: intervalCount }, (_, interval) => interval);
  switch (rule.kind) {
    case 'peak': {
      const offsets = Array.from({ length: 24 * perHour + 1 }, (_, index) => index - 12 * perHour);
      return intervals.flatMap(interval => {
        const value = readState(interval);
        if (typeof value !== 'bigint') return [];
        const neighbors = offsets
          .filter(offset => offset !== 0)
          .map(offset => [offset, readState(interval + offset)] as const);
        if (
          neighbors.some(
            ([offset, neighbor]) =>
              typeof neighbor === 'bigint' && (neighbor > value || (neighbor === value && offset < 0)),
          )
        )
          return [];
        return [
          createEvent(
            interval,
            interval,
            neighbors.some(([, neighbor]) => neighbor === 'unknown'),
          ),
        ];
      });
    }
    case 'ramp': {
      const length = rule.hours * perHour;
      const readChange = (end: number): IntervalState => {
        const stateBefore = readState(end - length);
        const stateAfter = readState(end);
        if (Array.from({ length: length + 1 }, (_, back) => readState(end - back)).includes('out')) return 'out';
        return typeof stateBefore === 'bigint' && typeof stateAfter === 'bigint' ? stateAfter - stateBefore : 'unknown';
      };
      const changes = Array.from(
        { length: intervalCount + 20 },
        (_, index) => [index - 10, readChange(index - 10)] as const,
      );
      return [1n, -1n]
        .flatMap(sign => {
          const matching = changes.filter(
            (pair): pair is readonly [number, bigint] =>
              typeof pair[1] === 'bigint' &&
              pair[1] * sign > 0n &&
              absolute(pair[1]) >= BigInt(Math.round(rule.value * 1000)),
          );
          // Two windows belong together if they overlap or touch.
          const groups = matching.reduce<(readonly [number, bigint])[][]>((list, window) => {
            const last = list.at(-1)?.at(-1)?.[0] ?? -Infinity;
            return window[0] - length <= last + 1
              ? [...list.slice(0, -1), [...(list.at(-1) ?? []), window]]
              : [...list, [window]];
          }, []);
          return groups.map(group => {
            const first = group[0]?.[0] ?? NaN;
            const last = group.at(-1)?.[0] ?? NaN;
            const [interval, change] = group.reduce((best, candidate) =>
              absolute(candidate[1]) > absolute(best[1]) ? candidate : best,
            );
            const isUncertain = changes.some(
              ([step, window]) =>
                window === 'unknown' &&
                ((step < first && step >= first - length - 1) || (step > last && step - length <= last + 1)),
            );
            return createEvent(first - length, last, isUncertain, [change, interval]);
          });
        })
        .sort((a, b) => a.start - b.start);
    }
    default: {
      const isHolding = (interval: number): boolean => {
        const value = readState(interval);
        if (typeof value !== 'bigint') return false;
        const { sign, limit } = parseLimit(rule);
        if (sign === '>=') return value >= limit;
        return sign === '>' ? value > limit : value < limit;
      };
      const findContinuation = (interval: number): number | undefined => {
        const nextKnown = intervals.find(
          laterInterval => laterInterval > interval && readState(laterInterval) !== 'unknown',
        );
        return nextKnown !== undefined && isHolding(nextKnown) && nextKnown - interval - 1 <= Math.floor(3 * perHour)
          ? nextKnown
          : undefined;
      };
      const continuations = new Set(intervals.filter(isHolding).flatMap(interval => findContinuation(interval) ?? []));
      return intervals
        .filter(interval => isHolding(interval) && !continuations.has(interval))
        .map(first => {
          let last = first;
          for (
            let following: number | undefined = first;
            following !== undefined;
            following = findContinuation(following)
          )
            last = following;
          return createEvent(first, last, readState(first - 1) === 'unknown' || readState(last + 1) === 'unknown');
        });
    }
  }
}
