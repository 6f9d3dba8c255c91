import { t } from '@vscode/l10n';
import type { Connection } from '../../core/connections/connection.ts';
import { GridError } from '../../core/errors.ts';
import type { Query, ResolvedQuery } from '../../core/query/query.ts';
import type { SavedQuery } from '../../core/savedQueries/savedItem.ts';
import type { Connections } from '../../service/connections/connections.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import type { QueryEngine } from '../../service/query/queryEngine.ts';
import type { RequestPricing } from '../../service/query/requestPricing.ts';
import { groupRuns } from '../../service/query/runGroup.ts';
import type { Result } from '../../shared/result.ts';
import { replaceConnection } from '../connections/pickConnection.ts';
import { showInformationMessage } from '../messages/messages.ts';
import type { QuerySession } from '../panel/querySession.ts';
import type { QuerySessions } from '../panel/querySessions.ts';
import { resolvedNow } from '../query/queryArgument.ts';
import { count, duration, requests } from '../messages/numbers.ts';
import type { ConnectionChoices } from '../connections/connectionChoices.ts';
import { questionKey } from './runHistoryRecorder.ts';

/** Up to so many panels open without a confirmation. */
const mostPanelsUnasked = 8;

export interface SavedRunnerDeps {
  readonly connections: Connections;
  readonly sessions: Pick<QuerySessions, 'run'>;
  readonly engine: Pick<QueryEngine, 'run'>;
  readonly pricing: Pick<RequestPricing, 'priceOf'>;
  readonly nowAt: ConnectionEndpoints['nowAt'];
  readonly choices: ConnectionChoices;
}

/** `saved`: the `entryId` of the saved query whose panel shows it. */
export type RunnableQuery = Pick<SavedQuery, 'query' | 'connection' | 'view'> & { readonly saved?: string };

/** What came of a query that was asked without a panel. */
export type SavedAnswer = { readonly connection: Connection } & (
  { readonly result: Result } | { readonly error: unknown }
);

interface Asked {
  readonly query: Query;
  readonly connection: Connection;
  readonly view: SavedQuery['view'];
  readonly saved: string | undefined;
}

/** Runs saved queries, each in its panel; several only after a confirmation with their total price. */
export class SavedRunner {
  readonly #deps: SavedRunnerDeps;

  constructor(deps: SavedRunnerDeps) {
    this.#deps = deps;
  }

  /** Resolves to the session of each query. */
  async run(queries: readonly RunnableQuery[]): Promise<readonly QuerySession[]> {
    const asked = await this.#prepare(queries);
    // One panel is run once: its second run would cancel the first.
    const keys = asked.map(({ query, connection, saved }) => saved ?? questionKey(query, connection.id));
    const different = asked.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
    const { sessions } = this.#deps;
    if (different.length > 1) await this.#confirm(different, mostPanelsUnasked);
    const groups = different.length > 1 ? groupRuns(this.#resolved(different)) : undefined;
    const ran = await Promise.all(
      different.map(async ({ query, connection, view, saved }) =>
        sessions.run(query, connection, {
          confirmed: groups && { together: groups.get(connection.id) },
          view,
          saved,
        }),
      ),
    );
    const byKey = new Map([...new Set(keys)].map((key, at) => [key, ran[at]]));
    return keys.flatMap(key => byKey.get(key) ?? []);
  }

  /** The results without panels, after a confirmation if they have to wait. A failed query does not stop the others. */
  async answers(queries: readonly RunnableQuery[], signal: AbortSignal): Promise<SavedAnswer[]> {
    const asked = await this.#prepare(queries);
    await this.#confirm(asked, Infinity);
    const { engine } = this.#deps;
    const resolved = this.#resolved(asked);
    const groups = groupRuns(resolved);
    return Promise.all(
      resolved.map(async ({ query, connection }): Promise<SavedAnswer> => {
        const together = groups.get(connection.id);
        try {
          return {
            connection,
            result: await engine.run(query, connection, { signal, together, recorded: true }).result,
          };
        } catch (error) {
          return { connection, error };
        }
      }),
    );
  }

  async #prepare(queries: readonly RunnableQuery[]): Promise<Asked[]> {
    const asked: Asked[] = [];
    for (const { query, connection: name, view, saved } of queries) {
      const connection = await this.connectionFor(name);
      asked.push({ query, connection, view, saved });
    }
    return asked;
  }

  /**
   * The named connection, or the active one. Where nobody here knows the name (a file from elsewhere), the person picks one
   * once; the file stays as it is. Throws GridError where there is none, or none was picked.
   */
  async connectionFor(name: string | undefined): Promise<Connection> {
    const { connections, choices } = this.#deps;
    const known = choices.find(name);
    if (known) return known;
    if (name === undefined || connections.list().length === 0) throw new GridError('noConnection');
    const chosen = await replaceConnection(connections, t("No connection named '{0}'. Select a connection.", name));
    if (!chosen) throw new GridError('cancelled');
    await choices.keep(name, chosen);
    return chosen;
  }

  #resolved(asked: readonly Asked[]): { query: ResolvedQuery; connection: Connection }[] {
    const { nowAt } = this.#deps;
    return asked.map(({ query, connection }) => ({ query: resolvedNow(query, nowAt(connection)), connection }));
  }

  /** Asks where there is a wait, or more queries than go without a question. Throws GridError where the person declines. */
  async #confirm(asked: readonly Asked[], mostUnasked: number): Promise<void> {
    const price = await this.#deps.pricing.priceOf(this.#resolved(asked));
    if (price.waitMs === 0 && asked.length <= mostUnasked) return;
    const rest = price.requests - price.now;
    const detail =
      rest > 0
        ? t(
            'This needs {0}: {1} now, {2} over about {3}.',
            requests(price.requests),
            price.now,
            rest,
            duration(price.waitMs),
          )
        : t('This needs {0}. Each result opens in a tab of its own.', requests(price.requests));
    const run = t('Run');
    const question = t('Run {0} queries?', count(asked.length));
    if ((await showInformationMessage(question, { modal: true, detail }, run)) !== run)
      throw new GridError('cancelled');
  }
}
