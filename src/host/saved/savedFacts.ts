import { resolveQuery } from '../../core/query.ts';
import { isStillFresh } from '../../core/saved/freshness.ts';
import type { SavedQuery } from '../../core/saved/savedItem.ts';
import type { Connections } from '../../service/connections.ts';
import type { QueryService } from '../../service/queryService.ts';
import type { RecentRuns } from '../../service/saved/recentRuns.ts';
import type { SavedFacts } from '../words/saved.ts';
import { archiveSettings, displayZone } from '../settings.ts';
import { questionKey } from './questionKey.ts';

export interface SavedFactsDeps {
  readonly connections: Pick<Connections, 'active' | 'byName'>;
  readonly recent: Pick<RecentRuns, 'lastRunOf'>;
  readonly nowAt: QueryService['nowAt'];
}

/** Knows how a saved query stands: where it goes, how it went last, and whether that is still all there is. */
export class SavedFactsReader {
  readonly #deps: SavedFactsDeps;

  constructor(deps: SavedFactsDeps) {
    this.#deps = deps;
  }

  of({ query, connection: name }: SavedQuery): SavedFacts {
    const { connections, recent, nowAt } = this.#deps;
    const connection = name === undefined ? connections.active() : connections.byName(name);
    const now = nowAt(connection ?? { baseUrl: '' });
    const lastRun = connection && recent.lastRunOf(questionKey(query, connection.id));
    return { connection: connection?.name, lastRun, now, isFresh: this.#isFresh(query, lastRun?.at, now) };
  }

  #isFresh(query: SavedQuery['query'], askedAt: number | undefined, now: number): boolean {
    const resolved = resolveQuery(query, now, displayZone().timeZone);
    const { settledAfterMs } = archiveSettings();
    return askedAt !== undefined && resolved.ok && isStillFresh(resolved.value, askedAt, { now, settledAfterMs });
  }
}
