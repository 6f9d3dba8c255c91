import type { Resampling } from './resampling.ts';
import type { StressBand } from './stressBands.ts';

/** The bands that an event can be defined by. The lowest band is omitted, because every hour reaches it. */
export const eventBands = ['moderate', 'high', 'critical'] as const satisfies readonly StressBand[];
export type EventBand = (typeof eventBands)[number];

/** Defines an event. Values are in the unit of the column. */
export type EventRule =
  /** An hour whose value is the greatest within `peakHours` before and after it. */
  | { readonly kind: 'peak' }
  /** A change of at least `value`, up or down, within `hours`. */
  | { readonly kind: 'ramp'; readonly value: number; readonly hours: number }
  /** Consecutive hours in which a formula is true. */
  | { readonly kind: 'condition'; readonly condition: string }
  /** Rows, or days and so on, that are unusual compared with the same time in the weeks before and in earlier years. */
  | UnusualRule;

/** The rules that need no rows from before the result. */
export type RunRule = Exclude<EventRule, UnusualRule>;

export interface UnusualRule {
  readonly kind: 'unusual';
  readonly by: UnusualBin;
}

/** The rows that are compared with earlier ones: those received, or the bins that they are resampled to. */
export const unusualBins = ['row', 'day', 'week', 'month'] as const;
export type UnusualBin = (typeof unusualBins)[number];

/** A search for events: plain data, so that page and host find the same events. Hours that are not counted are ignored. */
export interface EventSearch extends Pick<Resampling, 'start' | 'end' | 'intervalMs' | 'lengths' | 'rows' | 'counted'> {
  readonly rule: EventRule;
  /** The name of a number column. */
  readonly column: string;
  /** For unusual rows: the number of rows that could not be compared, and the beginning of the earliest row that others are compared with. */
  readonly unusual?: { readonly unrated: number; readonly earliest: number };
}

export const peakHours = 12;
export const maxRampHours = 6;
/** The longest gap, in hours, that does not end a run of hours. */
export const maxBridgedHours = 3;

/** The kinds of search in the order of the menu. Those from `over` to `condition` are conditions; `ocgt` finds runs of the OCGT turbines. */
export const eventChoices = ['peak', 'ramp', 'over', 'under', 'ocgt', 'band', 'condition', 'unusual'] as const;
export type EventChoiceKind = (typeof eventChoices)[number];

/** The search that the user has selected. */
export interface EventChoice {
  readonly kind: EventChoiceKind;
  /** The name of a number column; undefined if none is selected. */
  readonly column: string | undefined;
  /** The value as typed; undefined for the default of the column. */
  readonly value: string | undefined;
  /** The length of a ramp. */
  readonly hours: number;
  readonly band: EventBand;
  /** The rows that are compared with earlier ones. */
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
