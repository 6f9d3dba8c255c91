import { setImmediate } from 'node:timers/promises';
import { t } from '@vscode/l10n';
import { getMembers, type QueriedDataset } from '../../core/query/catalogue.ts';
import type { Connection } from '../../core/connections/connection.ts';
import {
  getRequestedInterval,
  getRequestedSpan,
  resolveQuery,
  type Query,
  type ResolvedQuery,
} from '../../core/query/query.ts';
import { summarizeResult, rowChoices } from '../../core/summary/summarizeResult.ts';
import { getConnection, parseQueryArgument } from '../query/queryArgument.ts';
import type { Connections } from '../../service/connections/connections.ts';
import { GridError, throwIfStopped } from '../../core/errors.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import type { AgentAllowance, AgentBudget } from '../../service/limiter/agentAllowance.ts';
import { addHistory } from '../../service/query/history.ts';
import type { QueryEngine } from '../../service/query/queryEngine.ts';
import type { RequestPricing } from '../../service/query/requestPricing.ts';
import type { RunOptions } from '../../service/query/run.ts';
import { InputError } from '../inputError.ts';
import { lastRunKey } from '../savedQueries/runHistoryRecorder.ts';
import { settings } from '../ids.ts';
import { getQueryZone } from '../settings.ts';
import { analyzeResult } from '../query/analyzeResult.ts';
import { describeQueryProblem } from '../messages/problems.ts';
import type { GridTool, PreparedTool, ToolResult } from './gridTool.ts';
import type { ReaderProcesses } from '../../service/reader/readerProcess.ts';
import { runPeriods, resolveComparedPeriods, groupPeriods } from './comparedPeriods.ts';
import { createOpenLink } from './linkQuery.ts';
import type { Price } from '../../core/query/requestPlan.ts';
import { formatQueryTitle } from '../messages/queryTitle.ts';
import { formatCount, formatRequests, formatIntervals } from '../messages/numbers.ts';
import { formatPeriod, formatSpan } from '../messages/times.ts';
import { formatPlan, formatPrice } from '../messages/waiting.ts';
import { formatMinute } from '../../core/summary/describeQuery.ts';
import { rangeExamples, quoteForModel } from '../../core/summary/modelText.ts';
import { analysisSchema } from '../../core/analysis/analysisSchema.ts';
import { chartKinds, type ChartKind } from '../../shared/chartKinds.ts';
import type { Analysis } from '../../shared/analysis.ts';
import type { Result } from '../../shared/result.ts';
import type { SerializedView } from '../../shared/view.ts';
import * as v from 'valibot';
import { parseDayZone, getZoneOfRows } from '../../core/bins/dayInterval.ts';
import { minuteMs } from '../../shared/durations.ts';
import { isKeyText } from '../../core/savedQueries/keyLike.ts';

export interface QueryToolDeps {
  readonly connections: Connections;
  readonly engine: Pick<QueryEngine, 'run'>;
  readonly pricing: Pick<RequestPricing, 'computeTotalPrice' | 'getBudget'>;
  readonly nowAt: ConnectionEndpoints['nowAt'];
  /** Limits the requests of all agents, also without a person who confirms them. */
  readonly allowance: Pick<AgentAllowance, 'getBudget' | 'reserve' | 'settle'>;
  readonly getSource: ConnectionEndpoints['getSource'];
  /** The scheme of links that open in the editor, such as "vscode". */
  readonly uriScheme: string;
  /** Runs the reader process, which renders charts as PNG. */
  readonly readers: Pick<ReaderProcesses, 'run'>;
}

interface ToolRequest extends ToolQuery {
  readonly resolvedConnection: Connection;
  readonly resolved: ResolvedQuery;
  /** The compared periods. */
  readonly comparedQueries: readonly ResolvedQuery[];
}

/** The query, analysis and chart of a picture. */
type ChartInput = Pick<ToolRequest, 'query' | 'resolved' | 'resolvedConnection' | 'fields'> & {
  readonly analysis: Analysis;
  readonly chart: ChartKind;
};

/**
 * Queries one dataset. The confirmation shows the price, and a call never spends more: without a confirmed price it only reads
 * the archive. The allowance of agents also applies if no person confirms. Its requests have a lower priority than requests of the user.
 */
export class QueryTool implements GridTool {
  readonly #dataset: QueriedDataset;
  readonly #deps: QueryToolDeps;
  readonly #confirmedPrices = new ConfirmedPrices();

