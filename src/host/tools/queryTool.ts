import { setImmediate } from 'node:timers/promises';
import { t } from '@vscode/l10n';
import type { QueriedDataset } from '../../core/query/catalogue.ts';
import type { Connection } from '../../core/connections/connection.ts';
import {
  requestedInterval,
  requestedSpan,
  resolveQuery,
  type Query,
  type ResolvedQuery,
} from '../../core/query/query.ts';
import { summariseResult, rowChoices } from '../../core/summary/summarise.ts';
import { connectionFor, readQueryArgument } from '../query/queryArgument.ts';
import type { Connections } from '../../service/connections/connections.ts';
import { throwIfStopped } from '../../core/errors.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import { withHistory } from '../../service/query/history.ts';
import type { QueryEngine } from '../../service/query/queryEngine.ts';
import type { RequestPricing } from '../../service/query/requestPricing.ts';
import type { RunOptions } from '../../service/query/run.ts';
import { InputError } from '../inputError.ts';
import { questionKey } from '../savedQueries/runHistoryRecorder.ts';
import { zoneOf } from '../settings.ts';
import { analyseResult } from '../query/analyseResult.ts';
import { problemSentence } from '../messages/problems.ts';
import type { GridTool, PreparedTool, ToolAnswer } from './gridTool.ts';
import type { ReaderProcesses } from '../../service/reader/readerProcess.ts';
import { askPeriods, comparedPeriods, periodsTogether } from './comparedPeriod.ts';
import { openLink } from './openLink.ts';
import type { Price } from '../../core/query/plan.ts';
import { questionTitle } from '../query/budgetMessages.ts';
import { count, requests, steps } from '../messages/numbers.ts';
import { periodText, spanText } from '../messages/times.ts';
import { planText, priceText } from '../messages/waiting.ts';
import { rangeForms, serviceText } from '../../core/summary/modelText.ts';
import { analysisSchema } from '../../core/analysis/analysisSchema.ts';
import { chartKinds, type ChartKind } from '../../shared/chartKinds.ts';
import type { Analysis } from '../../shared/analysis.ts';
import type { Result } from '../../shared/result.ts';
import type { SavedView } from '../../shared/savedView.ts';
import * as v from 'valibot';
import { zoneOfDays, zoneOfRows } from '../../core/bins/dayInterval.ts';
import { isKeyText } from '../../core/savedQueries/keyLike.ts';

export interface QueryToolDeps {
  readonly connections: Connections;
  readonly engine: Pick<QueryEngine, 'run'>;
  readonly pricing: Pick<RequestPricing, 'priceOf' | 'budgetOf'>;
  readonly nowAt: ConnectionEndpoints['nowAt'];
  /** Render the charts as PNG. */
  readonly readers: Pick<ReaderProcesses, 'run'>;
}

interface Asked extends ToolQuery {
  readonly at: Connection;
  readonly resolved: ResolvedQuery;
  /** The compared periods. */
  readonly others: readonly ResolvedQuery[];
}

/** The query, analysis and chart of a picture. */
type DrawnQuestion = Pick<Asked, 'query' | 'resolved' | 'at' | 'fields'> & {
  readonly analysis: Analysis;
  readonly chart: ChartKind;
};

/**
 * Queries one dataset. The confirmation shows the price, and a call never spends more: without a confirmed price it only reads
 * the archive. Its requests have a lower priority than those of the person.
 */
export class QueryTool implements GridTool {
  readonly #dataset: QueriedDataset;
  readonly #deps: QueryToolDeps;
  readonly #agreements = new Agreements();

  constructor(dataset: QueriedDataset, deps: QueryToolDeps) {
    this.#dataset = dataset;
    this.#deps = deps;
  }

  async prepare(input: unknown): Promise<PreparedTool> {
    const { query, at, resolved, others, analysis } = this.#read(input);
    const { pricing, engine } = this.#deps;
    const question = agreementKey(query, at, analysis);
    // A price that was confirmed earlier does not count for this call, whose price is not shown yet.
    this.#agreements.take(question);
    const periods = [resolved, ...others];
    const price = await pricing.priceOf(periods.map(one => ({ query: one, connection: at })));
    const title = toolTitle(resolved, at);
    if (price.requests === 0) return { invocationMessage: `${title} ${costText({ price, query: resolved })}` };
    const archived = { kept: 0, expected: 0 };
    for (const period of periods) {
      const { coverage, provenance } = await engine.run(period, at, { refresh: 'never' }).result;
      archived.kept += provenance.stepsKept;
      archived.expected += (coverage?.hours?.counts ?? coverage)?.expected ?? 0;
    }
    // Joined datasets use the budgets of their members.
    const budget = 'members' in this.#dataset ? undefined : await pricing.budgetOf(at, this.#dataset);
    const cost = costText({ price, archived, query: resolved, left: budget?.left });
    this.#agreements.priced(question, price.requests);
    return { invocationMessage: `${title} ${cost}`, confirmationMessages: { title, message: cost } };
  }

