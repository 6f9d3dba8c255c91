import type { Resampling } from './resampling.ts';
import type { StressBand } from './stressBands.ts';

/** The stress bands for finding events. The lowest band is omitted, because every hour reaches it. */
export const eventBands = ['moderate', 'high', 'critical'] as const satisfies readonly StressBand[];
export type EventBand = (typeof eventBands)[number];

/** Defines which rows are events. Values are in the unit of the column. */
export type EventRule =
  /** An hour with the greatest value within `peakHours` before and after it. */
  | { readonly kind: 'peak' }
  /** A change of at least `value`, up or down, within `hours`. */
  | { readonly kind: 'ramp'; readonly value: number; readonly hours: number }
  /** Consecutive hours in which a formula is true. */
  | { readonly kind: 'condition'; readonly condition: string }
  /** Rows or bins with an unusual value, compared with the same time in previous weeks and earlier years. */
  | UnusualRule;

/** The rules that need no history. */
export type RunRule = Exclude<EventRule, UnusualRule>;

export interface UnusualRule {
  readonly kind: 'unusual';
  readonly by: UnusualBin;
}

/** The rows to compare with their history: the received rows, or bins of this size. */
export const unusualBins = ['row', 'day', 'week', 'month'] as const;
export type UnusualBin = (typeof unusualBins)[number];

/** A search for events. It is plain data, so that page and host find the same events. Hours that are not counted are ignored. */
export interface EventSearch extends Pick<
  Resampling,
  'start' | 'end' | 'intervalMs' | 'lengths' | 'rows' | 'counted' | 'tariffs'
> {
  readonly rule: EventRule;
  /** The name of a number column. */
  readonly column: string;
  /** For unusual rows: the number of rows that could not be rated, and the start of the earliest row of the history. */
  readonly unusual?: { readonly unrated: number; readonly earliest: number };
}

export const peakHours = 12;
export const maxRampHours = 6;
/** The maximum length of a gap within a run, in hours. */
export const maxBridgedHours = 3;

/** The kinds of search in menu order. `over`, `under`, `ocgt`, `band` and `condition` become conditions. `ocgt` finds runs of the OCGT turbines. */
export const eventChoices = ['peak', 'ramp', 'over', 'under', 'ocgt', 'band', 'condition', 'unusual'] as const;
export type EventChoiceKind = (typeof eventChoices)[number];

/** The search that the user has selected. */
export interface EventChoice {
  readonly kind: EventChoiceKind;
  /** The name of a number column; undefined if none is selected. */
  readonly column: string | undefined;
  /** The value as typed; undefined for the default of the column. */
  readonly value: string | undefined;
  /** The maximum length of a ramp, in hours. */
  readonly hours: number;
  readonly band: EventBand;
  /** For unusual rows: the rows to compare with their history. */
  readonly by: UnusualBin;
}

export const initialEventChoice: EventChoice = {
  kind: 'peak',
  column: undefined,
  value: undefined,
  hours: 3,
  band: 'high',
  by: 'row',
};
