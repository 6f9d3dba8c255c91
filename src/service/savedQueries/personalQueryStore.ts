import type { Clock, KeyValueStore } from '../../core/ports.ts';
import { findKeyLikePart } from '../../core/savedQueries/keyLike.ts';
import {
  type DecodedRecords,
  decodeRecords,
  encodeRecords,
  mergeRecords,
  nextStamp,
  type Records,
  dropOldRemovals,
} from '../../core/savedQueries/records/records.ts';
import { editRecords, buildTree } from '../../core/savedQueries/records/recordEdit.ts';
import { storedNames } from '../../core/storedNames.ts';
import type { SavedItem, SavedTree } from '../../core/savedQueries/savedItem.ts';
import { walk } from '../../core/savedQueries/walk.ts';
import { dayMs } from '../../shared/durations.ts';
import { getErrorCode } from '../files/fileSystem.ts';
import { Emitter } from '../emitter.ts';
import { SerialQueue } from '../files/fileLock.ts';
import type { SharedText } from '../files/lockedText.ts';
import { addProblem, type StoreProblem } from './storeProblem.ts';

/** The key in globalState, which the host registers for Settings Sync. */
export const savedStateName = storedNames.savedQueries;
/** The key in globalState of the backup of a damaged state. */
export const backupStateName = 'savedQueries.aside';
/** How long deletions are stored: a machine that was offline for longer restores deleted items. */
const deletionRetentionMs = 90 * dayMs;

type EditOutcome =
  | { readonly ok: true; readonly tree: SavedTree }
  /** The field `fieldName` looks like a key, which must not be synced. */
  | { readonly ok: false; readonly problem: 'keyLike'; readonly fieldName: string }
  /** A later version of the extension wrote the file, and this one might lose unknown data. */
  | { readonly ok: false; readonly problem: 'newerVersion' };

type Change = (tree: SavedTree) => SavedTree;
const unchanged: Change = tree => tree;

/**
 * The user's personal saved queries, stored twice. The windows of this machine share a file: each edit reads, changes and replaces it under a
 * lock. globalState alone would lose edits, since each window writes it as a whole without notifying the others. Settings Sync copies globalState
 * between machines. Both hold records that can be merged in any order, and each read merges file, state and the window's own records, so that no
 * change is lost.
 */
export class PersonalQueryStore {
  readonly #file: SharedText;
  readonly #state: KeyValueStore;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #windowId: string;
  readonly #queue = new SerialQueue();
  readonly #changed = new Emitter();
  /** Fires after each change of the tree or the problems. */
  readonly onDidChange = this.#changed.event;
  #records: Records;
  #tree: SavedTree;
  #lastSnapshot: string;
  #problems: readonly StoreProblem[] = [];

  /** `windowId`: lower-case letters and digits, unique for each window. */
  constructor(deps: { file: SharedText; state: KeyValueStore; clock: Pick<Clock, 'now'>; windowId: string }) {
    this.#file = deps.file;
    this.#state = deps.state;
    this.#clock = deps.clock;
    this.#windowId = deps.windowId;
    this.#records = decodeRecords(this.#state.get(savedStateName)).records;
    this.#tree = buildTree(this.#records);
    this.#lastSnapshot = JSON.stringify([this.#tree, this.#problems]);
  }

  /** Returns the tree as last read; before the first `refresh`, the tree of the state. */
  tree(): SavedTree {
    return this.#tree;
  }

  /** Returns the problems since this window was opened. */
  problems(): readonly StoreProblem[] {
    return this.#problems;
  }

  /** Reads the changes of other windows and machines. */
  async refresh(): Promise<void> {
    await this.#queue.run(async () => this.#applyChange(unchanged));
  }

  /** Applies `change` to the newest tree of all windows. It is called again if a write failed; its last result counts. */
  async edit(change: Change): Promise<EditOutcome> {
    return this.#queue.run(async () => this.#applyChange(change));
  }