  async answer(input: unknown, signal: AbortSignal): Promise<ToolAnswer> {
    const { query, at, resolved, others, fields, rows, chart, analysis = {} } = this.#read(input);
    let left = this.#agreements.take(agreementKey(query, at, analysis));
    throwIfStopped(signal);
    const together = periodsTogether(resolved, others);
    const received = await askPeriods(resolved, others, analysis.compare, async period => {
      const answered = await this.#ask(period, at, { agreed: left, together, signal });
      left -= answered.provenance.requestsSpent;
      return answered;
    });
    const asked = { query: resolved, connection: at, signal };
    const result = await withHistory(received, analysis.find?.rule.kind, asked, this.#deps);
    const link = openLink(
      query,
      requestedSpan(resolved),
      at,
      linkedView(analysis),
      others[0] && requestedSpan(others[0]),
    );
    const made = analyseResult(result, analysis, query);
    if (made.problems.length > 0) throw new InputError(notAnalysed(made.problems));
    const computed = analysis.summarise ? 'columns' : (analysis.find ?? analysis.score) ? 'rows' : undefined;
    const told = { fields, rows, link, made: made.texts, computed, pause: setImmediate } as const;
    const text = await summariseResult(made.result, told);
    if (chart === undefined) return { text };
    try {
      return { text, picture: await this.#picture(result, { query, resolved, at, fields, analysis, chart }, signal) };
    } catch (error) {
      throwIfStopped(signal);
      const why = error instanceof InputError ? error.message : 'The chart could not be drawn.';
      // The rows were fetched and may have cost requests, so they are returned without a chart.
      return { text: `${text}\n\n${why}` };
    }
  }

  /** Renders the rows as the panel draws them. The columns and figures of the analysis only concern the text. */
  async #picture(
    result: Result,
    { query, resolved, at, fields, analysis, chart }: DrawnQuestion,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const { columns: _columns, figures: _figures, ...drawn } = analysis;
    const isResampled = analysis.resample !== undefined;
    const zone = zoneOfRows(requestedInterval(resolved), zoneOf(query));
    const title = questionTitle(resolved);
    const { answerChart } = await import('./answerChart.ts');
    const rows = analyseResult(result, drawn, query).result;
    const svg = answerChart(rows, { kind: chart, fields, title, connection: at.name, zone, isResampled });
    const reply = await this.#deps.readers.run({ kind: 'picture', svg }, { signal });
    if (reply.kind !== 'picture') throw new Error(`The reader replied with ${reply.kind}.`);
    return reply.png;
  }

  /** Runs the query for a period with at most the confirmed number of requests. */
  async #ask(
    period: ResolvedQuery,
    at: Connection,
    { agreed, ...options }: { readonly agreed: number } & Pick<RunOptions, 'together' | 'signal'>,
  ): Promise<Result> {
    await this.#refuseCost(period, at, agreed);
    let grown = 0;
    const refresh = agreed <= 0 ? 'never' : 'ifStale';
    const run = this.#deps.engine.run(period, at, { ...options, refresh, priority: 'background', confirms: 'all' });
    for await (const event of run) {
      if (event.type === 'moreRequests') event.answer(false);
      if (event.type !== 'planned') continue;
      const { requests } = event.price;
      if (requests > agreed) grown = requests;
      event.answer(grown === 0);
    }
    return run.result.catch((error: unknown) => {
      throw grown > 0 ? notAgreed(grown) : error;
    });
  }

