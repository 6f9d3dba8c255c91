import { setImmediate } from 'node:timers/promises';
import { clipSteps, countOutside, extentOf, timeColumnOf } from '../core/clip.ts';
import { lateAfter, stepsWithRow } from '../core/coverage.ts';
import type { JsonObject } from '../core/decode/envelope.ts';
import { headFrame } from '../core/headFrame.ts';
import { endTheRun, GridError } from '../core/errors.ts';
import { isDue, isMissing, type FreshnessRule } from '../core/freshness.ts';
import { planRequests, type DueSteps } from '../core/plan.ts';
import type { ResolvedQuery } from '../core/query.ts';
import type { Span } from '../core/range/resolveRange.ts';
import { beside, hull, overlap } from '../core/range/spans.ts';
import { seriesIdentity, type SeriesKey } from '../core/seriesKey.ts';
import type { Result } from '../shared/result.ts';
import type { Answer } from './answerFetcher.ts';
import type { Unneeded } from './apiClient.ts';
import type { Archive, Kept } from './archive.ts';
import type { Endpoint } from './endpoint.ts';
import { tracesFor, wholeResult } from './fetchWhole.ts';
import { RequestAgreement } from './requestAgreement.ts';
import { PartQueue } from './partQueue.ts';
import { PartTurn } from './partTurn.ts';
import { pausedSteps } from './pausedSteps.ts';
import { RunLedger } from './runLedger.ts';
import type { Progress, QueryRunnerDeps, RunOptions } from './runOptions.ts';

type PlannedRunDeps = Omit<QueryRunnerDeps, 'archive'> & { readonly archive: Pick<Archive, 'read' | 'merge'> };

/** What became of a part: `finished` where its answer, if there was one, says nothing of the service's limits. */
type Taken = 'answered' | 'finished' | { readonly rest: readonly Span[]; readonly error: GridError };

/** One run of one query: what the archive has, the plan for the rest, its requests, and the answer made of all. */
export class PlannedRun {
  readonly #query: ResolvedQuery & { readonly stepMs: number };
  readonly #endpoint: Endpoint;
  readonly #options: RunOptions;
  readonly #deps: PlannedRunDeps;
  readonly #series: SeriesKey;
  readonly #rule: FreshnessRule;
  readonly #ledger: RunLedger;
  /** When the run began, by our clock. */
  readonly #began: number;
  /** The longest request of the plan, in steps. */
  #maxSteps = 0;
  readonly #agreement: RequestAgreement;
  /** An answer that is no table of hours: shown as it came, and the run is over. */
  #odd: Answer | undefined;
  #kept: Promise<void> = Promise.resolve();

  constructor(
    query: ResolvedQuery & { readonly stepMs: number },
    endpoint: Endpoint,
    options: RunOptions,
    deps: PlannedRunDeps,
  ) {
    this.#query = query;
    this.#endpoint = endpoint;
    this.#options = options;
    this.#deps = deps;
    const { dataset, interval, params } = query;
    this.#series = { source: endpoint.source, dataset: dataset.id, interval, params };
    this.#began = deps.clock.now();
    this.#rule = { now: deps.serviceClock.now(endpoint.source), settledAfterMs: deps.settledAfterMs() };
    this.#ledger = new RunLedger(query, endpoint, this.#rule.now);
    this.#agreement = new RequestAgreement(options, async requests => deps.priceOf(requests, query, endpoint));
  }

