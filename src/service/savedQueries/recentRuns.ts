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

const outcomeSchema = v.variant('kind', [
  v.object({ kind: v.literal('rows'), rows: v.number() }),
  v.object({ kind: v.literal('failed'), reason: v.string() }),
]);
/** An instant in the range of a Date. */
const instantSchema = v.pipe(v.number(), v.minValue(-8.64e15), v.maxValue(8.64e15));
const lastSchema = v.object({ at: instantSchema, outcome: outcomeSchema, requestsSpent: v.number() });
const runSchema = v.object({
  id: v.string(),
  ...lastSchema.entries,
  query: querySchema,
  connection: v.object({ id: v.string(), name: v.string() }),
  savedId: v.optional(v.string()),
  entry: v.optional(v.string()),
  isRefresh: v.optional(v.literal(true)),
  data: v.optional(v.picklist(['synthetic', 'replay'])),
});

/**
 * A query that was run. `at`: UTC milliseconds. `reason`: a FailureReason. `savedId`: identifies the query and its connection; only the
 * newest run of each is listed. `entry`: the `entryId` of the saved query whose panel ran it, among several with the same query. `isRefresh`: a background
 * run, which is not listed. `data`: the kind of a sandbox's rows.
 */
export type RecentRun = v.InferOutput<typeof runSchema>;
/** The time and outcome of the last run of a saved query. */
export type LastRun = v.InferOutput<typeof lastSchema>;

interface RunLists {
  readonly runs: readonly RecentRun[];
  readonly last: ReadonlyMap<string, LastRun>;
}

/** The last runs of all windows, the newest first. If runs cannot be written, they are written with the next run. */
export class RecentRuns {
  readonly #file: SharedText;
  readonly #queue = new SerialQueue();
  readonly #changed = new Emitter();
  readonly onDidChange = this.#changed.event;
  #known: RunLists = { runs: [], last: new Map() };
  #unwritten: readonly RecentRun[] = [];
  #problems: readonly StoreProblem[] = [];

  /** Uses a file instead of globalState, which each window overwrites as a whole. */
  constructor(deps: { file: SharedText }) {
    this.#file = deps.file;
  }

  list(): readonly RecentRun[] {
    return this.#known.runs;
  }

  /** Returns the last run of a saved query, even if it is no longer among the recent runs. */
  getLastRun(savedId: string): LastRun | undefined {
    return this.#known.last.get(savedId);
  }

  problems(): readonly StoreProblem[] {
    return this.#problems;
  }

  /** Reads the runs of other windows. */
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

  /** Clears the list. Returns the cleared runs, so that `add` can restore them. The last runs of saved queries are preserved. */
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
    let next = change(this.#known);
    try {
      await this.#file.change(async text => {
        next = change(await this.#read(text));
        return serializeRuns(next);
      });
      this.#unwritten = [];
    } catch (error) {
      this.#handleError(error);
    }
    this.#update(next);
  }

  async #read(text: string | undefined): Promise<RunLists> {
    if (text === undefined) return { runs: [], last: new Map() };
    const { runs, last, unreadable } = decode(text);
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

  #update(runs: RunLists): void {
    const isSame = serializeRuns(runs) === serializeRuns(this.#known);
    this.#known = runs;
    if (isSame) return;
    this.#changed.fire();
  }
}

function addRuns({ runs: earlierRuns, last }: RunLists, added: readonly RecentRun[]): RunLists {
  const newRuns = added.filter(run => !run.isRefresh && !earlierRuns.some(({ id }) => id === run.id));
  const allRuns = [...earlierRuns, ...newRuns].sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
  const lastRuns = new Map(last);
  for (const { savedId, at, outcome, requestsSpent } of added)
    if (savedId !== undefined && at >= (lastRuns.get(savedId)?.at ?? 0))
      lastRuns.set(savedId, { at, outcome, requestsSpent });
  const newestLastRuns = [...lastRuns].sort(([, a], [, b]) => b.at - a.at).slice(0, maxLastRuns);
  // Only the newest run of each query is listed, since the earlier ones open the same rows.
  const newestByQuery = new Map(allRuns.toReversed().map(run => [run.savedId ?? run.id, run]));
  const runs = allRuns.filter(run => newestByQuery.get(run.savedId ?? run.id) === run);
  return { runs: runs.slice(0, maxRuns), last: new Map(newestLastRuns) };
}

function serializeRuns({ runs, last }: RunLists): string {
  return JSON.stringify({ version: 1, runs, last: Object.fromEntries(last) });
}

function decode(text: string): RunLists & { readonly unreadable: number } {
  const unreadableStore = { runs: [], last: new Map<string, LastRun>(), unreadable: Infinity };
  try {
    const store = v.safeParse(
      v.object({ runs: v.array(v.unknown()), last: v.record(v.string(), v.unknown()) }),
      JSON.parse(text),
    );
    if (!store.success) return unreadableStore;
    const validRuns = store.output.runs.filter(run => v.is(runSchema, run));
    // VS Code cannot show two items with the same id.
    const runs = [...new Map(validRuns.map(run => [run.id, run])).values()];
    const last = Object.entries(store.output.last).filter((entry): entry is [string, LastRun] =>
      v.is(lastSchema, entry[1]),
    );
    const unreadable = store.output.runs.length - runs.length + Object.keys(store.output.last).length - last.length;
    return { runs, last: new Map(last), unreadable };
  } catch {
    return unreadableStore;
  }
}
