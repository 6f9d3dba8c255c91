import { formatInstant } from '../instant.ts';
import { resolveQuery, type Query } from '../query.ts';

/**
 * A query with the hours it stood for at `at` (UTC milliseconds): "last 24 hours" of yesterday are others than those of now.
 * As it was written, where they are the same.
 */
export function asOf(
  query: Query,
  at: number,
  { now, timeZone }: { readonly now: number; readonly timeZone: string },
): Query {
  const [then, today] = [at, now].map(moment => resolveQuery(query, moment, timeZone));
  if (!then?.ok || !today?.ok) return query;
  const { start, end } = then.value;
  if (start === today.value.start && end === today.value.end) return query;
  return { ...query, range: `${formatInstant(start)}..${formatInstant(end)}` };
}
