import type { FieldInfo } from '../../shared/frame.ts';

/** The columns of events other than the figures of the searched column. */
export const eventColumns = {
  start: { label: 'Start', meaning: 'Beginning of the first hour' },
  end: { label: 'End', meaning: 'End of the last hour (exclusive)' },
  of_hours: { label: 'Length', meaning: 'Hours from start to end, with data or not' },
  extreme_at: {
    label: 'Time of extreme',
    meaning: 'The first hour with the extreme; of a change, the hour it ends with',
  },
  hours: { label: 'Hours with data', meaning: 'Hours of the event that have a value' },
  may_be_longer: {
    label: 'May be longer',
    meaning: 'An hour beside the event that may be part of it is unknown, or outside the range',
  },
  uncertain: {
    label: 'Uncertain',
    meaning: 'An hour around the peak that may be greater is unknown, or outside the range',
  },
} as const satisfies Record<string, FieldInfo>;
