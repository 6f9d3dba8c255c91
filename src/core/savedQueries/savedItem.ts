import type { Query, ResolvedQuery } from '../query/query.ts';
import type { SavedBoard } from './board.ts';
import type { SavedView } from '../../shared/savedView.ts';
import type { Alert } from '../watch/alert.ts';
import { isDue, publicationMs, type FreshnessRule } from '../query/freshness.ts';

/** A query that is saved under a name. */
export interface SavedQuery extends SavedView {
  readonly kind: 'query';
  /** Unique within its store, and stable. */
  readonly id: string;
  /** Free text. Equal names in one folder are allowed: the id tells them apart. */
  readonly name: string;
  /** The range stays as written: a relative range stays relative. */
  readonly query: Query;
  /** The name of a connection; undefined for the active one. */
  readonly connection?: string | undefined;
  /** Refreshed once an hour while VS Code is open. */
  readonly keepFresh?: boolean | undefined;
  readonly alerts?: readonly Alert[] | undefined;
  /** Free text, which stands in its section of a report. */
  readonly note?: string | undefined;
  /** What another version wrote beside these fields; no edit changes it. */
  readonly unknownFields?: Readonly<Record<string, unknown>> | undefined;
}

export interface SavedFolder {
  readonly kind: 'folder';
  /** Unique within its store. */
  readonly id: string;
  readonly name: string;
  /** In display order. */
  readonly items: SavedTree;
  /** Free text, which stands at the beginning of its report. */
  readonly note?: string | undefined;
  /** Undefined where no layout was saved. */
  readonly board?: SavedBoard | undefined;
  /** As of a query. */
  readonly unknownFields?: SavedQuery['unknownFields'];
}

/** Characters of a note. */
export const longestNote = 5_000;

export type SavedItem = SavedQuery | SavedFolder;

/** The content of a store or of a folder, in display order. Never changed in place. */
export type SavedTree = readonly SavedItem[];

/** Where to insert an item: in a folder (undefined: the top), before a sibling (undefined or unknown: last). */
export interface TreePosition {
  readonly folder?: string | undefined;
  readonly before?: string | undefined;
}

/** The changes that a query allows besides its name. Undefined removes a value. */
export type QueryChange = Partial<
  Pick<SavedQuery, 'query' | 'connection' | 'keepFresh' | 'alerts' | 'analysis' | 'display'>
>;

/**
 * Takes the first of the names for n from 1 on that is free. `numbers` has for each first name the next n to try, so that many items of one
 * name are numbered in linear time.
 */
export function takeFree(nameOf: (n: number) => string, taken: Set<string>, numbers: Map<string, number>): string {
  const first = nameOf(1);
  let n = numbers.get(first) ?? 1;
  while (taken.has(nameOf(n))) n += 1;
  numbers.set(first, n + 1);
  const name = nameOf(n);
  taken.add(name);
  return name;
}

/** Whether a run now brings nothing that was not available at `askedAt` (UTC milliseconds). */
export function isStillFresh({ start, end, stepMs }: ResolvedQuery, askedAt: number, rule: FreshnessRule): boolean {
  if (stepMs === undefined) return Math.floor(askedAt / publicationMs) >= Math.floor(rule.now / publicationMs);
  // The latest step that is over becomes due first.
  const last = Math.floor(Math.min(end, Math.max(rule.now, start + stepMs)) / stepMs) * stepMs - stepMs;
  return !isDue(last, stepMs, askedAt, rule);
}
