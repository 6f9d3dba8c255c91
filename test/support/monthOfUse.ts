/** A query of the script, with its time and window. */
export interface ScriptedQuery {
  readonly at: number;
  readonly window: number;
  /** Whether VS Code is restarted before the query. */
  readonly restart: boolean;
  readonly dataset: 'systemState' | 'gridStress';
  readonly range: string;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The ranges that an analyst queries in one session: wide ranges first, then narrower ones. */
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
 * Creates a fixed script of a month of use: 200 queries over 30 days, in eleven sessions of half an hour with reruns, overlapping
 * ranges, both datasets, restarts and two windows.
 */
export function createMonthOfUse(start: number): ScriptedQuery[] {
  const script: ScriptedQuery[] = [];
  for (let session = 0; session < 11; session++) {
    // Sessions are two or three days apart, at different times of day, and never cross a full hour.
    const sessionStart = start + Math.floor(session * 2.75) * day + (6 + (session % 5)) * hour + 12 * minute;
    let queryIndex = 0;
    const addQuery = (dataset: ScriptedQuery['dataset'], range: string, window = 0): void => {
      script.push({
        at: sessionStart + queryIndex * 100_000,
        window,
        restart: queryIndex === 0 || queryIndex === 9,
        dataset,
        range,
      });
      queryIndex++;
    };
    for (const range of morning) addQuery('systemState', range);
    if (session % 4 === 0) {
      for (const range of stress) addQuery('gridStress', range);
      for (const range of stress) addQuery('gridStress', range, 1);
    } else {
      for (const range of report) addQuery('systemState', range, 1);
      addQuery('systemState', 'last 7 days', 1);
      addQuery('systemState', 'last 24 hours', 1);
    }
    for (const range of morning.slice(0, 3)) addQuery('systemState', range, session % 2);
  }
  for (let extra = 0; script.length < 200; extra++) {
    const lastQuery = script.at(-1) ?? script[0];
    if (lastQuery) script.push({ ...lastQuery, at: lastQuery.at + 20_000, window: extra % 2, restart: extra === 0 });
  }
  return script;
}

/**
 * Computes the minimum request of a query, hour by hour and without the project's code: from the first to the last of its hours that
 * were never requested, or were requested before this clock hour and within 48 hours after they ended.
 */
export function computeMinRequest(
  requestTimes: Map<string, number>,
  dataset: string,
  start: number,
  end: number,
  now: number,
): { readonly start: number; readonly end: number } | undefined {
  const due: number[] = [];
  for (let ms = start; ms < end; ms += hour) {
    const requestedAt = requestTimes.get(`${dataset} ${ms}`);
    const isFinal = requestedAt !== undefined && requestedAt - (ms + hour) >= 48 * hour;
    const isFromThisHour =
      requestedAt !== undefined &&
      new Date(requestedAt).toISOString().slice(0, 13) === new Date(now).toISOString().slice(0, 13);
    if (!isFinal && !isFromThisHour) due.push(ms);
  }
  const first = due[0];
  const last = due.at(-1);
  if (first === undefined || last === undefined) return undefined;
  for (let ms = first; ms <= last; ms += hour) requestTimes.set(`${dataset} ${ms}`, now);
  return { start: first, end: last + hour };
}
