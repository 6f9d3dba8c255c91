import { resolveQuery, type Query } from '../query.ts';

const longMs = 400 * 86_400_000;

/** Whether the query's range will have hours that are not published yet. One that was written with dates of the past never will. */
export function goesOn(query: Query, now: number, timeZone: string): boolean {
  const [today, later] = [resolveQuery(query, now, timeZone), resolveQuery(query, now + longMs, timeZone)];
  // Nothing of it has begun, or it is no range.
  if (!today.ok) return later.ok;
  return today.value.end > now || !later.ok || later.value.end !== today.value.end;
}