  async #applyChange(change: Change): Promise<EditOutcome> {
    const knownRecords = await this.#mergeState();
    let edit: Edit = { outcome: { ok: true, tree: this.#tree }, records: knownRecords };
    const update = async (text: string | undefined): Promise<string | undefined> => {
      const file = await readStore(parseStoredText(text), 'file', async () => this.#file.backUp(text ?? ''));
      for (const problem of file.problems) this.#problems = addProblem(this.#problems, problem);
      edit = this.#computeEdit(mergeRecords(knownRecords, file.records), change, file.isNewer);
      const next = serializeRecords(edit.records);
      return file.isNewer || next === text || (text === undefined && edit.records.size === 0) ? undefined : next;
    };
    try {
      // Usually nothing has changed, and then the lock is not needed.
      const isCurrent = change === unchanged && (await update(await this.#file.read())) === undefined;
      if (!isCurrent) await this.#file.change(update);
    } catch (error) {
      const code = getErrorCode(error);
      if (code === undefined) throw error;
      this.#problems = addProblem(this.#problems, { problem: 'fileUnusable', code });
      edit = this.#computeEdit(knownRecords, change, false);
    }
    await this.#store(edit.records);
    return edit.outcome;
  }

  /** Merges this window's records with the state, which Settings Sync or another window may have changed. */
  async #mergeState(): Promise<Records> {
    const storedValue = this.#state.get(savedStateName);
    const state = await readStore(storedValue, 'state', async () => {
      await this.#state.update(backupStateName, storedValue);
      return backupStateName;
    });
    for (const problem of state.problems) this.#problems = addProblem(this.#problems, problem);
    return mergeRecords(this.#records, state.records);
  }

  #computeEdit(merged: Records, change: Change, isNewer: boolean): Edit {
    const now = this.#clock.now();
    const records = dropOldRemovals(merged, now - deletionRetentionMs);
    const currentTree = buildTree(records);
    const changedTree = change(currentTree);
    if (changedTree === currentTree) return { outcome: { ok: true, tree: currentTree }, records };
    if (isNewer) return { outcome: { ok: false, problem: 'newerVersion' }, records };
    const fieldName = findKeyLikePart(listNewItems(currentTree, changedTree));
    if (fieldName !== undefined) return { outcome: { ok: false, problem: 'keyLike', fieldName }, records };
    const edit = editRecords(records, changedTree, nextStamp(records, now, this.#windowId), now);
    return { outcome: { ok: true, tree: buildTree(edit) }, records: edit };
  }

  async #store(records: Records): Promise<void> {
    this.#records = records;
    this.#tree = buildTree(records);
    const snapshot = JSON.stringify([this.#tree, this.#problems]);
    const isChanged = snapshot !== this.#lastSnapshot;
    this.#lastSnapshot = snapshot;
    if (isChanged) this.#changed.fire();
    const storedValue = this.#state.get(savedStateName);
    const isNewer = decodeRecords(storedValue).isNewer;
    const isEmpty = storedValue === undefined && records.size === 0;
    if (!isNewer && !isEmpty && JSON.stringify(storedValue) !== serializeRecords(records))
      await this.#state.update(savedStateName, encodeRecords(records));
  }
}

interface Edit {
  readonly outcome: EditOutcome;
  readonly records: Records;
}

function serializeRecords(records: Records): string {
  return JSON.stringify(encodeRecords(records));
}

/** Lists new items, folders without their items, which are listed separately. */
function listNewItems(currentTree: SavedTree, changedTree: SavedTree): SavedItem[] {
  const knownItems = new Set(walk(currentTree).map(({ item }) => item));
  const added = walk(changedTree).flatMap(({ item }) => (knownItems.has(item) ? [] : [item]));
  return added.map(item => (item.kind === 'folder' ? { ...item, items: [] } : item));
}

/** The readable records of a store, and the problems with the others. */
interface StoreContent extends Pick<DecodedRecords, 'records' | 'isNewer'> {
  readonly problems: readonly StoreProblem[];
}

/** Reads the records of a stored value. A damaged value is backed up first. */
async function readStore(
  storedValue: unknown,
  where: 'file' | 'state',
  backUp: () => Promise<string>,
): Promise<StoreContent> {
  const { records, unreadable, isNewer } = decodeRecords(storedValue);
  const problems: StoreProblem[] = [];
  if (isNewer) problems.push({ problem: 'newerVersion', where });
  else if (unreadable > 0) {
    const count = Number.isFinite(unreadable) ? unreadable : 'all';
    problems.push({ problem: 'damaged', where, unreadable: count, backupName: await backUp() });
  }
  return { records, isNewer, problems };
}

/** Parses the text of a file. Returns the text itself if it is not JSON; the decoder treats that as damaged. */
function parseStoredText(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return text;
  }
}
