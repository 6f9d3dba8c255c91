import type { EventRule } from '../../../../src/shared/eventSearch.ts';

const hourMs = 3_600_000;

/** A row of the service. Values are thousandths, null for a null, undefined for an absent field. */
export interface Row {
  readonly at: number;
  readonly value: bigint | null | undefined;
}

export interface Searched {
  readonly rows: readonly Row[];
  readonly from: number;
  readonly steps: number;
  readonly stepMs: number;
  /** Whether the hour passes a filter. */
  readonly keeps: (ms: number) => boolean;
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

/** The state of an instant: a number, unknown or excluded. */
type Known = bigint | 'unknown' | 'out';

function knownOf({ rows, from, steps, stepMs, keeps }: Searched): (step: number) => Known {
  const of = new Map(rows.map(({ at, value }) => [Math.floor((at - from) / stepMs), value]));
  return step => {
    if (step < 0 || step >= steps) return 'unknown';
    return keeps(from + step * stepMs) ? (of.get(step) ?? 'unknown') : 'out';
  };
}

function size(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** Parses a condition that compares with a number, in thousandths. */
export function limitIn(rule: EventRule): { readonly sign: string; readonly limit: bigint } {
  const [, sign = '', number] = (rule.kind === 'condition' ? rule.condition : '').split(' ');
  return { sign, limit: BigInt(Math.round(Number(number ?? 0) * 1000)) };
}

/** Models the events by the rules, each interval with its neighbours, in exact numbers. */
export function model(searched: Searched, rule: EventRule): Expected[] {
  const { from, steps, stepMs, rows } = searched;
  const known = knownOf(searched);
  const perHour = hourMs / stepMs;
  const instants = new Map(rows.map(({ at }) => [Math.floor((at - from) / stepMs), at]));
  const made = (first: number, last: number, isUncertain: boolean, change?: readonly [bigint, number]): Expected => {
    const values = Array.from({ length: last - first + 1 }, (_, at) => [known(first + at), first + at] as const);
    const numbers = values.filter((pair): pair is readonly [bigint, number] => typeof pair[0] === 'bigint');
    const better = (a: bigint, b: bigint): boolean => (limitIn(rule).sign === '<' ? a < b : a > b);
    const [extreme, at] = change ?? numbers.reduce((best, next) => (better(next[0], best[0]) ? next : best));
    const sum = numbers.reduce((total, [value]) => total + value, 0n);
    return {
      start: instants.get(first) ?? NaN,
      end: (instants.get(last) ?? NaN) + stepMs,
      hours: numbers.length / perHour,
      extreme: Number(extreme) / 1000,
      extremeAt: instants.get(at) ?? NaN,
      mwh: Number(sum) / 1000 / perHour,
      isUncertain,
    };
  };
  const all = Array.from({ length: steps }, (_, step) => step);
  switch (rule.kind) {
    case 'peak': {
      const around = Array.from({ length: 24 * perHour + 1 }, (_, at) => at - 12 * perHour);
      return all.flatMap(step => {
        const own = known(step);
        if (typeof own !== 'bigint') return [];
        const others = around.filter(by => by !== 0).map(by => [by, known(step + by)] as const);
        if (others.some(([by, one]) => typeof one === 'bigint' && (one > own || (one === own && by < 0)))) return [];
        return [
          made(
            step,
            step,
            others.some(([, one]) => one === 'unknown'),
          ),
        ];
      });
    }
    case 'ramp': {
      const length = rule.hours * perHour;
      const windowAt = (step: number): Known => {
        const [before, after] = [known(step - length), known(step)];
        if (Array.from({ length: length + 1 }, (_, by) => known(step - by)).includes('out')) return 'out';
        return typeof before === 'bigint' && typeof after === 'bigint' ? after - before : 'unknown';
      };
      const windows = Array.from({ length: steps + 20 }, (_, at) => [at - 10, windowAt(at - 10)] as const);
      return [1n, -1n]
        .flatMap(sign => {
          const holding = windows.filter(
            (pair): pair is readonly [number, bigint] =>
              typeof pair[1] === 'bigint' &&
              pair[1] * sign > 0n &&
              size(pair[1]) >= BigInt(Math.round(rule.value * 1000)),
          );
          // If two windows touch or overlap, the later one begins at the latest with the interval after the earlier one.
          const groups = holding.reduce<(readonly [number, bigint])[][]>((sets, window) => {
            const last = sets.at(-1)?.at(-1)?.[0] ?? -Infinity;
            return window[0] - length <= last + 1
              ? [...sets.slice(0, -1), [...(sets.at(-1) ?? []), window]]
              : [...sets, [window]];
          }, []);
          return groups.map(group => {
            const [first, last] = [group[0]?.[0] ?? NaN, group.at(-1)?.[0] ?? NaN];
            const [at, change] = group.reduce((best, next) => (size(next[1]) > size(best[1]) ? next : best));
            const isUncertain = windows.some(
              ([step, window]) =>
                window === 'unknown' &&
                ((step < first && step >= first - length - 1) || (step > last && step - length <= last + 1)),
            );
            return made(first - length, last, isUncertain, [change, at]);
          });
        })
        .sort((a, b) => a.start - b.start);
    }
    default: {
      const holds = (step: number): boolean => {
        const value = known(step);
        if (typeof value !== 'bigint') return false;
        const { sign, limit } = limitIn(rule);
        if (sign === '>=') return value >= limit;
        return sign === '>' ? value > limit : value < limit;
      };
      const goesOn = (step: number): number | undefined => {
        const next = all.find(later => later > step && known(later) !== 'unknown');
        return next !== undefined && holds(next) && next - step - 1 <= Math.floor(3 * perHour) ? next : undefined;
      };
      const joined = new Set(all.filter(holds).flatMap(step => goesOn(step) ?? []));
      return all
        .filter(step => holds(step) && !joined.has(step))
        .map(first => {
          let last = first;
          for (let next: number | undefined = first; next !== undefined; next = goesOn(next)) last = next;
          return made(first, last, known(first - 1) === 'unknown' || known(last + 1) === 'unknown');
        });
    }
  }
}
