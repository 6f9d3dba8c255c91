import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { viewOfParts } from '../../shared/savedView.ts';
import type { Connection } from '../../core/connections/connection.ts';
import { GridError } from '../../core/errors.ts';
import type { Query, ResolvedQuery } from '../../core/query/query.ts';
import { arrangeBoard } from '../../core/savedQueries/board.ts';
import type { SavedFolder, SavedQuery } from '../../core/savedQueries/savedItem.ts';
import type { Connections } from '../../service/connections/connections.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import type { QueryEngine } from '../../service/query/queryEngine.ts';
import type { RequestPricing } from '../../service/query/requestPricing.ts';
import { groupRuns } from '../../service/query/runGroup.ts';
import type { Result } from '../../shared/result.ts';
import { replaceConnection } from '../connections/pickConnection.ts';
import { UnavailableError } from '../inputError.ts';
import type { QuerySession } from '../panel/querySession.ts';
import type { OpenOptions, QuerySessions } from '../panel/querySessions.ts';
import { confirmRuns } from '../query/confirmRuns.ts';
import { resolvedNow } from '../query/queryArgument.ts';
import type { ConnectionChoices } from '../connections/connectionChoices.ts';
import { entryId, type SavedEntry } from './queryStore.ts';
import { queriesIn } from './queryStores.ts';
import { questionKey } from './runHistoryRecorder.ts';

/** The maximum number of panels that open without a confirmation. */
const mostPanelsUnasked = 8;

const { One, Two, Three, Four, Five, Six, Seven, Eight, Nine } = vscode.ViewColumn;
const viewColumns = [One, Two, Three, Four, Five, Six, Seven, Eight, Nine];

export interface SavedRunnerDeps {
  readonly connections: Connections;
  readonly sessions: Pick<QuerySessions, 'run'>;
  readonly engine: Pick<QueryEngine, 'run'>;
  readonly pricing: Pick<RequestPricing, 'priceOf'>;
  readonly nowAt: ConnectionEndpoints['nowAt'];
  readonly choices: ConnectionChoices;
}

/** A query to run. `saved` is the `entryId` of the saved query whose panel shows it. */
export type RunnableQuery = Pick<SavedQuery, 'query' | 'connection' | 'analysis' | 'display' | 'keepFresh'> &
  Pick<OpenOptions, 'board' | 'column'> & { readonly saved?: string };

/** The outcome of a query that was run without a panel. */
export type SavedAnswer = { readonly connection: Connection } & (
  | { readonly result: Result }
  | { readonly error: unknown }
);

interface Asked extends Pick<OpenOptions, 'view' | 'saved' | 'board' | 'column'> {
  readonly query: Query;
  readonly connection: Connection;
}

/** Runs saved queries, each in its panel. Several queries need a confirmation, which shows their total price. */
export class SavedRunner {
  readonly #deps: SavedRunnerDeps;

  constructor(deps: SavedRunnerDeps) {
    this.#deps = deps;
  }

  /**
   * Runs the queries and resolves to the session of each. Up to `maxUnconfirmed` of them run without a confirmation. `applyLayout` prepares
   * the editor area of a board before the panels open.
   */
  async run(
    queries: readonly RunnableQuery[],
    mostUnasked = mostPanelsUnasked,
    layOut?: () => Thenable<unknown>,
  ): Promise<readonly QuerySession[]> {
    const asked = await this.#prepare(queries);
    // Each panel is run once, since a second run would cancel the first.
    const keys = asked.map(({ query, connection, saved }) => saved ?? questionKey(query, connection.id));
    const different = asked.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
    const { sessions } = this.#deps;
    const runs = different.length > 1 ? this.#resolved(different) : undefined;
    if (runs) await confirmRuns(this.#deps.pricing, runs, mostUnasked, layOut !== undefined);
    const groups = runs && groupRuns(runs);
    await layOut?.();
    const ran = await Promise.all(
      different.map(async ({ query, connection, ...opened }) =>
        sessions.run(query, connection, {
          confirmed: groups && { together: groups.get(connection.id) },
          ...opened,
        }),
      ),
    );
    const byKey = new Map([...new Set(keys)].map((key, at) => [key, ran[at]]));
    return keys.flatMap(key => byKey.get(key) ?? []);
  }

  /** Opens the queries of a folder side by side, in the saved layout and in linked panels. */
  async openBoard(folder: SavedEntry<SavedFolder>, mostUnasked?: number): Promise<void> {
    const { store, item } = folder;
    const queries = queriesIn(item);
    if (queries.length === 0) throw new UnavailableError(t("'{0}' has no queries yet.", item.name));
    const { layout, columns } = arrangeBoard(
      item.board,
      queries.map(({ id }) => id),
    );
    const board = { id: entryId(folder), isLinked: true };
    const panels = queries.map(query => {
      return {
        ...query,
        saved: entryId({ store, item: query }),
        board,
        column: viewColumns[(columns.get(query.id) ?? 1) - 1],
      };
    });
    await this.run(panels, mostUnasked, () => vscode.commands.executeCommand('vscode.setEditorLayout', layout));
  }

  /** Runs the queries without panels, after a confirmation if they have to wait. A failed query does not stop the others. */
  async answers(queries: readonly RunnableQuery[], signal: AbortSignal): Promise<SavedAnswer[]> {
    const asked = await this.#prepare(queries);
    const { engine, pricing } = this.#deps;
    const resolved = this.#resolved(asked);
    await confirmRuns(pricing, resolved);
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
    for (const one of queries) {
      const { query, saved, board, column } = one;
      const connection = await this.connectionFor(one);
      asked.push({ query, connection, view: viewOfParts(one), saved, board, column });
    }
    return asked;
  }

  /**
   * Returns the connection of the query, or the active one. If its name is unknown here, as in a file from another machine, the user picks a
   * connection once; the file is not changed. Throws GridError if there are no connections or the user cancels.
   */
  async connectionFor(query: Pick<RunnableQuery, 'connection' | 'keepFresh' | 'saved'>): Promise<Connection> {
    const { connections, choices } = this.#deps;
    const { connection: name, saved } = query;
    const known = (saved === undefined ? undefined : choices.of({ id: saved, query })) ?? choices.find(name);
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
}
