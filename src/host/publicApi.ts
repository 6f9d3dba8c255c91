import type { Connections } from '../service/connections.ts';
import type { QueryService } from '../service/queryService.ts';
import { rowsOf, type Row } from '../core/rows.ts';
import { resolveQuery } from '../core/query.ts';
import type { Coverage, Provenance, Result } from '../shared/result.ts';
import type { ColumnKind } from '../shared/frame.ts';
import { connectionFor } from './commands/queryCommands.ts';
import { readQueryArgument, type QueryArgument } from './commands/queryArgument.ts';
import { InputError } from './inputError.ts';
import { displayZone } from './settings.ts';
import { problemSentence } from './words/problems.ts';

/** What other extensions get from `vscode.extensions.getExtension('grid-data.grid-data-inspector').activate()`. */
export interface GridDataApi {
  readonly version: 1;
  /**
   * Asks without opening a panel, within the same budget. Rejects with an error that carries a `reason`.
   * `refresh`: `never` sends no request and answers with what is kept; `ifStale` (the default) and `always` may send one.
   */
  query(query: QueryArgument, options?: GridDataQueryOptions): Promise<GridDataAnswer>;
}

export interface GridDataQueryOptions {
  readonly signal?: AbortSignal;
  readonly refresh?: 'ifStale' | 'always' | 'never';
}

export interface GridDataAnswer {
  readonly columns: readonly { readonly name: string; readonly kind: ColumnKind; readonly unit?: string }[];
  /** Plain objects keyed by the service's own field names: numbers as numbers, null as null, `ts` as received. */
  rows(): IterableIterator<Row>;
  readonly coverage: Coverage | undefined;
  readonly provenance: Provenance;
}

export interface PublicApiDeps {
  readonly connections: Connections;
  readonly service: Pick<QueryService, 'run'>;
  readonly nowAt: QueryService['nowAt'];
}

/** The extension's exported API. */
export function createPublicApi(deps: PublicApiDeps): GridDataApi {
  return {
    version: 1,
    async query(argument, options = {}) {
      const { query, connection: name } = readQueryArgument(argument);
      if (!query) throw new InputError('A query needs a dataset and a range, or start and end.');
      const connection = connectionFor(deps.connections, name);
      const resolved = resolveQuery(query, deps.nowAt(connection), displayZone().timeZone);
      if (!resolved.ok) throw new InputError(problemSentence(resolved));
      const { signal, refresh } = options;
      return answerOf(await deps.service.run(resolved.value, connection, { signal, refresh }));
    },
  };
}

function answerOf(result: Result): GridDataAnswer {
  const { frame, coverage, provenance } = result;
  const columns = frame?.columns ?? [];
  return {
    columns: columns.map(({ name, kind, field }) => ({
      name,
      kind,
      ...(field?.unit !== undefined && { unit: field.unit }),
    })),
    rows: () => (frame ? rowsOf(frame) : [].values()),
    coverage,
    provenance,
  };
}
