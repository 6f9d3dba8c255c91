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
import { findDataset, queriedDatasets, type QueriedDataset } from '../../core/query/catalogue.ts';
import type { Connection } from '../../core/connections/connection.ts';
import type { Query, ResolvedQuery } from '../../core/query/query.ts';
import { fileLimits } from '../../core/savedQueries/file/fileProblem.ts';
import { generateRecords } from '../../core/frame/records.ts';
import { getDataKind, formatDataMark } from '../../core/query/serviceMeta.ts';
import type { Connections } from '../../service/connections/connections.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import { addHistory } from '../../service/query/history.ts';
import type { QueryEngine } from '../../service/query/queryEngine.ts';
import type { RequestPricing } from '../../service/query/requestPricing.ts';
import { getText, type Column, type Dictionary } from '../../shared/frame.ts';
import type { Coverage, Provenance, Result, Revisions } from '../../shared/result.ts';
import { getConnection, parseArgument, parseCompleteQuery, resolveQueryAt } from '../query/queryArgument.ts';
import { InputError } from '../inputError.ts';
import type { QuerySessions } from '../panel/querySessions.ts';
import { describeQueryProblem } from '../messages/problems.ts';
import type { Unit } from '../../shared/units.ts';
import type { Analysis } from '../../shared/analysis.ts';
import { analysisSchema } from '../../core/analysis/analysisSchema.ts';
import { analyzeResult } from '../query/analyzeResult.ts';
import { runPeriods, resolveComparedPeriods, groupPeriods } from './comparedPeriods.ts';