  constructor(dataset: QueriedDataset, deps: QueryToolDeps) {
    this.#dataset = dataset;
    this.#deps = deps;
  }

  async prepare(input: unknown): Promise<PreparedTool> {
    const { query, resolvedConnection, resolved, comparedQueries, analysis } = this.#parseInput(input);
    const { pricing, engine } = this.#deps;
    const key = createPriceKey(query, resolvedConnection, analysis);
    // A price that was confirmed earlier does not count for this call, whose price is not shown yet.
    this.#confirmedPrices.take(key);
    const periods = [resolved, ...comparedQueries];
    const price = await pricing.computeTotalPrice(
      periods.map(period => ({ query: period, connection: resolvedConnection })),
    );
    const subject = formatSubject(resolved, resolvedConnection);
    if (price.requests === 0) return { invocationMessage: `${subject} ${formatCost({ price, query: resolved })}` };
    await this.#checkAllowance(price, resolvedConnection);
    const intervals = { archived: 0, expected: 0 };
    for (const period of periods) {
      const { coverage, provenance } = await engine.run(period, resolvedConnection, { refresh: 'never' }).result;
      intervals.archived += provenance.archivedIntervals;
      intervals.expected += (coverage?.hours?.counts ?? coverage)?.expected ?? 0;
    }
    // Joined datasets use the budgets of their members.
    const budget = 'members' in this.#dataset ? undefined : await pricing.getBudget(resolvedConnection, this.#dataset);
    const cost = formatCost({ price, intervals, query: resolved, left: budget?.left });
    this.#confirmedPrices.record(key, price.requests);
    return {
      invocationMessage: `${subject} ${cost}`,
      requests: price.requests,
      confirmationMessages: { title: formatTitle(price.requests), message: `${subject}. ${cost}` },
    };
  }

  async invoke(input: unknown, signal: AbortSignal): Promise<ToolResult> {
    const {
      query,
      resolvedConnection,
      resolved,
      comparedQueries,
      fields,
      rows,
      chart,
      analysis = {},
    } = this.#parseInput(input);
    const confirmed = this.#confirmedPrices.take(createPriceKey(query, resolvedConnection, analysis));
    throwIfStopped(signal);
    const group = groupPeriods(resolved, comparedQueries);
    const reservations = await this.#reserve([resolved, ...comparedQueries], resolvedConnection, confirmed);
    const reserved = reservations.reduce((sum, { requests }) => sum + requests, 0);
    let spent = 0;
    let received: Result;
    try {
      received = await runPeriods(resolved, comparedQueries, analysis.compare, async period => {
        const options = { confirmed: reserved - spent, group, signal };
        return this.#runPeriod(period, resolvedConnection, options, requests => (spent += requests));
      });
    } finally {
      await this.#settle(reservations, spent);
    }
    const target = { query: resolved, connection: resolvedConnection, signal };
    const result = await addHistory(received, analysis.find?.rule.kind, target, this.#deps);
    const link = createOpenLink(
      this.#deps.uriScheme,
      query,
      getRequestedSpan(resolved),
      resolvedConnection,
      createLinkedView(analysis),
      comparedQueries[0] && getRequestedSpan(comparedQueries[0]),
    );
    const analyzed = analyzeResult(result, analysis, query);
    if (analyzed.problems.length > 0) throw new InputError(describeAnalysisProblems(analyzed.problems));
    const computed = analysis.summarize ? 'columns' : (analysis.find ?? analysis.score) ? 'rows' : undefined;
    const summaryOptions = {
      fields: fields && [...fields, ...(analysis.derive ?? []).map(({ name }) => name)],
      rows: rows ?? getDefaultRows(analysis),
      link,
      analysisSteps: analyzed.descriptions,
      dayZone: analyzed.dayZone,
      computed,
      pause: setImmediate,
    } as const;
    const text = await summarizeResult(analyzed.result, summaryOptions);
    if (chart === undefined) return { text };
    try {
      return {
        text,
        picture: await this.#drawPicture(
          result,
          { query, resolved, resolvedConnection, fields, analysis, chart },
          signal,
        ),
      };
    } catch (error) {
      throwIfStopped(signal);
      const reason = error instanceof InputError ? error.message : 'The chart could not be drawn.';
      // The rows were fetched and may have cost requests, so they are returned without a chart.
      return { text: `${text}\n\n${reason}` };
    }
  }

