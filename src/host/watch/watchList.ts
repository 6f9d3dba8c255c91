import type { Connection } from '../../core/connection.ts';
import type { WatchedQuery } from '../../core/watch/watchedQuery.ts';
import type { Connections } from '../../service/connections.ts';
import { sourceOf } from '../../service/endpoint.ts';
import type { ConnectionChoices } from '../saved/connectionChoices.ts';
import { pinnedId, pinnedQuery, type PinnedStress } from './pinnedStress.ts';
import type { SavedQueriesPort } from './savedQueriesPort.ts';
import type { WatchConsent } from './watchConsent.ts';

export interface WatchListDeps {
  readonly queries: Pick<SavedQueriesPort, 'all'>;
  readonly consent: Pick<WatchConsent, 'allowed'>;
  readonly pin: Pick<PinnedStress, 'connectionId'>;
  readonly choices: Pick<ConnectionChoices, 'find'>;
  readonly connections: Pick<Connections, 'byId'>;
}

/** All there is to watch as things are: saved queries that have a connection, and the pinned stress. */
export function watchList({ queries, consent, pin, choices, connections }: WatchListDeps): WatchedQuery[] {
  const saved = queries.all().flatMap((item): WatchedQuery[] => {
    const { query, connection: name, keepFresh, alerts } = consent.allowed(item);
    const connection = choices.find(name);
    return connection ? [{ id: item.id, ...placeOf(connection), query, keepFresh, alerts }] : [];
  });
  const pinned = pin.connectionId === undefined ? undefined : connections.byId(pin.connectionId);
  return pinned ? [...saved, { id: pinnedId, ...placeOf(pinned), query: pinnedQuery, keepFresh: true }] : saved;
}

function placeOf({ id, baseUrl }: Connection): Pick<WatchedQuery, 'connectionId' | 'source'> {
  return { connectionId: id, source: sourceOf(baseUrl) };
}
