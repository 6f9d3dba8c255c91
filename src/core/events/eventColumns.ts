import type { FieldInfo } from '../../shared/frame.ts';

/** The columns of events other than the figures of the searched column. */
export const eventColumns = {
  start: { label: 'Start', meaning: 'Beginning of the first hour' },
  end: { label: 'End', meaning: 'End of the last hour (exclusive)' },
  of_hours: { label: 'Length', meaning: 'Hours from start to end, with or without data' },
  extreme_at: {
    label: 'Time of peak',
    meaning: 'First hour with the highest or lowest value; for a change, its last hour',
  },
  hours: { label: 'Hours with data', meaning: 'Hours of the event that have a value' },
  may_be_longer: {
    label: 'May be longer',
    meaning: 'An hour next to the event that could belong to it is unknown or outside the range',
  },
  uncertain: {
    label: 'Uncertain',
    meaning: 'An hour near the peak that could be higher is unknown or outside the range',
  },
} as const satisfies Record<string, FieldInfo>;
