import type { StressBand } from '../../shared/stressBands.ts';

/** The condition of an alert. Values are in the field's own unit. */
export type AlertRule =
  | { readonly kind: 'over' | 'under'; readonly field: string; readonly value: number }
  /** The stress index is in this band or a higher one. */
  | { readonly kind: 'stressBand'; readonly band: StressBand }
  /** OCGT output rose by more than so many MW within the hour. */
  | { readonly kind: 'rampAbove'; readonly value: number }
  /** The service reports that its data is late. */
  | { readonly kind: 'late' };

/** An alert, stored with its saved query. */
export type Alert = AlertRule & {
  /** Unique within its query. */
  readonly id: string;
  readonly on: boolean;
  /** UTC milliseconds: ignores hours that end by then, also if they are published later. */
  readonly snoozedUntil?: number | undefined;
};

/** A text that is equal for alerts with the same condition, whatever their id and state. */
export function ruleText(alert: AlertRule): string {
  switch (alert.kind) {
    case 'over':
    case 'under':
      return JSON.stringify([alert.kind, alert.field, alert.value]);
    case 'stressBand':
      return JSON.stringify([alert.kind, alert.band]);
    case 'rampAbove':
      return JSON.stringify([alert.kind, alert.value]);
    case 'late':
      return JSON.stringify([alert.kind]);
  }
}
