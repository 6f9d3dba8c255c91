/** One query of the script: when, in which window, of what. */
export interface ScriptedQuery {
  readonly at: number;
  readonly window: number;
  /** Whether VS Code was started anew before it. */
  readonly restart: boolean;
  readonly dataset: 'systemState' | 'gridStress';
  readonly range: string;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** What an analyst looks at in one sitting: the widest range first, then closer, then the same again in another window. */
const morning = [
  'last 30 days',
  'last 7 days',
  'last 24 hours',
  'yesterday',
  'today',
  'last 36 hours',
  'last 48 hours',
];
const stress = ['last 7 days', 'last 24 hours', 'yesterday', 'today'];
const report = ['last month', '2026-09', '2026-10-05..2026-10-11', '2026-09-15..2026-10-15', '2026-10', 'last month'];

/**
 * A month of a person's use, 200 queries over 30 days: eleven sittings of half an hour with reruns, overlapping ranges, both
 * datasets, restarts and two windows. A script, not a sample: it is the same each time.
 */
export function monthOfUse(start: number): ScriptedQuery[] {
  const script: ScriptedQuery[] = [];
  for (let sitting = 0; sitting < 11; sitting++) {
    // Two or three days apart, at another time of the day, never across a full hour.
    const begin = start + Math.floor(sitting * 2.75) * day + (6 + (sitting % 5)) * hour + 12 * minute;
    let step = 0;
    const ask = (dataset: ScriptedQuery['dataset'], range: string, window = 0): void => {
      script.push({ at: begin + step * 100_000, window, restart: step === 0 || step === 9, dataset, range });
      step++;
    };
    for (const range of morning) ask('systemState', range);
    if (sitting % 4 === 0) {
      for (const range of stress) ask('gridStress', range);
      for (const range of stress) ask('gridStress', range, 1);
    } else {
      for (const range of report) ask('systemState', range, 1);
      ask('systemState', 'last 7 days', 1);
      ask('systemState', 'last 24 hours', 1);
    }
    for (const range of morning.slice(0, 3)) ask('systemState', range, sitting % 2);
  }
  for (let extra = 0; script.length < 200; extra++) {
    const last = script.at(-1) ?? script[0];
    if (last) script.push({ ...last, at: last.at + 20_000, window: extra % 2, restart: extra === 0 });
  }
  return script;
}

/**
 * The only request that a query must make, reckoned hour by hour without any of the project's code: from the first to the last
 * of its hours that were never asked for, or that were asked for before this clock hour and younger than 48 hours.
 */
export function leastRequest(
  ledger: Map<string, number>,
  dataset: string,
  start: number,
  end: number,
  now: number,
): { readonly start: number; readonly end: number } | undefined {
  const due: number[] = [];
  for (let ms = start; ms < end; ms += hour) {
    const asked = ledger.get(`${dataset} ${ms}`);
    const settled = asked !== undefined && asked - (ms + hour) >= 48 * hour;
    const thisHour =
      asked !== undefined && new Date(asked).toISOString().slice(0, 13) === new Date(now).toISOString().slice(0, 13);
    if (!settled && !thisHour) due.push(ms);
  }
  const [first, last] = [due[0], due.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  for (let ms = first; ms <= last; ms += hour) ledger.set(`${dataset} ${ms}`, now);
  return { start: first, end: last + hour };
}