  /** Names the series. */
  get series(): string {
    return seriesIdentity(this.#series);
  }

  /** For each step, when the service was last asked for it, by its own clock; 0 for never. */
  get askedAt(): Float64Array {
    return this.#ledger.askedAt;
  }

  /** Resolves once what came is in the archive, and others may have the series. Never rejects. */
  get kept(): Promise<void> {
    return this.#kept;
  }

  /** The requests that a run takes, as far as is known before the service answers; sends none. */
  async parts(): Promise<readonly Span[]> {
    return (await this.#plan()).parts;
  }

  /** The answer, as soon as it is known: it is on its way into the archive then, see `kept`. */
  async run(): Promise<Result> {
    const queue = await this.#plan();
    if (this.#options.refresh === 'never') return this.#result();
    if (queue.length > 0 && this.#ledger.hasRows) await this.#report({ done: 0, total: queue.total });
    while (queue.length > 0 && !this.#odd) {
      const mayGoOn = await this.#agreement.mayPlan(queue.length, () => this.#ledger.keptSteps());
      if (!mayGoOn) throw new GridError('cancelled', { requestsSpent: this.#ledger.requestsSpent });
      const part = queue.next();
      if (part && !(await this.#take(part, queue))) queue.giveUp(rest => this.#ledger.failed(rest));
      else await this.#planAnew(queue);
      // What the last part completes is the answer itself.
      if (queue.length > 0) await this.#report({ done: queue.done, total: queue.total });
    }
    const { requestsSpent } = this.#ledger;
    if (this.#odd) return wholeResult(this.#query, this.#endpoint, { ...this.#odd, requestsSpent });
    this.#ledger.throwIfNothingCame();
    return this.#result();
  }

  /** A million steps take some milliseconds each time they are gone through: others get a turn in between. */
  async #result(): Promise<Result> {
    const due = this.#dueSteps(this.#query);
    await setImmediate();
    return this.#ledger.result(due);
  }

  /** Takes what the archive has, and plans the rest. */
  async #plan(): Promise<PartQueue> {
    const { archive, spans } = this.#deps;
    await this.#ledger.keep(this.#query, await archive.read(this.#series, this.#query.stepMs, this.#query));
    const queue = new PartQueue(this.#series, this.#query.stepMs, spans);
    await this.#addParts(queue);
    return queue;
  }

  async #addParts(queue: PartQueue): Promise<void> {
    this.#maxSteps = queue.maxSteps;
    queue.add(await this.#partsOf(this.#dueSteps(this.#query), this.#maxSteps));
  }

  /** Where one of a group has met a limit, all go by it: with the same requests again, and none that is too long by now. */
  async #planAnew(queue: PartQueue): Promise<void> {
    if (!this.#options.together || queue.maxSteps >= this.#maxSteps) return;
    queue.giveUp(() => undefined);
    await this.#addParts(queue);
  }

  /** Also beyond the range, where the hours of a query that runs together with this one come with a request of its own. */
  async #partsOf(due: Uint8Array, maxSteps: number): Promise<readonly Span[]> {
    const { start, stepMs } = this.#query;
    const { refresh = 'ifStale', together, priority } = this.#options;
    const own = planRequests(due, start, stepMs, maxSteps);
    if (!together || refresh !== 'ifStale') return own;
    const lackedBy = async (span: Span): Promise<DueSteps> => {
      return { start: span.start, due: this.#due(await this.#deps.archive.read(this.#series, stepMs, span), span) };
    };
    const member = { series: this.#series, stepMs, maxSteps, lackedBy, lacks: { start, due } };
    const parts = await together.partsOf(member);
    // Of a run that nobody waits for only the first request is made: the newest hours must not stand in a second.
    return priority === 'background' && parts.length > own.length ? own : parts;
  }

  async #report(progress: Progress): Promise<void> {
    if (!this.#options.onProgress) return;
    await setImmediate();
    await this.#options.onProgress(this.#ledger.result(new Uint8Array()), progress);
    await setImmediate();
  }

  /** Takes one part; false where no further part can succeed. */
  async #take(part: Span, queue: PartQueue): Promise<boolean> {
    const taken = await this.#fetchInTurn(part, queue);
    if (taken === 'answered') await queue.succeeded(part);
    if (taken === 'finished') queue.finished();
    if (typeof taken === 'string') return true;
    const { rest, error } = taken;
    if (this.#options.signal?.aborted) throw new GridError('cancelled', { requestsSpent: this.#ledger.requestsSpent });
    if (rest.includes(part) && (await queue.shorten(part, error))) return true;
    this.#ledger.failed(rest, error);
    return !endTheRun.includes(error.reason) && !queue.failedAgain();
  }

  async #fetchInTurn(part: Span, queue: PartQueue): Promise<Taken> {
    await this.#kept;
    // What is too long by now is planned anew.
    const isWanted = async (): Promise<boolean> => !this.#isTooLong(part, queue) && this.#isStillDue(part);
    // Another window may have fetched these hours while this one was busy.
    if (!(await isWanted())) return 'finished';
    const turn = new PartTurn(this.#deps, this.#series, this.#options, isWanted);
    let written: Promise<unknown> | undefined;
    try {
      const fetched = await this.#fetch(part, turn, queue.length);
      this.#ledger.spent(fetched.requestsSpent);
      if ('unneeded' in fetched || (fetched.failure && turn.fetchedElsewhere)) return 'finished';
      const { taken, keep } = await this.#receive(part, fetched);
      written = keep?.();
      return taken;
    } catch (error) {
      if (!(error instanceof GridError)) throw error;
      this.#ledger.spent(error.facts.requestsSpent ?? 0);
      return turn.fetchedElsewhere ? 'finished' : { rest: [part], error };
    } finally {
      // Who asked need not wait for the disk; who asks next does.
      if (written) this.#kept = written.then(async () => turn.end());
      else await turn.end();
    }
  }

  /** `others`: parts that are still to be asked for. */
  async #fetch(part: Span, turn: PartTurn, others: number): Promise<Answer | Unneeded> {
    const { onWait, onHead, priority } = this.#options;
    const isBeginning = part.start === this.#query.start && !this.#ledger.hasRows;
    return this.#deps.fetcher.fetch({ ...this.#query, ...part }, this.#endpoint, {
      signal: turn.signal,
      onWait: ms => {
        turn.waits();
        onWait?.(ms);
      },
      priority,
      turn,
      mayTakePage: async pages => this.#agreement.mayTakePage(pages, others, turn),
      mayRetry: async failed => this.#agreement.mayRetry(failed, others, turn),
      ...(onHead && isBeginning && { onHead: records => this.#tellHead(part, records, onHead) }),
    });
  }

  #tellHead(part: Span, records: readonly JsonObject[], tell: (head: Result) => void): void {
    const frame = headFrame(records, overlap(part, this.#query));
    if (frame) tell(this.#ledger.head(frame));
  }

  /** Takes what came, also where a page of it did not. `keep` puts it into the archive; it never rejects. */
  async #receive(
    part: Span,
    answer: Answer,
  ): Promise<{ readonly taken: Taken; readonly keep?: () => Promise<unknown> }> {
    const { archive, serviceClock } = this.#deps;
    const { source } = this.#endpoint;
    const { failure, decoded } = answer;
    const { frame, meta } = decoded;
    const problem = frame && !this.#ledger.takes(frame) ? 'tooManyCells' : decoded.problem;
    if (!frame || problem || (frame.rowCount > 0 && !timeColumnOf(frame))) {
      // A part of a table that is no table is no reason to hide the rest.
      const isTooLarge = problem !== undefined && problem !== 'notRecords';
      const detail = isTooLarge ? 'the answer is too large for a table' : 'the answer is no table';
      const error = failure ?? new GridError('damagedResponse', { detail });
      if (failure || this.#ledger.hasRows) return { taken: { rest: [part], error } };
      this.#odd = answer;
      return { taken: 'finished' };
    }
    await serviceClock.heard(source, answer);
    this.#ledger.now = serviceClock.now(source);
    const clipped = await pausedSteps(clipSteps(frame, part, answer.incomplete));
    // Neither pages that did not come nor data that is late take anything away.
    const completeUntil = answer.incomplete ? part.start : lateAfter(meta) + 1;
    const kept = { frame: clipped.frame, askedAt: serviceClock.askedAt(source, answer), meta, completeUntil };
    // What came for other queries beside was asked for, too.
    const rowsOutside = countOutside(frame, hull(part, this.#query));
    // Rows that are there although pages are missing are no proof that the hours beyond them have none.
    const answered = answer.incomplete ? extentOf(clipped.frame, part, this.#query.stepMs) : part;
    const incomplete = answer.incomplete && !failure;
    const requests = tracesFor(part, answer.traces);
    await this.#ledger.received(answered, kept, { bodies: answer.bodies, requests, rowsOutside, incomplete });
    const keep = async (): Promise<boolean> => archive.merge(this.#series, this.#query.stepMs, answered, kept);
    return { keep, taken: failure ? { rest: beside(answered, part), error: failure } : 'answered' };
  }

  #isTooLong({ start, end }: Span, { maxSteps }: PartQueue): boolean {
    return this.#options.together !== undefined && end - start > maxSteps * this.#query.stepMs;
  }

  /** Looks into the archive again for what the part has of the range; what it has by now is taken from there. */
  async #isStillDue(part: Span): Promise<boolean> {
    const own = overlap(part, this.#ledger.range);
    if (own.end <= own.start) return false;
    const kept = await this.#deps.archive.read(this.#series, this.#query.stepMs, own);
    if (!this.#ledger.takes(kept.frame) || this.#due(kept, own).includes(1)) return true;
    await this.#ledger.keep(own, kept);
    return false;
  }

  #dueSteps(span: Span): Uint8Array {
    return this.#due(this.#ledger, span);
  }

  #due({ askedAt, frame }: Pick<Kept, 'askedAt' | 'frame'>, span: Span): Uint8Array {
    const { stepMs } = this.#query;
    const { refresh } = this.#options;
    // In whole seconds, as services tell the time: two runs that begin at once share a request.
    const began = Math.floor((this.#began + this.#deps.serviceClock.offset(this.#endpoint.source)) / 1000) * 1000;
    const rows = refresh === 'missing' ? stepsWithRow(frame, span, stepMs) : undefined;
    const due = new Uint8Array(askedAt.length);
    // No function for each step: a century of hours would make it felt.
    for (let step = 0; step < due.length; step++) {
      const asked = askedAt[step] ?? 0;
      const start = span.start + step * stepMs;
      let isStepDue: boolean;
      if (refresh === 'always') isStepDue = asked < began;
      else if (rows) isStepDue = asked < began && isMissing(start, stepMs, asked, rows[step] === 1, this.#rule);
      else isStepDue = isDue(start, stepMs, asked, this.#rule);
      if (isStepDue) due[step] = 1;
    }
    return due;
  }
}
