import * as v from 'valibot';
import { querySchema } from '../../core/query/querySchema.ts';
import { getErrorCode } from '../files/fileSystem.ts';
import { Emitter } from '../emitter.ts';
import { SerialQueue } from '../files/fileLock.ts';
import type { SharedText } from '../files/lockedText.ts';
import { addProblem, type StoreProblem } from './storeProblem.ts';

const maxRuns = 50;
/** The maximum number of saved queries whose last run is stored. */
const maxLastRuns = 2_500;

/** `reason` is a `FailureReason`. */
const outcomeSchema = v.variant('kind', [
  v.object({ kind: v.literal('rows'), rows: v.number() }),
  v.object({ kind: v.literal('failed'), reason: v.string() }),
]);
/** UTC milliseconds in the range of a Date. */
const instantSchema = v.pipe(v.number(), v.minValue(-8.64e15), v.maxValue(8.64e15));
const lastRunSchema = v.object({ at: instantSchema, outcome: outcomeSchema, requestsSpent: v.number() });
const runSchema = v.object({
  id: v.string(),
  ...lastRunSchema.entries,
  query: querySchema,
  connection: v.object({ id: v.string(), name: v.string() }),
  /** Identifies the query and its connection. Only the newest run of each is listed. */
  savedId: v.optional(v.string()),
  /** The `entryId` of the saved query whose panel ran it. Several saved queries may contain the same query. */
  entry: v.optional(v.string()),
  /** Set for a run in the background, which is not listed. */
  isRefresh: v.optional(v.literal(true)),
  /** The kind of data, if the run read from a sandbox. */
  data: v.optional(v.picklist(['synthetic', 'replay'])),
});

/** A run of a query. */
export type RecentRun = v.InferOutput<typeof runSchema>;
/** The time and outcome of the last run of a saved query. */
export type LastRun = v.InferOutput<typeof lastRunSchema>;

interface RunLists {
  readonly runs: readonly RecentRun[];
  readonly last: ReadonlyMap<string, LastRun>;
}

/** Stores the recent runs of all windows, newest first. Runs that cannot be written are retained and written with the next run. */
export class RecentRuns {
  readonly #file: SharedText;
  readonly #queue = new SerialQueue();
  readonly #onDidChangeEmitter = new Emitter();
  readonly onDidChange = this.#onDidChangeEmitter.event;
  #stored: RunLists = { runs: [], last: new Map() };
  #unwritten: readonly RecentRun[] = [];
  #problems: readonly StoreProblem[] = [];

  /** Uses a file because windows overwrite each other's changes in globalState. */
  constructor(deps: { file: SharedText }) {
    this.#file = deps.file;
  }

  list(): readonly RecentRun[] {
    return this.#stored.runs;
  }

  /** Returns the last run of a saved query, even if it is no longer among the recent runs. */
  getLastRun(savedId: string): LastRun | undefined {
    return this.#stored.last.get(savedId);
  }

  problems(): readonly StoreProblem[] {
    return this.#problems;
  }

  /** Reads the runs that other windows have written. */
  async refresh(): Promise<void> {
    await this.#queue.run(async () => {
      try {
        const text = await this.#file.read();
        this.#update(addRuns(await this.#read(text), this.#unwritten));
      } catch (error) {
        this.#handleError(error);
      }
    });
  }

  async add(...runs: readonly RecentRun[]): Promise<void> {
    await this.#queue.run(async () => {
      this.#unwritten = [...this.#unwritten, ...runs];
      await this.#write(lists => addRuns(lists, this.#unwritten));
    });
  }

  /** Clears the recent runs, but not the last runs of saved queries. Returns the cleared runs, which `add` can restore. */
  async clear(): Promise<readonly RecentRun[]> {
    let cleared: readonly RecentRun[] = [];
    await this.#queue.run(async () =>
      this.#write(lists => {
        const { runs, last } = addRuns(lists, this.#unwritten);
        cleared = runs;
        return { runs: [], last };
      }),
    );
    return cleared;
  }

  async #write(change: (lists: RunLists) => RunLists): Promise<void> {
    let changedLists = change(this.#stored);
    try {
      await this.#file.change(async text => {
        changedLists = change(await this.#read(text));
        return serializeRuns(changedLists);
      });
      this.#unwritten = [];
    } catch (error) {
      this.#handleError(error);
    }
    this.#update(changedLists);
  }

  async #read(text: string | undefined): Promise<RunLists> {
    if (text === undefined) return { runs: [], last: new Map() };
    const { runs, last, unreadable } = parseRuns(text);
    if (unreadable === 0) return { runs, last };
    const backupName = await this.#file.backUp(text);
    const count = Number.isFinite(unreadable) ? unreadable : 'all';
    this.#problems = addProblem(this.#problems, { problem: 'damaged', where: 'file', unreadable: count, backupName });
    return { runs, last };
  }

  #handleError(error: unknown): void {
    const code = getErrorCode(error);
    if (code === undefined) throw error;
    this.#problems = addProblem(this.#problems, { problem: 'fileUnusable', code });
  }

  #update(lists: RunLists): void {
    const isChanged = serializeRuns(lists) !== serializeRuns(this.#stored);
    this.#stored = lists;
    if (isChanged) this.#onDidChangeEmitter.fire();
  }
}

/** Adds runs to the recent runs, and updates the last runs of saved queries. */
function addRuns({ runs: earlierRuns, last }: RunLists, added: readonly RecentRun[]): RunLists {
  const newRuns = added.filter(run => !run.isRefresh && !earlierRuns.some(({ id }) => id === run.id));
  const allRuns = [...earlierRuns, ...newRuns].sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
  const lastRuns = new Map(last);
  for (const { savedId, at, outcome, requestsSpent } of added)
    if (savedId !== undefined && at >= (lastRuns.get(savedId)?.at ?? 0))
      lastRuns.set(savedId, { at, outcome, requestsSpent });
  const newestLastRuns = [...lastRuns].sort(([, a], [, b]) => b.at - a.at).slice(0, maxLastRuns);
  // Lists only the newest run of each query, because earlier runs open the same rows.
  const newestByQuery = new Map(allRuns.toReversed().map(run => [run.savedId ?? run.id, run]));
  const runs = allRuns.filter(run => newestByQuery.get(run.savedId ?? run.id) === run);
  return { runs: runs.slice(0, maxRuns), last: new Map(newestLastRuns) };
}

function serializeRuns({ runs, last }: RunLists): string {
  return JSON.stringify({ version: 1, runs, last: Object.fromEntries(last) });
}

/** Parses the file. `unreadable` is the number of invalid entries, or Infinity if the whole file is invalid. */
function parseRuns(text: string): RunLists & { readonly unreadable: number } {
  const emptyLists = { runs: [], last: new Map<string, LastRun>(), unreadable: Infinity };
  try {
    const parsed = v.safeParse(
      v.object({ runs: v.array(v.unknown()), last: v.record(v.string(), v.unknown()) }),
      JSON.parse(text),
    );
    if (!parsed.success) return emptyLists;
    const validRuns = parsed.output.runs.filter(run => v.is(runSchema, run));
    // VS Code cannot show two items with the same id.
    const runs = [...new Map(validRuns.map(run => [run.id, run])).values()];
    const last = Object.entries(parsed.output.last).filter((entry): entry is [string, LastRun] =>
      v.is(lastRunSchema, entry[1]),
    );
    const unreadable = parsed.output.runs.length - runs.length + Object.keys(parsed.output.last).length - last.length;
    return { runs, last: new Map(last), unreadable };
  } catch {
    return emptyLists;
  }
}
