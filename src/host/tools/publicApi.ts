import { t } from '@vscode/l10n';
import * as v from 'valibot';
import type {
  GridDataAnswer,
  GridDataApi,
  GridDataBudget,
  GridDataColumn,
  GridDataColumnInfo,
  GridDataCoverage,
  GridDataProvenance,
  GridDataQuery,
  GridDataRevisions,
} from '../../../api/grid-data-inspector.d.ts';
import { datasetById, queriedDatasets, type QueriedDataset } from '../../core/query/catalogue.ts';
import type { Connection } from '../../core/connections/connection.ts';
import type { Query, ResolvedQuery } from '../../core/query/query.ts';
import { fileLimits } from '../../core/savedQueries/file/fileProblem.ts';
import { rowsOf } from '../../core/frame/rows.ts';
import { dataKind, dataText } from '../../core/query/serviceMeta.ts';
import type { Connections } from '../../service/connections/connections.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import { withHistory } from '../../service/query/history.ts';
import type { QueryEngine } from '../../service/query/queryEngine.ts';
import type { RequestPricing } from '../../service/query/requestPricing.ts';
import { textAt, type Column, type Dictionary } from '../../shared/frame.ts';
import type { Coverage, Provenance, Result, Revisions } from '../../shared/result.ts';
import { connectionFor, readArgument, readWholeQuery, resolvedNow } from '../query/queryArgument.ts';
import { InputError } from '../inputError.ts';
import type { QuerySessions } from '../panel/querySessions.ts';
import { problemSentence } from '../messages/problems.ts';
import type { Unit } from '../../shared/units.ts';
import type { Analysis } from '../../shared/analysis.ts';
import { analysisSchema } from '../../core/analysis/analysisSchema.ts';
import { analyseResult } from '../query/analyseResult.ts';
import { askPeriods, comparedPeriods, periodsTogether } from './comparedPeriod.ts';

export interface PublicApiDeps {
  readonly connections: Connections;
  readonly engine: Pick<QueryEngine, 'run'>;
  readonly pricing: Pick<RequestPricing, 'priceOf' | 'budgetOf'>;
  readonly nowAt: ConnectionEndpoints['nowAt'];
  readonly sessions: Pick<QuerySessions, 'run'>;
}

const name = v.pipe(v.string(), v.maxLength(fileLimits.text));
const budgetArguments = v.tuple([name, v.optional(name)]);
const optionsSchema = v.optional(
  v.object({
    // Reading `aborted` throws for an object that only has the prototype.
    signal: v.optional(
      v.custom<AbortSignal>(signal => signal instanceof AbortSignal && typeof signal.aborted === 'boolean'),
    ),
    refresh: v.optional(v.picklist(['ifStale', 'always', 'never'])),
    analysis: v.optional(analysisSchema),
  }),
);

const priceOptions = v.optional(v.object({ analysis: v.optional(analysisSchema) }));

interface Asked {
  readonly query: Query;
  readonly connection: Connection;
  readonly resolved: ResolvedQuery;
}

/** The extension's exported API, as declared in api/grid-data-inspector.d.ts. */
export function createPublicApi({ connections, engine, pricing, nowAt, sessions }: PublicApiDeps): GridDataApi {
  const read = (argument: GridDataQuery): Asked => {
    const { query, connection: name } = readWholeQuery(argument);
    const connection = connectionFor(connections, name);
    return { query, connection, resolved: resolvedNow(query, nowAt(connection)) };
  };
  return {
    version: 1,
    datasets: () => queriedDatasets.map(described),
    connections() {
      const active = connections.active()?.id;
      return connections.list().map(({ id, name, state }) => ({ name, isActive: id === active, state }));
    },
    async price(argument, options) {
      const { analysis } = readArgument(priceOptions, options) ?? {};
      const { connection, resolved } = read(argument);
      const others = comparedPeriods(analysis?.compare, resolved, nowAt(connection));
      return pricing.priceOf([resolved, ...others].map(query => ({ query, connection })));
    },
    async budget(...asked) {
      const [id, name] = readArgument(budgetArguments, asked);
      const dataset = datasetById(id);
      if (!dataset) throw new InputError(problemSentence({ problem: 'unknownDataset', part: id }));
      if ('members' in dataset)
        throw new InputError(t("'{0}' has no budget of its own, but those of the datasets that it joins.", id));
      return budgetOf(await pricing.budgetOf(connectionFor(connections, name), dataset));
    },
    async query(argument, options) {
      const { signal, refresh, analysis } = readArgument(optionsSchema, options) ?? {};
      const { query, connection, resolved } = read(argument);
      const others = comparedPeriods(analysis?.compare, resolved, nowAt(connection));
      const together = periodsTogether(resolved, others);
      const ask = (one: ResolvedQuery) => engine.run(one, connection, { signal, refresh, together }).result;
      const received = await askPeriods(resolved, others, analysis?.compare, ask);
      const asked = { query: resolved, connection, signal };
      const result = await withHistory(received, analysis?.find?.rule.kind, asked, { engine, nowAt });
      return answerOf(analysis ? analysed(result, analysis, query) : result);
    },
    async open(argument, options) {
      const { refresh = 'never' } = readArgument(optionsSchema, options) ?? {};
      const { query, connection } = read(argument);
      await sessions.run(query, connection, { refresh });
    },
  };
}

