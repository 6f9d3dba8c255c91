import type { Query, ResolvedQuery } from '../query/query.ts';
import type { SavedBoard } from './board.ts';
import type { SerializedView } from '../../shared/view.ts';
import type { Alert } from '../watch/alert.ts';
import { isDue, publicationMs, type FreshnessRule } from '../query/freshness.ts';

/** A query that is saved under a name. */
export interface SavedQuery extends SerializedView {
  readonly kind: 'query';
  /** Unique within its store, and stable. */
  readonly id: string;
  /** Free text. Equal names in one folder are allowed: the id tells them apart. */
  readonly name: string;
  /** The query with its range as typed: a relative range stays relative. */
  readonly query: Query;
  /** The name of a connection; undefined for the active connection. */
  readonly connection?: string | undefined;
  /** Whether the query is refreshed once an hour while VS Code is open. */
  readonly keepFresh?: boolean | undefined;
  readonly alerts?: readonly Alert[] | undefined;
  /** Free text that appears in the query's section of a report. */
  readonly note?: string | undefined;
  /** Fields that another version of the extension wrote. No edit changes them. */
  readonly unknownFields?: Readonly<Record<string, unknown>> | undefined;
}

export interface SavedFolder {
  readonly kind: 'folder';
  /** Unique within its store. */
  readonly id: string;
  readonly name: string;
  /** The content in display order. */
  readonly items: SavedTree;
  /** Free text that appears at the beginning of the folder's report. */
  readonly note?: string | undefined;
  /** The saved layout; undefined if none was saved. */
  readonly board?: SavedBoard | undefined;
  /** Fields that another version of the extension wrote. */
  readonly unknownFields?: SavedQuery['unknownFields'];
}

/** The maximum number of characters of a note. */
export const maxNoteLength = 5_000;

export type SavedItem = SavedQuery | SavedFolder;

/** The content of a store or of a folder, in display order. Never changed in place. */
export type SavedTree = readonly SavedItem[];

/** The position to insert an item at: in a folder (undefined: the top), before a sibling (undefined or unknown: last). */
export interface TreePosition {
  readonly folder?: string | undefined;
  readonly before?: string | undefined;
}

/** The fields of a query, besides its name, that an edit can change. Undefined removes a field. */
export type QueryChange = Partial<
  Pick<SavedQuery, 'query' | 'connection' | 'keepFresh' | 'alerts' | 'analysis' | 'display'>
>;

/**
 * Returns the first unused name among those for n = 1, 2, …, and marks it as used. `numbers` caches the next n to try by the name for
 * n = 1, so that many items of the same name are numbered in linear time.
 */
export function claimFreeName(
  formatName: (n: number) => string,
  usedNames: Set<string>,
  numbers: Map<string, number>,
): string {
  const firstName = formatName(1);
  let n = numbers.get(firstName) ?? 1;
  while (usedNames.has(formatName(n))) n += 1;
  numbers.set(firstName, n + 1);
  const name = formatName(n);
  usedNames.add(name);
  return name;
}

/** Whether a run now would return nothing new since the run at `ranAt` (UTC milliseconds). */
export function isStillFresh({ start, end, intervalMs }: ResolvedQuery, ranAt: number, rule: FreshnessRule): boolean {
  if (intervalMs === undefined) return Math.floor(ranAt / publicationMs) >= Math.floor(rule.now / publicationMs);
  // The latest completed interval becomes due first.
  const lastInterval =
    Math.floor(Math.min(end, Math.max(rule.now, start + intervalMs)) / intervalMs) * intervalMs - intervalMs;
  return !isDue(lastInterval, intervalMs, ranAt, rule);
}
