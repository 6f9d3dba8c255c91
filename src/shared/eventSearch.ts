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
  | { readonly kind: 'condition'; readonly condition: string };

/** A search for events: plain data, so that page and host find the same in the same rows. Hours that do not count are not looked at. */
export interface EventSearch extends Pick<Resampling, 'start' | 'end' | 'stepMs' | 'rows' | 'counted'> {
  readonly rule: EventRule;
  /** The name of a number column. */
  readonly column: string;
}

export const peakHours = 12;
export const mostRampHours = 6;
/** So many hours in a row without a value are part of a run that goes on after them. */
export const mostBridgedHours = 3;

/** What to search for, in the order offered: all but the first two and the last write a condition. `ocgt` is the runs of OCGT. */
export const eventChoices = ['peak', 'ramp', 'over', 'under', 'ocgt', 'band', 'condition'] as const;
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
}

export const initialChoice: EventChoice = {
  kind: 'peak',
  column: undefined,
  value: undefined,
  hours: 3,
  band: 'high',
};
