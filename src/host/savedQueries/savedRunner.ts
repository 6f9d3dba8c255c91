import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { createSerializedView, type SerializedView } from '../../shared/view.ts';
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
import { pickReplacement } from '../connections/pickConnection.ts';
import { UnavailableError } from '../inputError.ts';
import type { QuerySession } from '../panel/querySession.ts';
import type { OpenOptions, QuerySessions } from '../panel/querySessions.ts';
import { confirmRuns } from '../query/confirmRuns.ts';
import { resolveQueryAt } from '../query/queryArgument.ts';
import type { ConnectionChoices } from '../connections/connectionChoices.ts';
import { entryId, type SavedEntry } from './queryStore.ts';
import { listQueries } from './queryStores.ts';
import { lastRunKey } from './runHistoryRecorder.ts';

/** The maximum number of panels that open without a confirmation. */
const maxUnconfirmedPanels = 8;

const { One, Two, Three, Four, Five, Six, Seven, Eight, Nine } = vscode.ViewColumn;
const viewColumns = [One, Two, Three, Four, Five, Six, Seven, Eight, Nine];

export interface SavedRunnerDeps {
  readonly connections: Connections;
  readonly sessions: Pick<QuerySessions, 'run'>;
  readonly engine: Pick<QueryEngine, 'run'>;
  readonly pricing: Pick<RequestPricing, 'computeTotalPrice'>;
  readonly nowAt: ConnectionEndpoints['nowAt'];
  readonly choices: ConnectionChoices;
}

/** A query to run. `saved` is the `entryId` of the saved query whose panel shows it. */
export interface RunnableQuery extends SerializedView, Pick<OpenOptions, 'board' | 'column'> {
  readonly query: Query;
  readonly connection?: SavedQuery['connection'];
  readonly keepFresh?: SavedQuery['keepFresh'];
  readonly saved?: string;
}

/** The outcome of a query that was run without a panel. */
export type QueryOutcome = { readonly connection: Connection } & (
  | { readonly result: Result }
  | { readonly error: unknown }
);

interface PreparedRun extends Pick<OpenOptions, 'view' | 'savedId' | 'board' | 'column'> {
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
    maxUnconfirmed = maxUnconfirmedPanels,
    applyLayout?: () => Thenable<unknown>,
  ): Promise<readonly QuerySession[]> {
    const prepared = await this.#prepare(queries);
    // Each panel is run once, since a second run would cancel the first.
    const keys = prepared.map(({ query, connection, savedId }) => savedId ?? lastRunKey(query, connection.id));
    const distinct = prepared.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
    const { sessions } = this.#deps;
    const runs = distinct.length > 1 ? this.#resolve(distinct) : undefined;
    if (runs) await confirmRuns(this.#deps.pricing, runs, maxUnconfirmed, applyLayout !== undefined);
    const groups = runs && groupRuns(runs);
    await applyLayout?.();
    const openedSessions = await Promise.all(
      distinct.map(async ({ query, connection, ...openOptions }) =>
        sessions.run(query, connection, {
          confirmed: groups && { together: groups.get(connection.id) },
          ...openOptions,
        }),
      ),
    );
    const sessionsByKey = new Map([...new Set(keys)].map((key, index) => [key, openedSessions[index]]));
    return keys.flatMap(key => sessionsByKey.get(key) ?? []);
  }

  /** Opens the queries of a folder side by side, in the saved layout and in linked panels. */
  async openBoard(folder: SavedEntry<SavedFolder>, maxUnconfirmed?: number): Promise<void> {
    const { store, item } = folder;
    const queries = listQueries(item);
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
    await this.run(panels, maxUnconfirmed, () => vscode.commands.executeCommand('vscode.setEditorLayout', layout));
  }

  /** Runs the queries without panels, after a confirmation if they have to wait. A failed query does not stop the others. */
  async fetchResults(queries: readonly RunnableQuery[], signal: AbortSignal): Promise<QueryOutcome[]> {
    const prepared = await this.#prepare(queries);
    const { engine, pricing } = this.#deps;
    const resolved = this.#resolve(prepared);
    await confirmRuns(pricing, resolved);
    const groups = groupRuns(resolved);
    return Promise.all(
      resolved.map(async ({ query, connection }): Promise<QueryOutcome> => {
        const group = groups.get(connection.id);
        try {
          return {
            connection,
            result: await engine.run(query, connection, { signal, group, isRecorded: true }).result,
          };
        } catch (error) {
          return { connection, error };
        }
      }),
    );
  }

  async #prepare(queries: readonly RunnableQuery[]): Promise<PreparedRun[]> {
    const prepared: PreparedRun[] = [];
    for (const runnable of queries) {
      const { query, saved: savedId, board, column } = runnable;
      const connection = await this.connectionFor(runnable);
      prepared.push({ query, connection, view: createSerializedView(runnable), savedId, board, column });
    }
    return prepared;
  }

  /**
   * Returns the connection of the query, or the active one. If its name is unknown here, as in a file from another machine, the user picks a
   * connection once; the file is not changed. Throws GridError if there are no connections or the user cancels.
   */
  async connectionFor(query: Pick<RunnableQuery, 'connection' | 'keepFresh' | 'saved'>): Promise<Connection> {
    const { connections, choices } = this.#deps;
    const { connection: name, saved } = query;
    const knownConnection =
      (saved === undefined ? undefined : choices.getConnection({ id: saved, query })) ?? choices.find(name);
    if (knownConnection) return knownConnection;
    if (name === undefined || connections.list().length === 0) throw new GridError('noConnection');
    const selected = await pickReplacement(connections, t("No connection named '{0}'. Select a connection.", name));
    if (!selected) throw new GridError('cancelled');
    await choices.rememberChoice(name, selected);
    return selected;
  }

  #resolve(prepared: readonly PreparedRun[]): { query: ResolvedQuery; connection: Connection }[] {
    const { nowAt } = this.#deps;
    return prepared.map(({ query, connection }) => ({ query: resolveQueryAt(query, nowAt(connection)), connection }));
  }
}