  /** Renders the rows as the panel draws them. The columns and figures of the analysis only concern the text. */
  async #drawPicture(
    result: Result,
    { query, resolved, resolvedConnection, fields, analysis, chart }: ChartInput,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const { columns: _columns, figures: _figures, ...chartAnalysis } = analysis;
    const isResampled = analysis.resample !== undefined;
    const zone = getZoneOfRows(getRequestedInterval(resolved), getQueryZone(query));
    const title = formatQueryTitle(resolved);
    const { drawChart } = await import('./drawChart.ts');
    const rows = analyzeResult(result, chartAnalysis, query).result;
    const svg = drawChart(rows, { kind: chart, fields, title, connection: resolvedConnection.name, zone, isResampled });
    const reply = await this.#deps.readers.run({ kind: 'picture', svg }, { signal });
    if (reply.kind !== 'picture') throw new Error(`The reader replied with ${reply.kind}.`);
    return reply.png;
  }

  /** Runs the query for a period with at most the confirmed number of requests. Calls `onSpent` with the number of sent requests. */
  async #runPeriod(
    period: ResolvedQuery,
    resolvedConnection: Connection,
    { confirmed, ...options }: { readonly confirmed: number } & Pick<RunOptions, 'group' | 'signal'>,
    onSpent: (requests: number) => void,
  ): Promise<Result> {
    await this.#checkCost(period, resolvedConnection, confirmed);
    let unconfirmedRequests = 0;
    const refresh = confirmed <= 0 ? 'never' : 'ifStale';
    const run = this.#deps.engine.run(period, resolvedConnection, {
      ...options,
      refresh,
      priority: 'background',
      confirmations: 'all',
    });
    for await (const event of run) {
      if (event.type === 'moreRequests') event.reply(false);
      if (event.type !== 'planned') continue;
      const { requests } = event.price;
      if (requests > confirmed) unconfirmedRequests = requests;
      event.reply(unconfirmedRequests === 0);
    }
    try {
      const result = await run.result;
      onSpent(result.provenance.requestsSpent);
      return result;
    } catch (error) {
      // After an unexpected error, it is unknown what was sent.
      onSpent(error instanceof GridError ? (error.facts.requestsSpent ?? 0) : confirmed);
      throw unconfirmedRequests > 0 ? createNotConfirmedError(unconfirmedRequests) : error;
    }
  }

  /** Reserves the requests of all periods in the allowance of agents. Throws InputError if there are more than it allows, or than were confirmed. */
  async #reserve(
    periods: readonly ResolvedQuery[],
    connection: Connection,
    confirmed: number,
  ): Promise<readonly AgentReservation[]> {
    const { pricing, allowance, getSource } = this.#deps;
    const price = await pricing.computeTotalPrice(periods.map(query => ({ query, connection })));
    if (price.requests === 0) return [];
    await this.#checkAllowance(price, connection);
    if (price.requests > confirmed) throw createNotConfirmedError(price.requests);
    const source = await getSource(connection);
    const reservations: AgentReservation[] = [];
    for (const { scope, requests } of this.#splitByScope(price)) {
      const { id, ...budget } = await allowance.reserve(source, scope, requests);
      if (id === undefined) await this.#settle(reservations, 0);
      throwIfRefused(budget, requests);
      if (id !== undefined) reservations.push({ id, requests });
    }
    return reservations;
  }

  /** Throws InputError if the allowance of agents does not permit these requests. */
  async #checkAllowance(price: Price, connection: Connection): Promise<void> {
    const source = await this.#deps.getSource(connection);
    for (const { scope, requests } of this.#splitByScope(price))
      throwIfRefused(await this.#deps.allowance.getBudget(source, scope, requests), requests);
  }

  /** Counts what was sent instead of what was reserved. With several scopes, `spent` is their sum, so each may count more than it sent. */
  async #settle(reservations: readonly AgentReservation[], spent: number): Promise<void> {
    for (const { id, requests } of reservations) {
      const sent = reservations.length > 1 ? Math.min(requests, spent) : spent;
      // If the file cannot be written, the reserved requests count.
      if (sent !== requests) await this.#deps.allowance.settle(id, sent).catch(() => undefined);
    }
  }

  /** Splits a price by the rate limit scopes of the datasets. */
  #splitByScope({ requests: total, byDataset }: Price): { readonly scope: string; readonly requests: number }[] {
    return getMembers(this.#dataset).flatMap(({ id, scope }) => {
      const requests = byDataset ? (byDataset.find(([dataset]) => dataset === id)?.[1] ?? 0) : total;
      return requests > 0 ? [{ scope, requests }] : [];
    });
  }

  /** Throws InputError if the query needs more requests than were confirmed. */
  async #checkCost(resolved: ResolvedQuery, resolvedConnection: Connection, confirmed: number): Promise<void> {
    const { requests } = await this.#deps.pricing.computeTotalPrice([
      { query: resolved, connection: resolvedConnection },
    ]);
    if (requests > Math.max(0, confirmed)) throw createNotConfirmedError(requests);
  }

  #parseInput(input: unknown): ToolRequest {
    const toolQuery = parseToolQuery(this.#dataset, input);
    const resolvedConnection = getConnection(this.#deps.connections, toolQuery.connection);
    const resolved = this.#resolve(toolQuery.query, resolvedConnection);
    const comparedQueries = resolveComparedPeriods(
      toolQuery.analysis?.compare,
      resolved,
      this.#deps.nowAt(resolvedConnection),
    );
    return { ...toolQuery, resolvedConnection, resolved, comparedQueries };
  }

  #resolve(query: Query, resolvedConnection: Connection): ResolvedQuery {
    const resolved = resolveQuery(query, this.#deps.nowAt(resolvedConnection));
    if (!resolved.ok) throw new InputError(`${describeQueryProblem(resolved)} ${rangeExamples}`);
    return resolved.value;
  }
}

