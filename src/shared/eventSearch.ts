import type { Resampling } from './resampling.ts';
import type { StressBand } from './stressBands.ts';

/** Every hour is in the lowest band or above it. */
export const eventBands = ['moderate', 'high', 'critical'] as const satisfies readonly StressBand[];
export type EventBand = (typeof eventBands)[number];

/** What is an event. Values are in the unit of the column. */
export type EventRule =
  /** An hour whose value is the greatest within `peakHours` before and after it. */
  | { readonly kind: 'peak' }
  /** A change over so many hours, up or down, of at least the value. */
  | { readonly kind: 'ramp'; readonly value: number; readonly hours: number }
  /** A run of hours in which a formula is true. */
  | { readonly kind: 'condition'; readonly condition: string }
  /** What was unusual: each row, or each day and so on, among those of the same time of the weeks before and of earlier years. */
  | UnusualRule;

/** Rules that find hours by themselves, one after the other. */
export type RunRule = Exclude<EventRule, UnusualRule>;

export interface UnusualRule {
  readonly kind: 'unusual';
  readonly by: UnusualRows;
}

/** What is compared with its like: rows as received, or those that they are resampled to. */
export const unusualRows = ['row', 'day', 'week', 'month'] as const;
export type UnusualRows = (typeof unusualRows)[number];

/** A search for events: plain data, so that page and host find the same in the same rows. Hours that do not count are not looked at. */
export interface EventSearch extends Pick<Resampling, 'start' | 'end' | 'stepMs' | 'lengths' | 'rows' | 'counted'> {
  readonly rule: EventRule;
  /** The name of a number column. */
  readonly column: string;
  /** Of unusual rows: how many could not be compared, and when the earliest began that others are compared with. */
  readonly unusual?: { readonly unjudged: number; readonly earliest: number };
}

export const peakHours = 12;
export const mostRampHours = 6;
/** So many hours in a row without a value are part of a run that goes on after them. */
export const mostBridgedHours = 3;

/** What to search for, in the order offered: those from `over` to `condition` write a condition. `ocgt` is the runs of OCGT. */
export const eventChoices = ['peak', 'ramp', 'over', 'under', 'ocgt', 'band', 'condition', 'unusual'] as const;
export type EventChoiceKind = (typeof eventChoices)[number];

/** What a person searches for. */
export interface EventChoice {
  readonly kind: EventChoiceKind;
  /** The name of a number column; undefined while none is chosen. */
  readonly column: string | undefined;
  /** As typed; undefined while it is what is usual for the column. */
  readonly value: string | undefined;
  /** Of a ramp. */
  readonly hours: number;
  readonly band: EventBand;
  /** What is compared with its like. */
  readonly by: UnusualRows;
}

export const initialChoice: EventChoice = {
  kind: 'peak',
  column: undefined,
  value: undefined,
  hours: 3,
  band: 'high',
  by: 'row',
};
