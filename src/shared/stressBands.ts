/** The bands of the stress index, lowest first. */
export const stressBandIds = ['low', 'moderate', 'high', 'critical'] as const;
export type StressBand = (typeof stressBandIds)[number];

/** The lower limit of each band; the last ends at 1. */
export const stressLimits: Readonly<Record<StressBand, number>> = { low: 0, moderate: 0.3, high: 0.6, critical: 0.8 };

/** Returns the band of a value. A band includes its lower limit; a negative value is low. */
export function getStressBand(value: number): StressBand {
  return stressBandIds.findLast(band => value >= stressLimits[band]) ?? 'low';
}
