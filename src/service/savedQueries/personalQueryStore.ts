import type { Clock, KeyValueStore } from '../../core/ports.ts';
import { keyLikePart } from '../../core/savedQueries/keyLike.ts';
import {
  decodeRecords,
  encodeRecords,
  nextStamp,
  type DecodedRecords,
} from '../../core/savedQueries/records/recordCodec.ts';
import { editRecords, treeOf } from '../../core/savedQueries/records/recordEdit.ts';
import { mergeRecords, withoutOld, type Records } from '../../core/savedQueries/records/records.ts';
import type { SavedItem, SavedTree } from '../../core/savedQueries/savedItem.ts';
import { walk } from '../../core/savedQueries/walk.ts';
import { codeOf } from '../files/fileSystem.ts';
import { Emitter } from '../emitter.ts';
import { SerialQueue } from '../files/fileLock.ts';
import { type SharedText, withProblem, type StoreProblem } from './lockedText.ts';
import { parse, type ParseError } from 'jsonc-parser';

/** The name in globalState; the host offers it to Settings Sync. */
export const savedStateName = 'savedQueries';
/** Where a state that could not be read is kept. */
export const asideStateName = 'savedQueries.aside';
/** Longer than a machine is usually switched off: one that still has the item then brings it back. */
const rememberGoneMs = 90 * 86_400_000;

type EditOutcome =
  | { readonly ok: true; readonly tree: SavedTree }
  /** `part` names a field that looks like a key: what is synced holds none. */
  | { readonly ok: false; readonly problem: 'keyLike'; readonly part: string }
  /** A later version of the product wrote the file; this one might lose what it does not know. */
  | { readonly ok: false; readonly problem: 'newerVersion' };

type Change = (tree: SavedTree) => SavedTree;
const asItIs: Change = tree => tree;

/**
 * A person's own saved queries, kept twice. The file is what the windows of this machine share: each edit reads, changes
 * and replaces it under a lock, since globalState is written whole by each window, without a word to the others, and the
 * last one wins. globalState is what Settings Sync takes to other machines, and replaces by theirs. Both hold records that
 * merge in any order, and every reading merges file, state and what this window knew: whichever was overtaken is made good.
 */
export class PersonalQueryStore {
  readonly #file: SharedText;
  readonly #state: KeyValueStore;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #windowId: string;
  readonly #turns = new SerialQueue();
  readonly #listeners = new Emitter();
  #records: Records;
  #tree: SavedTree;
  #shown: string;
  #problems: readonly StoreProblem[] = [];

  /** `windowId`: letters and digits in lower case, another for each window. */
  constructor(deps: { file: SharedText; state: KeyValueStore; clock: Pick<Clock, 'now'>; windowId: string }) {
    this.#file = deps.file;
    this.#state = deps.state;
    this.#clock = deps.clock;
    this.#windowId = deps.windowId;
    this.#records = decodeRecords(this.#state.get(savedStateName)).records;
    this.#tree = treeOf(this.#records);
    this.#shown = JSON.stringify([this.#tree, this.#problems]);
  }

  /** As last read; before the first `refresh` as the state has it. */
  tree(): SavedTree {
    return this.#tree;
  }

  /** What was found since this window opened. */
  problems(): readonly StoreProblem[] {
    return this.#problems;
  }

  /** Calls back after each change of tree or problems; returns what ends that. */
  onDidChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Takes in what other windows and machines did. */
  async refresh(): Promise<void> {
    await this.#turns.run(async () => this.#apply(asItIs));
  }

  /** Puts the newest tree of all windows through `change`, which is asked again where a write failed: the last answer counts. */
  async edit(change: Change): Promise<EditOutcome> {
    return this.#turns.run(async () => this.#apply(change));
  }

