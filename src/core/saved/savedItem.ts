import type { Query } from '../query.ts';
import type { Alert } from '../watch/alert.ts';

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
export interface Place {
  readonly folder?: string | undefined;
  readonly before?: string | undefined;
}

/** What can be changed of a query beside its name. A value of undefined removes what was there. */
export type QueryChange = Partial<Pick<SavedQuery, 'query' | 'connection' | 'keepFresh' | 'alerts'>>;
