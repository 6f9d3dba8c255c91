import type { Node } from 'jsonc-parser';
import type { SavedFolder, SavedItem, SavedQuery, SavedTree } from '../savedItem.ts';
import { assignIds, isId, type IdClaim } from './entryIds.ts';
import { parseText, propertyOf } from './fileNode.ts';
import type { FileProblem } from './fileProblem.ts';
import { hasKey, readQuery, type Note } from './readEntry.ts';

/** What a file of queries says. */
export interface QueriesFile {
  readonly tree: SavedTree;
  /** In the order of the text. Entries without an error among them are in the tree. */
  readonly problems: readonly FileProblem[];
  /** Where the block of each item is, by id. */
  readonly blocks: ReadonlyMap<string, { readonly offset: number; readonly length: number }>;
}

/** An element of a list of entries. Without an item it could not be read; it stays where it is. */
export interface Entry {
  readonly node: Node;
  readonly item?: SavedItem | undefined;
  readonly writtenId: string | undefined;
  /** Of a folder: its list, where it has one, and what is in it. */
  readonly list?: Node | undefined;
  readonly entries: readonly Entry[];
}

export interface ParsedFile extends QueriesFile {
  readonly root: Node | undefined;
  readonly list: Node | undefined;
  readonly entries: readonly Entry[];
  /** No edit can be trusted in a text that is not JSON, or no file of queries. */
  readonly isSound: boolean;
}

/** Deeper than anybody sorts, and far from where recursion ends. */
const deepest = 50;

type Draft = Omit<Entry, 'item' | 'entries'> & {
  readonly query?: Omit<SavedQuery, 'id'> | undefined;
  readonly folder?: string | undefined;
  readonly entries: readonly Draft[];
};

/** Reads `.vscode/grid-queries.json` (undefined: there is none): JSON with comments. Never throws. */
export function parseQueriesFile(text: string | undefined): QueriesFile {
  const { tree, problems, blocks } = parseEntries(text ?? '');
  return { tree, problems, blocks };
}

/** As above, with what edits need to know. */
export function parseEntries(text: string): ParsedFile {
  const { root, problems } = parseText(text);
  const isSound = problems.length === 0;
  const note: Note = ({ offset, length }, code, part, severity = 'error') => {
    problems.push({ code, offset, length, part, severity });
  };
  const property = root && propertyOf(root, 'queries');
  const isObject = root === undefined || root.type === 'object';
  const isList = property === undefined || property.value.type === 'array';
  if (root && (!isObject || !isList)) note(property?.value ?? root, 'notQueries');
  if (root?.type === 'object') hasKey(root, note);
  const list = isList ? property?.value : undefined;
  const drafts = readList(list, note, 1);
  const entries = withIds(drafts, note);
  problems.sort((a, b) => a.offset - b.offset);
  const blocks = new Map<string, Node>();
  collectBlocks(entries, blocks);
  return { tree: treeOf(entries), problems, blocks, root, list, entries, isSound: isSound && isObject && isList };
}

function readList(list: Node | undefined, note: Note, depth: number): Draft[] {
  return (list?.children ?? []).map(node => {
    const bad: Draft = { node, writtenId: undefined, entries: [] };
    const isFolder = node.type === 'object' && (propertyOf(node, 'folder') ?? propertyOf(node, 'queries'));
    if (node.type !== 'object' || (!isFolder && !propertyOf(node, 'name') && !propertyOf(node, 'dataset'))) {
      note(node, 'notAnEntry');
      return bad;
    }
    if (depth > deepest) {
      note(node, 'tooDeep');
      return bad;
    }
    const id: unknown = propertyOf(node, 'id')?.value.value;
    const writtenId = typeof id === 'string' ? id : undefined;
    return isFolder
      ? { ...readFolder(node, note, depth), writtenId }
      : { ...bad, writtenId, query: readQuery(node, note) };
  });
}

function readFolder(node: Node, note: Note, depth: number): Omit<Draft, 'writtenId'> {
  hasKey(node, note);
  const name = propertyOf(node, 'folder')?.value;
  if (name?.type !== 'string') note(name ?? node, 'notText', 'folder', 'warning');
  const list = propertyOf(node, 'queries')?.value;
  if (list && list.type !== 'array') note(list, 'notAList', 'queries');
  const entries = readList(list?.type === 'array' ? list : undefined, note, depth + 1);
  return { node, folder: name?.type === 'string' ? String(name.value) : '', list, entries };
}

function withIds(drafts: readonly Draft[], note: Note): Entry[] {
  const claims: (IdClaim & { readonly draft: Draft })[] = [];
  const collect = (draft: Draft): void => {
    const { writtenId: written, query, folder } = draft;
    if (query) claims.push({ draft, written, kind: 'query', name: query.name });
    if (folder !== undefined) claims.push({ draft, written, kind: 'folder', name: folder });
    draft.entries.forEach(collect);
  };
  drafts.forEach(collect);
  const ids = assignIds(claims);
  const idOf = new Map(claims.map(({ draft }, index) => [draft, ids[index] as string]));
  for (const [draft, id] of idOf) {
    const property = propertyOf(draft.node, 'id');
    if (property && (draft.writtenId !== id || !isId(id))) note(property.value, 'badId', undefined, 'warning');
  }
  const finish = (draft: Draft): Entry => {
    const { node, writtenId, list, query, folder } = draft;
    const entries = draft.entries.map(finish);
    const id = idOf.get(draft) ?? '';
    const item: SavedItem | undefined = query
      ? { ...query, id }
      : folder === undefined
        ? undefined
        : asFolder(id, folder);
    return {
      ...{ node, writtenId, list, entries },
      item: item?.kind === 'folder' ? { ...item, items: treeOf(entries) } : item,
    };
  };
  return drafts.map(finish);
}

function asFolder(id: string, name: string): SavedFolder {
  return { kind: 'folder', id, name, items: [] };
}

function treeOf(entries: readonly Entry[]): SavedItem[] {
  return entries.flatMap(({ item }) => (item ? [item] : []));
}

function collectBlocks(entries: readonly Entry[], blocks: Map<string, Node>): void {
  for (const { item, node, entries: inner } of entries) {
    if (item) blocks.set(item.id, node);
    collectBlocks(inner, blocks);
  }
}
