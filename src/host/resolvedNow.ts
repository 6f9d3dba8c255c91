import { resolveQuery, type Query, type ResolvedQuery } from '../core/query.ts';
import { InputError } from './inputError.ts';
import { displayZone } from './settings.ts';
import { problemSentence } from './words/problems.ts';

/** The query with its instants, its days those of the zone shown. `now`: UTC milliseconds. Throws InputError. */
export function resolvedNow(query: Query, now: number): ResolvedQuery {
  const resolved = resolveQuery(query, now, displayZone().timeZone);
  if (!resolved.ok) throw new InputError(problemSentence(resolved));
  return resolved.value;
}
