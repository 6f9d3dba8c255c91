import { t } from '@vscode/l10n';
import * as v from 'valibot';
import { findDataset, queriedDatasets } from '../../core/query/catalogue.ts';
import { formatInstant, parseInstant } from '../../core/time/instant.ts';
import { findZone } from '../../core/time/zone.ts';
import { normalizeRange } from '../../core/range/parseRange.ts';
import { type Query, resolveQuery, type ResolvedQuery } from '../../core/query/query.ts';
import { fileLimits } from '../../core/savedQueries/file/fileProblem.ts';
import { isKeyName, isKeyText } from '../../core/savedQueries/keyLike.ts';
import { toInertText } from '../../core/inertText.ts';
import { GridError } from '../../core/errors.ts';
import type { Connection } from '../../core/connections/connection.ts';
import type { Connections } from '../../service/connections/connections.ts';
import { InputError } from '../inputError.ts';
import { displayZone } from '../settings.ts';
import { describeQueryProblem } from '../messages/problems.ts';

const instantSchema = v.union([v.string(), v.date(), v.number()]);

const argumentSchema = v.strictObject({
  dataset: v.optional(v.string()),
  range: v.optional(v.string()),
  start: v.optional(instantSchema),
  end: v.optional(instantSchema),
  interval: v.optional(
    v.pipe(v.string(), v.regex(/^(?:[\w-]{1,16}|1d@[\w+/-]{1,64})$/, 'interval is a text such as "1h" or "1d@SAST"')),
  ),
  params: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()]))),
  timeZone: v.optional(v.pipe(v.string(), v.maxLength(fileLimits.text))),
  connection: v.optional(v.string()),
});

/** The argument of `gridData.runQuery` and of the public API: a range, or start and end (exclusive) as instants. */
export type QueryArgument = v.InferInput<typeof argumentSchema>;

export interface ParsedArgument {
  /** Undefined if the argument is incomplete; then the user is prompted. */
  readonly query: Query | undefined;
  readonly dataset: string | undefined;
  readonly connection: string | undefined;
}

/** Parses an argument from outside. Throws InputError with a sentence that says what to change. */
export function parseQueryArgument(argument: unknown): ParsedArgument {
  const parsed = parseArgument(argumentSchema, argument ?? {});
  const { dataset, start, end, interval, params, connection } = parsed;
  const { text: maxLength, elements: maxParams } = fileLimits;
  const entries = Object.entries(params ?? {});
  const texts = [dataset, parsed.range, start, end, connection, ...entries.flat()];
  if (entries.length > maxParams || texts.some(text => typeof text === 'string' && text.length > maxLength))
    throw new InputError(
      t('A query has at most {0} parameters, and no text longer than {1} characters.', maxParams, maxLength),
    );
  const knownDataset = dataset === undefined ? undefined : findDataset(dataset);
  if (dataset !== undefined && !knownDataset) {
    throw new InputError(t("Unknown dataset '{0}'. Use {1}.", dataset, queriedDatasets.map(({ id }) => id).join(', ')));
  }
  if ((start === undefined) !== (end === undefined)) throw new InputError(t('Specify both start and end, or a range.'));
  if (start !== undefined && parsed.range !== undefined)
    throw new InputError(t('Specify either a range, or start and end, not both.'));
  const reserved = entries.map(([name]) => name).find(name => /^(start|end|interval)$/.test(name));
  if (reserved !== undefined)
    throw new InputError(t("'{0}' is a property of the query. Remove it from params.", reserved));
  const secret = entries.find(([name, value]) => isKeyName(name) || isKeyText(String(value)));
  if (secret)
    throw new InputError(t("'{0}' looks like a key. Remove it from params: a key belongs to a connection.", secret[0]));
  const zone = parsed.timeZone === undefined ? displayZone() : findZone(parsed.timeZone);
  if (!zone)
    throw new InputError(
      t("Unknown time zone '{0}'. Use UTC, SAST or a name such as Europe/Berlin.", parsed.timeZone ?? ''),
    );
  const range =
    start === undefined
      ? parsed.range
      : `${formatInstantArgument('start', start)}..${formatInstantArgument('end', end)}`;
  const query: Query | undefined =
    knownDataset && range !== undefined
      ? {
          dataset: knownDataset.id,
          range: normalizeRange(range),
          interval: interval ?? knownDataset.intervals[0] ?? '1h',
          params: Object.fromEntries(entries.map(([name, value]) => [name, String(value)])),
          timeZone: zone.timeZone,
        }
      : undefined;
  return { query, dataset, connection };
}

/** Parses an argument that has to be complete, because there is no prompt. Also throws InputError if the range is missing. */
export function parseCompleteQuery(argument: unknown): ParsedArgument & { readonly query: Query } {
  const { query, ...rest } = parseQueryArgument(argument);
  if (!query) throw new InputError(t('A query needs a dataset and a range, or start and end.'));
  return { query, ...rest };
}

function formatInstantArgument(name: string, value: v.InferOutput<typeof instantSchema> | undefined): string {
  const ms = typeof value === 'string' ? parseInstant(value) : Number(value);
  if (ms === undefined || !Number.isFinite(new Date(ms).getTime())) {
    throw new InputError(t('{0} must be an instant with its zone, such as 2023-01-01T00:00:00Z.', name));
  }
  return formatInstant(ms);
}

/** Copies an argument from outside that matches a schema. Throws InputError if it does not match or if reading it throws. */
export function parseArgument<T extends v.GenericSchema>(schema: T, argument: unknown): v.InferOutput<T> {
  let parsed: v.SafeParseResult<T>;
  try {
    parsed = v.safeParse(schema, argument);
  } catch {
    throw new InputError(t('Invalid argument: it cannot be read. Pass a plain object.'));
  }
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const location = toInertText(v.getDotPath(issue) ?? 'the argument', 200);
  throw new InputError(t('Invalid query ({0}: {1}).', location, toInertText(issue.message, 200)));
}

/** Resolves the range of a query at `now`, in UTC milliseconds. Throws InputError. */
export function resolveQueryAt(query: Query, now: number): ResolvedQuery {
  const resolved = resolveQuery(query, now);
  if (!resolved.ok) throw new InputError(describeQueryProblem(resolved));
  return resolved.value;
}

/** Returns the connection with this name, or the active one. Throws if there is none. */
export function getConnection(connections: Connections, name: string | undefined): Connection {
  const connection = name === undefined ? connections.active() : connections.findByName(name);
  if (connection) return connection;
  if (name === undefined || connections.list().length === 0) throw new GridError('noConnection');
  const names = connections.list().map(entry => entry.name);
  throw new InputError(t("Unknown connection '{0}'. Use {1}.", name, names.join(', ')));
}

/**
 * Ignores a tree item as the argument of a command. VS Code passes the focused item to the buttons in a view's title too, where
 * it has no meaning.
 */
export function ignoreTreeItem(argument: unknown): unknown {
  return typeof argument === 'object' && argument !== null && 'kind' in argument ? undefined : argument;
}
