import { resolveQuery, type Query, type ResolvedQuery } from '../../core/query/query.ts';
import { InputError } from '../inputError.ts';
import { displayZone } from '../settings.ts';
import { problemSentence } from '../messages/problems.ts';

/** The query with its instants, its days those of the zone, that of the setting where it is left out. `now`: UTC milliseconds. Throws InputError. */
export function resolvedNow(query: Query, now: number, timeZone = displayZone().timeZone): ResolvedQuery {
  const resolved = resolveQuery(query, now, timeZone);
  if (!resolved.ok) throw new InputError(problemSentence(resolved));
  return resolved.value;
}