function createPriceKey(query: Query, { id }: Connection, { compare }: Analysis = {}): string {
  return JSON.stringify([lastRunKey(query, id), compare]);
}

/** The maximum number of characters of an analysis in a link. A longer link would not fit into the result of a tool. */
const maxViewLength = 500;

/** Returns the view that a link opens; undefined if it opens the rows as received. */
function createLinkedView({
  within: _within,
  columns: _columns,
  limit: _limit,
  ...analysis
}: Analysis): SerializedView | undefined {
  const isShort = JSON.stringify(analysis).length <= maxViewLength;
  return Object.keys(analysis).length > 0 && isShort ? { analysis } : undefined;
}

function describeAnalysisProblems(problems: readonly string[]): string {
  const texts = problems.slice(0, 5).map(text => quoteForModel(text, 1_000));
  return `The analysis cannot be made: ${texts.join(' ')} Change it and call again; the rows are in the archive by now and cost nothing.`;
}

function createNotConfirmedError(requests: number): InputError {
  return new InputError(
    `This now needs ${requests} requests, which the person has not confirmed. Nothing more was sent. Call again to prompt the person, or request a shorter range.`,
  );
}

interface AgentReservation {
  readonly id: string;
  readonly requests: number;
}

/** Throws InputError if agents may not send the requests now. */
function throwIfRefused({ maxPerHour, allowedAt }: AgentBudget, requests: number): void {
  if (allowedAt === 0) return;
  const limit = `The person allows agents ${maxPerHour} requests an hour (setting ${settings.maxAgentRequestsPerHour}), and this call needs ${requests}`;
  const advice =
    allowedAt === undefined
      ? 'request a shorter range'
      : `the next call is allowed at ${formatMinute(Math.ceil(allowedAt / minuteMs) * minuteMs)}`;
  throw new InputError(`${limit}: ${advice}; hours in the archive cost nothing. Nothing was sent.`);
}

/** Returns the rows to include by default: none of the received rows, and the first of those that the analysis makes or selects. */
function getDefaultRows({ resample, find, score, sort, limit }: Analysis): (typeof rowChoices)[number] {
  return (resample ?? find ?? score ?? sort ?? limit) === undefined ? 'none' : 'first';
}

/** The cost of a call, and what the archive already has. */
interface ToolCost {
  readonly price: Price;
  readonly query: ResolvedQuery;
  readonly intervals?: { readonly archived: number; readonly expected: number };
  /** The number of requests left in the budget; undefined if it is not known. */
  readonly left?: number | undefined;
}

function formatTitle(requests: number): string {
  return requests === 1
    ? t('Allow the agent to send 1 request?')
    : t('Allow the agent to send {0} requests?', formatCount(requests));
}

/** Formats `System state · last 7 days · hourly, 14 Nov 05:00 – 21 Nov 05:00 UTC, Power Signals`; days have dates only. */
function formatSubject(query: ResolvedQuery, { name }: Connection): string {
  const zone = getZoneOfRows(getRequestedInterval(query), getQueryZone(query));
  const formatRange = query.days || query.interval === '1d' ? formatPeriod : formatSpan;
  return [formatQueryTitle(query), formatRange(getRequestedSpan(query), zone), name].join(', ');
}

