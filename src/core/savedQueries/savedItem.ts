import type { Query, ResolvedQuery } from '../query/query.ts';
import type { Alert } from '../watch/alert.ts';
import { isDue, publicationMs, type FreshnessRule } from '../query/freshness.ts';

/** A question that a person keeps. */
export interface SavedQuery {
  readonly kind: 'query';
  /** Unique within its home, and the same for as long as the query lives there. */
  readonly id: string;
  /** Free text. Equal names in one folder are allowed: the id tells them apart. */
  readonly name: string;
  /** The range stays as written: relative stays relative. */
  readonly query: Query;
  /** The name of a connection; without one the active connection is asked. */
  readonly connection?: string | undefined;
  /** Asked for once an hour while VS Code is open. */
  readonly keepFresh?: boolean | undefined;
  readonly alerts?: readonly Alert[] | undefined;
}

export interface SavedFolder {
  readonly kind: 'folder';
  /** Unique within its home. */
  readonly id: string;
  readonly name: string;
  /** In the person's own order. */
  readonly items: SavedTree;
}

export type SavedItem = SavedQuery | SavedFolder;

/** All of a home, or the content of a folder, in the person's own order. Never changed in place. */
export type SavedTree = readonly SavedItem[];

/** Where an item goes: into a folder (none: the top), before a sibling (none, or one that is not there: last). */
export interface TreePosition {
  readonly folder?: string | undefined;
  readonly before?: string | undefined;
}

/** What can be changed of a query beside its name. A value of undefined removes what was there. */
export type QueryChange = Partial<Pick<SavedQuery, 'query' | 'connection' | 'keepFresh' | 'alerts'>>;

/** "Name copy", "Name copy 2": the first that no sibling has. A copy of a copy counts on from it. */
export function copyNameIn(
  siblings: SavedTree,
  name: string,
  copyName: (name: string, n: number) => string = (base, n) => (n === 1 ? `${base} copy` : `${base} copy ${n}`),
): string {
  return firstFree(siblings, n => copyName(name.replace(/ copy(?: \d+)?$/, ''), n));
}

function firstFree(siblings: SavedTree, nameOf: (n: number) => string): string {
  return takeFree(nameOf, new Set(siblings.map(({ name }) => name)), new Map());
}

/**
 * Takes the first name that is not taken, for n from 1 on. `numbers` holds for each first name where to go on looking: many of one
 * name are numbered in one pass.
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

/** Whether asking the question now brings nothing that was not there at `askedAt` (UTC milliseconds). */
export function isStillFresh({ start, end, stepMs }: ResolvedQuery, askedAt: number, rule: FreshnessRule): boolean {
  if (stepMs === undefined) return Math.floor(askedAt / publicationMs) >= Math.floor(rule.now / publicationMs);
  // The youngest step that is over is the first to be asked for again.
  const last = Math.floor(Math.min(end, Math.max(rule.now, start + stepMs)) / stepMs) * stepMs - stepMs;
  return !isDue(last, stepMs, askedAt, rule);
}