  async #apply(change: Change): Promise<EditOutcome> {
    const known = await this.#withState();
    let edited: Edited = { outcome: { ok: true, tree: this.#tree }, records: known };
    const update = async (text: string | undefined): Promise<string | undefined> => {
      const file = await readDamaged(text, 'file', async () => this.#file.keepAside(text ?? ''));
      for (const problem of file.problems) this.#problems = withProblem(this.#problems, problem);
      edited = this.#edited(mergeRecords(known, file.records), change, file.isNewer);
      const next = textOf(edited.records);
      return file.isNewer || next === text || (text === undefined && edited.records.size === 0) ? undefined : next;
    };
    try {
      // Mostly nothing has changed, and then nobody needs the lock.
      const isCurrent = change === asItIs && (await update(await this.#file.read())) === undefined;
      if (!isCurrent) await this.#file.change(update);
    } catch (error) {
      const code = codeOf(error);
      if (code === undefined) throw error;
      this.#problems = withProblem(this.#problems, { problem: 'fileUnusable', code });
      edited = this.#edited(known, change, false);
    }
    await this.#keep(edited.records);
    return edited.outcome;
  }

  /** What this window knew and what the state has now, by Settings Sync or another window. */
  async #withState(): Promise<Records> {
    const stored = this.#state.get(savedStateName);
    const state = await readDamaged(stored, 'state', async () => {
      await this.#state.update(asideStateName, stored);
      return asideStateName;
    });
    for (const problem of state.problems) this.#problems = withProblem(this.#problems, problem);
    return mergeRecords(this.#records, state.records);
  }

  #edited(merged: Records, change: Change, isNewer: boolean): Edited {
    const now = this.#clock.now();
    const records = withoutOld(merged, now - rememberGoneMs);
    const before = treeOf(records);
    const after = change(before);
    if (after === before) return { outcome: { ok: true, tree: before }, records };
    if (isNewer) return { outcome: { ok: false, problem: 'newerVersion' }, records };
    const part = keyLikePart(newItems(before, after));
    if (part !== undefined) return { outcome: { ok: false, problem: 'keyLike', part }, records };
    const edited = editRecords(records, after, nextStamp(records, now, this.#windowId), now);
    return { outcome: { ok: true, tree: treeOf(edited) }, records: edited };
  }

  async #keep(records: Records): Promise<void> {
    this.#records = records;
    this.#tree = treeOf(records);
    const shown = JSON.stringify([this.#tree, this.#problems]);
    const isNews = shown !== this.#shown;
    this.#shown = shown;
    if (isNews) this.#listeners.fire();
    const stored = this.#state.get(savedStateName);
    const isNewer = decodeRecords(stored).isNewer;
    const isEmpty = stored === undefined && records.size === 0;
    if (!isNewer && !isEmpty && JSON.stringify(stored) !== textOf(records))
      await this.#state.update(savedStateName, encodeRecords(records));
  }
}

interface Edited {
  readonly outcome: EditOutcome;
  readonly records: Records;
}

function textOf(records: Records): string {
  return JSON.stringify(encodeRecords(records));
}

/** Each by itself: a folder does not count for what is in it. */
function newItems(before: SavedTree, after: SavedTree): SavedItem[] {
  const known = new Set([...walk(before)].map(({ item }) => item));
  const news = [...walk(after)].flatMap(({ item }) => (known.has(item) ? [] : [item]));
  return news.map(item => (item.kind === 'folder' ? { ...item, items: [] } : item));
}

/** What could be read of a store, and what is to be said of the rest. */
interface ReadStore extends Pick<DecodedRecords, 'records' | 'isNewer'> {
  readonly problems: readonly StoreProblem[];
}

/** Reads what can be read of a file's text, or of a value in the state. What is damaged is first kept aside as it is. */
async function readDamaged(
  stored: unknown,
  where: 'file' | 'state',
  keepAside: () => Promise<string>,
): Promise<ReadStore> {
  const { value, isWhole } = where === 'file' ? parseTolerantly(stored) : { value: stored, isWhole: true };
  const { records, unreadable, isNewer } = decodeRecords(value);
  const problems: StoreProblem[] = [];
  if (isNewer) problems.push({ problem: 'newerVersion', where });
  else if (unreadable > 0 || !isWhole) {
    const count = Number.isFinite(unreadable) ? Math.max(1, unreadable) : 'all';
    problems.push({ problem: 'damaged', where, unreadable: count, keptAs: await keepAside() });
  }
  return { records, isNewer, problems };
}

/** Of a text that breaks off, what comes before that. */
function parseTolerantly(text: unknown): { value: unknown; isWhole: boolean } {
  if (typeof text !== 'string') return { value: undefined, isWhole: true };
  try {
    return { value: JSON.parse(text), isWhole: true };
  } catch {
    const errors: ParseError[] = [];
    const value: unknown = parse(text, errors);
    // An empty text is no store at all, and nothing can be said of it.
    return { value: value ?? {}, isWhole: false };
  }
}