/** Applies an analysis. Throws InputError with the first problem. */
function analysed(result: Result, analysis: Analysis, query: Query): Result {
  const made = analyseResult(result, analysis, query);
  const [problem] = made.problems;
  if (problem !== undefined) throw new InputError(problem);
  return made.result;
}

function described(dataset: QueriedDataset): ReturnType<GridDataApi['datasets']>[number] {
  const { id, title, intervals, fields, params } = dataset;
  return {
    id,
    title,
    intervals: [...intervals],
    params: params.map(param => ({ ...param })),
    fields: [...fields].map(([name, { label, meaning, unit }]) => ({ name, label, meaning, ...textOf(unit) })),
  };
}

function budgetOf(budget: GridDataBudget | undefined): GridDataBudget | undefined {
  if (!budget) return undefined;
  const { left, allowed, nextFreeInMs } = budget;
  return { left, allowed, nextFreeInMs };
}

function answerOf(result: Result): GridDataAnswer {
  const { frame, coverage, revisions, provenance } = result;
  const columns = frame?.columns ?? [];
  return {
    columns: columns.map(infoOf),
    rowCount: frame?.rowCount ?? 0,
    column(name) {
      const found = columns.find(column => column.name === name);
      return found && columnOf(found);
    },
    rows: () => (frame ? rowsOf(frame) : [].values()),
    coverage: coverage && coverageOf(coverage),
    ...(revisions && { revisions: revisionsOf(revisions) }),
    provenance: provenanceOf(provenance),
  };
}

/** Copies only the documented members, because consumers come to rely on whatever they receive. */
function coverageOf(coverage: Coverage): GridDataCoverage {
  const { expected, present, missing, notPublished, failed, notAsked, late } = coverage;
  const missingStretches = structuredClone(coverage.missingStretches);
  return { expected, present, missing, missingStretches, notPublished, failed, notAsked, late };
}

function revisionsOf({ revised, withdrawn, since }: Revisions): GridDataRevisions {
  return { revised, withdrawn, since };
}

function provenanceOf({ failure, ...provenance }: Provenance): GridDataProvenance {
  const data = dataText(provenance);
  const { connection, dataset, range, start, end, interval, days } = provenance;
  const { fetchedAt, requestsSpent, stepsKept, nextPublication } = provenance;
  return {
    connection,
    dataset,
    range,
    start,
    end,
    interval,
    fetchedAt,
    requestsSpent,
    stepsKept,
    nextPublication,
    ...(days && { days: days.timeZone }),
    ...(data !== undefined && (dataKind(provenance) === 'replay' ? { replayed: data } : { isSample: true as const })),
    ...(failure && { failure: { reason: failure.reason, stretches: structuredClone(failure.stretches) } }),
  };
}

function infoOf({ name, kind, field }: Column): GridDataColumnInfo {
  return { name, kind, ...textOf(field?.unit) };
}

function textOf(unit: Unit | undefined): { readonly unit?: string } {
  return unit?.text ? { unit: unit.text } : {};
}

/** Copies a column, so that consumers cannot modify the original. */
function columnOf(column: Column): GridDataColumn {
  const info = { ...infoOf(column), ...(column.gaps && { gaps: column.gaps.slice() }) };
  switch (column.kind) {
    case 'time':
    case 'number':
      return { ...info, kind: column.kind, values: column.values.slice() };
    case 'boolean':
      return { ...info, kind: column.kind, values: column.values.slice() };
    case 'text':
    case 'nested':
      return { ...info, kind: column.kind, values: textsOf(column.texts) };
  }
}

function textsOf(texts: Dictionary): string[] {
  return Array.from(texts.codes, (_, row) => textAt(texts, row));
}