/** Formats a cost such as “This needs 2 requests of the 8 left. 144 of 168 hours are in the archive.” */
function formatCost({ price, intervals = { archived: 0, expected: 0 }, query, left }: ToolCost): string {
  if (price.requests === 0) return t('No requests: all available data is in the archive.');
  if (price.waitMs > 0) return formatPlan(price, intervals, query);
  const cost =
    left === undefined
      ? t('This needs {0}.', formatPrice(price))
      : t('This needs {0} of the {1} left.', formatRequests(price.requests), formatCount(left));
  if (intervals.archived === 0) return cost;
  return `${cost} ${t('{0} of {1} are in the archive.', formatCount(intervals.archived), formatIntervals(intervals.expected, query.interval))}`;
}

const maxConfirmedPrices = 50;

/** The prices that the confirmations of tools have shown. Each is valid for one call. */
class ConfirmedPrices {
  readonly #requests = new Map<string, number>();

  /** Records the price that a confirmation shows, replacing an older one for the same query. */
  record(key: string, requests: number): void {
    this.#requests.delete(key);
    this.#requests.set(key, requests);
    const [oldest] = this.#requests.keys();
    if (this.#requests.size > maxConfirmedPrices && oldest !== undefined) this.#requests.delete(oldest);
  }

  /** Removes and returns the confirmed number of requests; 0 if no price was shown. */
  take(key: string): number {
    const requests = this.#requests.get(key) ?? 0;
    this.#requests.delete(key);
    return requests;
  }
}

const shortText = v.pipe(v.string(), v.maxLength(200));

const inputSchema = v.object({
  range: shortText,
  interval: v.optional(shortText),
  timeZone: v.optional(shortText),
  connection: v.optional(shortText),
  fields: v.optional(v.pipe(v.array(shortText), v.maxLength(200))),
  analysis: v.optional(analysisSchema),
  rows: v.optional(v.picklist(rowChoices)),
  chart: v.optional(v.picklist(chartKinds)),
});

interface ToolQuery extends Omit<v.InferOutput<typeof inputSchema>, 'range' | 'interval' | 'timeZone'> {
  readonly query: Query;
}

/** Parses the input of a tool that queries a dataset. Throws InputError that tells the model what to change. */
function parseToolQuery(dataset: QueriedDataset, input: unknown): ToolQuery {
  const { range, interval, timeZone, connection, fields, rows, chart, analysis } = parseInput(inputSchema, input);
  const switches = v.object(Object.fromEntries(dataset.params.map(({ name }) => [name, v.optional(v.boolean())])));
  const isSwitchedOn = parseInput(switches, input);
  if ([range, interval ?? '', timeZone ?? '', connection ?? ''].some(isKeyText))
    throw new InputError('An input looks like a key. Tools take no keys; the person enters them in VS Code.');
  // The interval is checked here, because the service would charge a request for rejecting an unknown interval.
  if (interval !== undefined && !dataset.intervals.includes(interval) && !parseDayZone(interval))
    throw new InputError(
      `Unknown interval; ${dataset.id} has ${dataset.intervals.join(' and ')}, and days of a zone made from hours, such as 1d@SAST or 1d@Europe/Berlin. Nothing was sent.`,
    );
  const params = dataset.params.filter(({ name }) => isSwitchedOn[name]).map(({ name, value }) => [name, value]);
  const { query } = parseQueryArgument({
    dataset: dataset.id,
    range,
    ...(interval !== undefined && { interval }),
    ...(timeZone !== undefined && { timeZone }),
    ...(params.length > 0 && { params: Object.fromEntries(params) as Record<string, string> }),
  });
  if (!query) throw new InputError(`A query needs a range. ${rangeExamples}`);
  if (chart !== undefined && (analysis?.find ?? analysis?.score ?? analysis?.summarize))
    throw new InputError(
      "A chart shows rows with times. Leave out 'chart', or 'find', 'score' and 'summarize'. Nothing was sent.",
    );
  return { query, connection, fields, rows, chart, analysis };
}

function parseInput<T extends v.GenericSchema>(schema: T, input: unknown): v.InferOutput<T> {
  const outcome = v.safeParse(schema, input ?? {});
  if (outcome.success) return outcome.output;
  const [issue] = outcome.issues;
  throw new InputError(
    `The input cannot be read (${v.getDotPath(issue) ?? 'input'}: ${issue.message}). ${rangeExamples}`,
  );
}
