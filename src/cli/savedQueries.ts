import { existsSync } from 'node:fs';
import * as nodeFs from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileLimits } from '../core/savedQueries/file/fileProblem.ts';
import { parseQueriesFile } from '../core/savedQueries/file/queriesFile.ts';
import type { SavedItem, SavedQuery, SavedTree } from '../core/savedQueries/savedItem.ts';
import { allQueries, walk } from '../core/savedQueries/walk.ts';
import { findKeyLikePart } from '../core/savedQueries/keyLike.ts';
import { InputError } from '../host/inputError.ts';
import { readRegularTextFile } from '../service/files/regularFile.ts';

/** The file of a workspace's saved queries, relative to its folder. */
const queriesFile = join('.vscode', 'grid-queries.json');

/** Finds the file of saved queries in a folder or the nearest one above it. */
export function findQueriesFile(folder: string): string | undefined {
  for (let current = resolve(folder); ; current = dirname(current)) {
    const file = join(current, queriesFile);
    if (existsSync(file)) return file;
    if (dirname(current) === current) return undefined;
  }
}

/** Reads the saved queries of a workspace file. Throws InputError if the file is missing or contains an error. */
export async function readSavedQueries(file: string | undefined): Promise<SavedTree> {
  if (file === undefined)
    throw new InputError(`No ${queriesFile} in this folder or above it. Use --queries FILE, or --dataset and --range.`);
  // A character takes at most four bytes.
  const text = await readRegularTextFile(file, fileLimits.characters * 4, nodeFs).catch(() => undefined);
  if (text === undefined) throw new InputError(`The file of saved queries cannot be read: ${file}`);
  const { tree, problems } = parseQueriesFile(text);
  // VS Code runs a query without an invalid analysis and says so. A script would take its rows for the analyzed ones.
  const problem = problems.find(({ severity, code }) => severity === 'error' || code === 'badAnalysis');
  if (problem)
    throw new InputError(`The file of saved queries has errors: ${file}. Open it in VS Code, which shows them.`);
  return tree;
}

/** Returns the saved query or folder with a name, or at a path of names such as "Reports/Weekly". Throws InputError. */
export function findSavedItem(tree: SavedTree, path: string): SavedItem {
  const names = new Map(walk(tree).map(({ item }) => [item.id, item.name]));
  const candidates = walk(tree).map(location => ({
    item: location.item,
    path: [...location.path.map(id => names.get(id) ?? ''), location.item.name].join('/'),
  }));
  // A complete path precedes a name, so that a query at the top can be named beside one of the same name in a folder.
  const atPath = candidates.filter(candidate => candidate.path === path);
  const matches = atPath.length > 0 ? atPath : candidates.filter(({ item }) => item.name === path);
  const [match] = matches;
  if (match && matches.length === 1) return match.item;
  const list = (match ? matches : candidates.filter(({ item }) => item.kind === 'query')).slice(0, 10);
  const paths = list.map(candidate => `'${candidate.path}'`).join(', ');
  throw new InputError(
    match
      ? `Several saved queries are named '${path}'. Use one of ${paths}.`
      : `No saved query '${path}'. Use one of ${paths}.`,
  );
}

/** Returns the saved queries of an item: itself, or the content of a folder. Throws InputError if one holds a key. */
export function listQueriesIn(item: SavedItem): readonly SavedQuery[] {
  const queries = item.kind === 'query' ? [item] : allQueries(item.items);
  if (findKeyLikePart(queries) !== undefined)
    throw new InputError(`'${item.name}' contains what looks like a key. Remove it: keys do not belong in a file.`);
  return queries;
}
