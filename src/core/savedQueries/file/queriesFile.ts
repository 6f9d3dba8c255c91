import type { Node } from 'jsonc-parser';
import type { SavedFolder, SavedItem, SavedQuery, SavedTree } from '../savedItem.ts';
import { maxDepth } from '../walk.ts';
import { parseBoard } from '../board.ts';
import { assignIds, isId, type IdClaim, parseText, findProperty, getValue } from './fileNode.ts';
import { fileLimits, type FileProblem } from './fileProblem.ts';
import { hasKey, readQuery, readUnknown, type ReportProblem, readNote } from './readEntry.ts';

/** The content of a queries file. */
export interface QueriesFile {
  readonly tree: SavedTree;
  /** The problems in text order. Only entries without an error are in the tree. */
  readonly problems: readonly FileProblem[];
  /** The extent of each item's block in the text, by id. */
  readonly blocks: ReadonlyMap<string, { readonly offset: number; readonly length: number }>;
}

/** An element of an array of entries. Without an item, it could not be read; edits leave it as it is. */
export interface Entry {
  readonly node: Node;
  readonly item?: SavedItem | undefined;
  readonly writtenId?: string | undefined;
  /** The array of a folder, if it has one. */
  readonly list?: Node | undefined;
  readonly entries: readonly Entry[];
}

/** An entry that has no id yet. */
interface Draft extends Omit<Entry, 'item' | 'entries'> {
  readonly read?: Omit<SavedQuery, 'id'> | Omit<SavedFolder, 'id' | 'items'> | undefined;
  readonly entries: readonly Draft[];
}

export interface ParsedFile extends QueriesFile {
  readonly root: Node | undefined;
  readonly list: Node | undefined;
  readonly entries: readonly Entry[];
  /** Whether the text is a valid queries file, and so can be edited safely. */
  readonly isSound: boolean;
}

/** Parses `.vscode/grid-queries.json`, which is JSON with comments; `text` is undefined if there is no file. Never throws. */
export function parseQueriesFile(text: string | undefined): QueriesFile {
  const { tree, problems, blocks } = parseEntries(text ?? '');
  return { tree, problems, blocks };
}

/** The content of a file that exceeds the limits. It is neither parsed nor edited. */
const tooLargeFile: ParsedFile = {
  tree: [],
  blocks: new Map(),
  root: undefined,
  list: undefined,
  entries: [],
  isSound: false,
  problems: [{ code: 'tooLarge', offset: 0, length: 0, severity: 'error' }],
};

/** The shared state of reading all arrays of a file. */
interface ReadState {
  readonly note: ReportProblem;
  /** The number of entries read so far. */
  entries: number;
}

/** Like `parseQueriesFile`, with the nodes that edits need. */
export function parseEntries(text: string): ParsedFile {
  if (isTooLarge(text)) return tooLargeFile;
  const { root, problems } = parseText(text);
  const isSound = problems.length === 0;
  const note: ReportProblem = ({ offset, length }, code, part, severity = 'error') => {
    const shortPart = part?.slice(0, fileLimits.text);
    if (problems.length < fileLimits.problems) problems.push({ code, offset, length, part: shortPart, severity });
  };
  const property = root && findProperty(root, 'queries');
  const isObject = root === undefined || root.type === 'object';
  const isList = property === undefined || property.value.type === 'array';
  if (root && (!isObject || !isList)) note(property?.value ?? root, 'notQueries');
  if (root?.type === 'object') hasKey(root, note);
  const list = isList ? property?.value : undefined;
  const drafts = readList(list, { note, entries: 0 }, 1);
  const entries = assignDraftIds(drafts, note);
  problems.sort((a, b) => a.offset - b.offset);
  const blocks = new Map<string, Node>();
  collectBlocks(entries, blocks);
  return { tree: toTree(entries), problems, blocks, root, list, entries, isSound: isSound && isObject && isList };
}

const valueSeparators = new Set(Array.from(',{[', character => character.charCodeAt(0)));