export interface PublicApiDeps {
  readonly connections: Connections;
  readonly engine: Pick<QueryEngine, 'run'>;
  readonly pricing: Pick<RequestPricing, 'computeTotalPrice' | 'getBudget'>;
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

interface RequestedQuery {
  readonly query: Query;
  readonly connection: Connection;
  readonly resolved: ResolvedQuery;
}

/** The extension's exported API, as declared in api/grid-data-inspector.d.ts. */
export function createPublicApi({ connections, engine, pricing, nowAt, sessions }: PublicApiDeps): GridDataApi {
  const parseAndResolve = (argument: GridDataQuery): RequestedQuery => {
    const { query, connection: name } = parseCompleteQuery(argument);
    const connection = getConnection(connections, name);
    return { query, connection, resolved: resolveQueryAt(query, nowAt(connection)) };
  };
  return {
    version: 1,
    datasets: () => queriedDatasets.map(describeDataset),
    connections() {
      const active = connections.active()?.id;
      return connections.list().map(({ id, name, state }) => ({ name, isActive: id === active, state }));
    },
    async price(argument, options) {
      const { analysis } = parseArgument(priceOptions, options) ?? {};
      const { connection, resolved } = parseAndResolve(argument);
      const comparedQueries = resolveComparedPeriods(analysis?.compare, resolved, nowAt(connection));
      return pricing.computeTotalPrice([resolved, ...comparedQueries].map(query => ({ query, connection })));
    },
    async budget(...args) {
      const [id, name] = parseArgument(budgetArguments, args);
      const dataset = findDataset(id);
      if (!dataset) throw new InputError(describeQueryProblem({ problem: 'unknownDataset', part: id }));
      if ('members' in dataset) throw new InputError(t("'{0}' uses the budgets of the datasets that it joins.", id));
      return toBudget(await pricing.getBudget(getConnection(connections, name), dataset));
    },
    async query(argument, options) {
      const { signal, refresh, analysis } = parseArgument(optionsSchema, options) ?? {};
      const { query, connection, resolved } = parseAndResolve(argument);
      const comparedQueries = resolveComparedPeriods(analysis?.compare, resolved, nowAt(connection));
      const group = groupPeriods(resolved, comparedQueries);
      const runQuery = (period: ResolvedQuery) => engine.run(period, connection, { signal, refresh, group }).result;
      const received = await runPeriods(resolved, comparedQueries, analysis?.compare, runQuery);
      const target = { query: resolved, connection, signal };
      const result = await addHistory(received, analysis?.find?.rule.kind, target, { engine, nowAt });
      return toAnswer(analysis ? applyAnalysis(result, analysis, query) : result);
    },
    async open(argument, options) {
      const { refresh = 'never' } = parseArgument(optionsSchema, options) ?? {};
      const { query, connection } = parseAndResolve(argument);
      await sessions.run(query, connection, { refresh });
    },
  };
}

/** Applies an analysis. Throws InputError with the first problem. */
function applyAnalysis(result: Result, analysis: Analysis, query: Query): Result {
  const outcome = analyzeResult(result, analysis, query);
  const [problem] = outcome.problems;
  if (problem !== undefined) throw new InputError(problem);
  return outcome.result;
}

function describeDataset(dataset: QueriedDataset): ReturnType<GridDataApi['datasets']>[number] {
  const { id, title, intervals, fields, params } = dataset;
  return {
    id,
    title,
    intervals: [...intervals],
    params: params.map(param => ({ ...param })),
    fields: [...fields].map(([name, { label, meaning, unit }]) => ({ name, label, meaning, ...toUnit(unit) })),
  };
}

function toBudget(budget: GridDataBudget | undefined): GridDataBudget | undefined {
  if (!budget) return undefined;
  const { left, allowed, nextFreeInMs } = budget;
  return { left, allowed, nextFreeInMs };
}

function toAnswer(result: Result): GridDataAnswer {
  const { frame, coverage, revisions, provenance } = result;
  const columns = frame?.columns ?? [];
  return {
    columns: columns.map(toColumnInfo),
    rowCount: frame?.rowCount ?? 0,
    column(name) {
      const match = columns.find(column => column.name === name);
      return match && toColumn(match);
    },
    rows: () => (frame ? generateRecords(frame) : [].values()),
    coverage: coverage && toCoverage(coverage),
    ...(revisions && { revisions: toRevisions(revisions) }),
    provenance: toProvenance(provenance),
  };
}

/** Copies only the documented members, because callers rely on every member that they receive. */
function toCoverage(coverage: Coverage): GridDataCoverage {
  const { expected, present, missing, notPublished, failed, notRequested, late } = coverage;
  const missingRanges = structuredClone(coverage.missingRanges);
  return { expected, present, missing, missingRanges, notPublished, failed, notRequested, late };
}

function toRevisions({ revised, withdrawn, since }: Revisions): GridDataRevisions {
  return { revised, withdrawn, since };
}

function toProvenance({ failure, ...provenance }: Provenance): GridDataProvenance {
  const data = formatDataMark(provenance);
  const { connection, dataset, range, start, end, interval, days } = provenance;
  const { fetchedAt, requestsSpent, archivedIntervals, nextPublication } = provenance;
  return {
    connection,
    dataset,
    range,
    start,
    end,
    interval,
    fetchedAt,
    requestsSpent,
    archivedIntervals,
    nextPublication,
    ...(days && { days: days.timeZone }),
    ...(data !== undefined &&
      (getDataKind(provenance) === 'replay' ? { replayed: data } : { isSample: true as const })),
    ...(failure && { failure: { reason: failure.reason, ranges: structuredClone(failure.ranges) } }),
  };
}

function toColumnInfo({ name, kind, field }: Column): GridDataColumnInfo {
  return { name, kind, ...toUnit(field?.unit) };
}

function toUnit(unit: Unit | undefined): { readonly unit?: string } {
  return unit?.text ? { unit: unit.text } : {};
}

/** Copies a column, so that callers cannot modify the original. */
function toColumn(column: Column): GridDataColumn {
  const info = { ...toColumnInfo(column), ...(column.gaps && { gaps: column.gaps.slice() }) };
  switch (column.kind) {
    case 'time':
    case 'number':
      return { ...info, kind: column.kind, values: column.values.slice() };
    case 'boolean':
      return { ...info, kind: column.kind, values: column.values.slice() };
    case 'text':
    case 'nested':
      return { ...info, kind: column.kind, values: listTexts(column.texts) };
  }
}

function listTexts(texts: Dictionary): string[] {
  return Array.from(texts.codes, (_, row) => getText(texts, row));
}
