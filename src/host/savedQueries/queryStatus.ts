import { resolveQuery } from '../../core/query/query.ts';
import { isStillFresh, type SavedQuery } from '../../core/savedQueries/savedItem.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import type { RecentRuns } from '../../service/savedQueries/recentRuns.ts';
import type { QueryStatus } from './savedMessages.ts';
import { archiveSettings, displayZone } from '../settings.ts';
import type { ConnectionChoices } from '../connections/connectionChoices.ts';
import { questionKey } from './runHistoryRecorder.ts';

export interface QueryStatusDeps {
  readonly choices: Pick<ConnectionChoices, 'find'>;
  readonly recent: Pick<RecentRuns, 'lastRunOf'>;
  readonly nowAt: ConnectionEndpoints['nowAt'];
}

/** Returns what finds the connection and the last run of a saved query, and whether its result is still complete. */
export function queryStatusOf({ choices, recent, nowAt }: QueryStatusDeps): (saved: SavedQuery) => QueryStatus {
  return ({ query, connection: name }) => {
    const connection = choices.find(name);
    const now = nowAt(connection ?? { baseUrl: '' });
    const lastRun = connection && recent.lastRunOf(questionKey(query, connection.id));
    return { connection, lastRun, now, isFresh: lastRun !== undefined && isFresh(query, lastRun.at, now) };
  };
}

function isFresh(query: SavedQuery['query'], askedAt: number, now: number): boolean {
  const resolved = resolveQuery(query, now, displayZone().timeZone);
  const { settledAfterMs } = archiveSettings();
  return resolved.ok && isStillFresh(resolved.value, askedAt, { now, settledAfterMs });
}