/** Whether a text exceeds the limits. */
export function isTooLarge(text: string): boolean {
  if (text.length > fileLimits.characters) return true;
  let values = 0;
  for (let index = 0; index < text.length; index += 1) if (valueSeparators.has(text.charCodeAt(index))) values += 1;
  return values > fileLimits.values;
}

function readList(list: Node | undefined, reading: ReadState, depth: number): Draft[] {
  return (list?.children ?? []).map(node => readDraft(node, reading, depth));
}

function readDraft(node: Node, reading: ReadState, depth: number): Draft {
  const { note } = reading;
  const isFolder = findProperty(node, 'folder') ?? findProperty(node, 'queries');
  const isEntry = isFolder ?? findProperty(node, 'name') ?? findProperty(node, 'dataset');
  reading.entries += 1;
  if (reading.entries === fileLimits.entries + 1) note(node, 'tooMany');
  if (reading.entries > fileLimits.entries) return { node, entries: [] };
  if (!isEntry || depth > maxDepth) {
    note(node, isEntry ? 'tooDeep' : 'notAnEntry');
    return { node, entries: [] };
  }
  const id: unknown = findProperty(node, 'id')?.value.value;
  const writtenId = typeof id === 'string' ? id : undefined;
  return isFolder
    ? { ...readFolder(node, reading, depth), writtenId }
    : { node, writtenId, entries: [], read: readQuery(node, note) };
}

function readFolder(node: Node, reading: ReadState, depth: number): Draft {
  const { note } = reading;
  hasKey(node, note);
  const nameNode = findProperty(node, 'folder')?.value;
  if (nameNode?.type !== 'string') note(nameNode ?? node, 'notText', 'folder', 'warning');
  const name = nameNode?.type === 'string' ? String(nameNode.value) : '';
  if (name.length > fileLimits.text) {
    note(nameNode ?? node, 'tooLong', 'folder');
    return { node, entries: [] };
  }
  const list = findProperty(node, 'queries')?.value;
  if (list && list.type !== 'array') note(list, 'notAList', 'queries');
  const entries = readList(list?.type === 'array' ? list : undefined, reading, depth + 1);
  const written = findProperty(node, 'board')?.value;
  const board = parseBoard(getValue(written));
  if (written && !board) note(written, 'badBoard', 'board', 'warning');
  const text = readNote(node, note);
  const unknownFields = readUnknown(node);
  const content = {
    kind: 'folder',
    name,
    ...(text !== undefined && { note: text }),
    ...(board && { board }),
    ...(unknownFields && { unknownFields }),
  } as const;
  return { node, list, entries, read: content };
}

function assignDraftIds(drafts: readonly Draft[], note: ReportProblem): Entry[] {
  const claims: (IdClaim & { readonly draft: Draft })[] = [];
  const collect = (draft: Draft): void => {
    if (draft.read) claims.push({ draft, writtenId: draft.writtenId, ...draft.read });
    draft.entries.forEach(collect);
  };
  drafts.forEach(collect);
  const ids = assignIds(claims);
  const idsByDraft = new Map(claims.map(({ draft }, index) => [draft, ids[index] as string]));
  for (const [{ node, writtenId }, id] of idsByDraft) {
    const property = findProperty(node, 'id');
    if (property && (writtenId !== id || !isId(id))) note(property.value, 'badId', undefined, 'warning');
  }
  const finish = ({ read, ...draft }: Draft, id: string | undefined): Entry => {
    const entries = draft.entries.map(inner => finish(inner, idsByDraft.get(inner)));
    if (!read || id === undefined) return { ...draft, entries };
    return {
      ...draft,
      entries,
      item: read.kind === 'query' ? { ...read, id } : { ...read, id, items: toTree(entries) },
    };
  };
  return drafts.map(draft => finish(draft, idsByDraft.get(draft)));
}

function toTree(entries: readonly Entry[]): SavedItem[] {
  return entries.flatMap(({ item }) => item ?? []);
}

function collectBlocks(entries: readonly Entry[], blocks: Map<string, Node>): void {
  for (const { item, node, entries: inner } of entries) {
    if (item) blocks.set(item.id, node);
    collectBlocks(inner, blocks);
  }
}