  /** Throws InputError if the query needs more requests than were confirmed. */
  async #refuseCost(resolved: ResolvedQuery, at: Connection, agreed: number): Promise<void> {
    const { requests } = await this.#deps.pricing.priceOf([{ query: resolved, connection: at }]);
    if (requests > Math.max(0, agreed)) throw notAgreed(requests);
  }

  #read(input: unknown): Asked {
    const read = readToolQuery(this.#dataset, input);
    const at = connectionFor(this.#deps.connections, read.connection);
    const resolved = this.#resolved(read.query, at);
    const others = comparedPeriods(read.analysis?.compare, resolved, this.#deps.nowAt(at));
    return { ...read, at, resolved, others };
  }

  #resolved(query: Query, at: Connection): ResolvedQuery {
    const resolved = resolveQuery(query, this.#deps.nowAt(at));
    if (!resolved.ok) throw new InputError(`${problemSentence(resolved)} ${rangeForms}`);
    return resolved.value;
  }
}

function agreementKey(query: Query, { id }: Connection, { compare }: Analysis = {}): string {
  return JSON.stringify([questionKey(query, id), compare]);
}

/** The maximum characters of an analysis in a link. A longer link would not fit into the result of a tool. */
const longestView = 500;

/** Returns the view that a link opens; undefined if it opens the rows as received. */
function linkedView({
  within: _within,
  columns: _columns,
  limit: _limit,
  ...analysis
}: Analysis): SavedView | undefined {
  const isShort = JSON.stringify(analysis).length <= longestView;
  return Object.keys(analysis).length > 0 && isShort ? { analysis } : undefined;
}

function notAnalysed(problems: readonly string[]): string {
  const texts = problems.slice(0, 5).map(text => serviceText(text, 1_000));
  return `The analysis cannot be made: ${texts.join(' ')} Change it and call again; the rows are in the archive by now and cost nothing.`;
}

function notAgreed(requests: number): InputError {
  return new InputError(
    `This takes ${requests} requests by now, which the person did not agree to. Nothing more was sent. Call again, so that the person is asked, or ask for a shorter range.`,
  );
}

/** The cost of a call, and what the archive already has. */
interface ToolCost {
  readonly price: Price;
  readonly query: ResolvedQuery;
  readonly archived?: { readonly kept: number; readonly expected: number };
  /** The number of requests left in the budget; undefined if it is not known. */
  readonly left?: number | undefined;
}

/** Formats `System state · last 7 days · hourly, 14 Nov 05:00 – 21 Nov 05:00 UTC, Power Signals`; days have dates only. */
function toolTitle(query: ResolvedQuery, { name }: Connection): string {
  const zone = zoneOfRows(requestedInterval(query), zoneOf(query));
  const write = query.days || query.interval === '1d' ? periodText : spanText;
  return [questionTitle(query), write(requestedSpan(query), zone), name].join(', ');
}

/** Formats a cost such as “This needs 2 requests of the 8 left. 144 of 168 hours are in the archive.” */
function costText({ price, archived = { kept: 0, expected: 0 }, query, left }: ToolCost): string {
  if (price.requests === 0) return t('No requests: all available data is in the archive.');
  if (price.waitMs > 0) return planText(price, archived, query);
  const cost =
    left === undefined
      ? t('This needs {0}.', priceText(price))
      : t('This needs {0} of the {1} left.', requests(price.requests), count(left));
  if (archived.kept === 0) return cost;
  return `${cost} ${t('{0} of {1} are in the archive.', count(archived.kept), steps(archived.expected, query.interval))}`;
}

const mostKept = 50;

/** The prices that the confirmations of tools have shown. Each is valid for one call. */
class Agreements {
  readonly #requests = new Map<string, number>();

  /** Records the price that a confirmation shows, replacing an older one for the same query. */
  priced(question: string, requests: number): void {
    this.#requests.delete(question);
    this.#requests.set(question, requests);
    const [oldest] = this.#requests.keys();
    if (this.#requests.size > mostKept && oldest !== undefined) this.#requests.delete(oldest);
  }

  /** Removes and returns the confirmed number of requests; 0 if no price was shown. */
  take(question: string): number {
    const requests = this.#requests.get(question) ?? 0;
    this.#requests.delete(question);
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
  rows: v.optional(v.picklist(rowChoices), 'sample'),
  chart: v.optional(v.picklist(chartKinds)),
});

interface ToolQuery extends Pick<
  v.InferOutput<typeof inputSchema>,
  'fields' | 'rows' | 'chart' | 'connection' | 'analysis'
> {
  readonly query: Query;
}

/** Parses the input of a tool that queries a dataset. Throws InputError that tells the model what to change. */
function readToolQuery(dataset: QueriedDataset, input: unknown): ToolQuery {
  const { range, interval, timeZone, connection, fields, rows, chart, analysis } = parsed(inputSchema, input);
  const switches = v.object(Object.fromEntries(dataset.params.map(({ name }) => [name, v.optional(v.boolean())])));
  const isOn = parsed(switches, input);
  if ([range, interval ?? '', timeZone ?? '', connection ?? ''].some(isKeyText))
    throw new InputError('An input looks like a key. Tools take no keys; the person enters them in VS Code.');
  // Checked here, because the service would charge a request for refusing an unknown interval.
  if (interval !== undefined && !dataset.intervals.includes(interval) && !zoneOfDays(interval))
    throw new InputError(
      `Unknown interval; ${dataset.id} has ${dataset.intervals.join(' and ')}, and days of a zone made from hours, such as 1d@SAST or 1d@Europe/Berlin. Nothing was sent.`,
    );
  const params = dataset.params.filter(({ name }) => isOn[name]).map(({ name, value }) => [name, value]);
  const { query } = readQueryArgument({
    dataset: dataset.id,
    range,
    ...(interval !== undefined && { interval }),
    ...(timeZone !== undefined && { timeZone }),
    ...(params.length > 0 && { params: Object.fromEntries(params) as Record<string, string> }),
  });
  if (!query) throw new InputError(`A query needs a range. ${rangeForms}`);
  if (chart !== undefined && (analysis?.find ?? analysis?.score ?? analysis?.summarise))
    throw new InputError(
      "A chart shows rows with times. Leave out 'chart', or 'find', 'score' and 'summarise'. Nothing was sent.",
    );
  return { query, connection, fields, rows, chart, analysis };
}

function parsed<T extends v.GenericSchema>(schema: T, input: unknown): v.InferOutput<T> {
  const outcome = v.safeParse(schema, input ?? {});
  if (outcome.success) return outcome.output;
  const [issue] = outcome.issues;
  throw new InputError(`The input cannot be read (${v.getDotPath(issue) ?? 'input'}: ${issue.message}). ${rangeForms}`);
}
