import * as nodeFs from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import * as v from 'valibot';
import { analysisSchema } from '../core/analysis/analysisSchema.ts';
import type { SavedQuery } from '../core/savedQueries/savedItem.ts';
import { InputError } from '../host/inputError.ts';
import { parseCompleteQuery } from '../host/query/queryArgument.ts';
import { readRegularTextFile } from '../service/files/regularFile.ts';
import type { CommandArguments } from './commandLine.ts';
import type { RequestedResult } from './environment.ts';
import { findQueriesFile, findSavedItem, listQueriesIn, readSavedQueries } from './savedQueries.ts';

/** The options that name a query: a saved one, or one that is written out. */
export const queryOptions = {
  queries: { type: 'string' },
  dataset: { type: 'string' },
  range: { type: 'string' },
  interval: { type: 'string' },
  zone: { type: 'string' },
  param: { type: 'string', multiple: true },
  analysis: { type: 'string' },
  fields: { type: 'string' },
} as const;

/** A query to run, with its name, its alerts, and the view in which a report shows it. */
export interface NamedQuery extends RequestedResult, Pick<SavedQuery, 'alerts' | 'note'> {
  readonly name: string | undefined;
}

/** The queries of a command line. If it names a single item, `title` is the name of the item, and `note` that of a folder. */
export interface RequestedQueries {
  readonly title?: string | undefined;
  readonly note?: string | undefined;
  readonly queries: readonly NamedQuery[];
}

/**
 * Returns the queries that the arguments name: saved queries and folders by name, or the query of --dataset and --range. Options replace the
 * parts of a saved query. Throws InputError.
 */
export async function readRequestedQueries(args: CommandArguments, folder: string): Promise<RequestedQueries> {
  const { positionals, text } = args;
  const analysis = await parseAnalysis(text('analysis'), text('fields'));
  const written = {
    ...pickDefined({
      dataset: text('dataset'),
      range: text('range'),
      interval: text('interval'),
      timeZone: text('zone'),
    }),
    ...(args.texts('param').length > 0 && { params: parseParams(args.texts('param')) }),
  };
  if (positionals.length === 0) {
    const { query } = parseCompleteQuery({ dataset: 'systemState', ...written });
    return { queries: [{ name: undefined, query, analysis }] };
  }
  const file = text('queries') ?? findQueriesFile(folder);
  const tree = await readSavedQueries(file);
  const fileFolder = dirname(resolve(folder, file ?? ''));
  const workspace = basename(fileFolder) === '.vscode' ? dirname(fileFolder) : fileFolder;
  const items = positionals.map(path => findSavedItem(tree, path));
  const queries = items.flatMap(listQueriesIn).map(({ name, query, display, note, alerts, ...saved }) => {
    const changed = Object.keys(written).length > 0 ? parseCompleteQuery({ ...query, ...written }).query : query;
    const merged = { ...saved.analysis, ...analysis };
    return {
      name,
      query: changed,
      workspace,
      connection: saved.connection,
      ...(Object.keys(merged).length > 0 && { analysis: merged }),
      display,
      note,
      alerts,
    };
  });
  const [item] = items;
  if (!item || items.length > 1) return { queries };
  return { title: item.name, note: item.kind === 'folder' ? item.note : undefined, queries };
}

function pickDefined(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function parseParams(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map(text => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
      if (name === undefined || value === undefined)
        throw new InputError('--param takes NAME=VALUE, such as components=true.');
      return [name, value];
    }),
  );
}

const maxAnalysisBytes = 1_000_000;

/** Parses an analysis: JSON, or @FILE with JSON. Throws InputError with the location of the first problem. */
async function parseAnalysis(
  text: string | undefined,
  fields: string | undefined,
): Promise<RequestedResult['analysis']> {
  const columns = fields === undefined ? {} : { columns: fields.split(',').map(name => name.trim()) };
  if (text === undefined) return fields === undefined ? undefined : columns;
  let json: unknown;
  try {
    json = JSON.parse(text.startsWith('@') ? await readAnalysisFile(text.slice(1)) : text);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError('--analysis takes JSON such as {"resample":"day"}, or @FILE with JSON.');
  }
  const outcome = v.safeParse(analysisSchema, json);
  if (outcome.success) return { ...outcome.output, ...columns };
  const [issue] = outcome.issues;
  throw new InputError(`--analysis: ${v.getDotPath(issue) ?? 'the object'}: ${issue.message}`);
}

async function readAnalysisFile(path: string): Promise<string> {
  const text = await readRegularTextFile(path, maxAnalysisBytes, nodeFs).catch(() => undefined);
  if (text === undefined) throw new InputError(`The file of --analysis cannot be read: ${path}`);
  return text;
}
