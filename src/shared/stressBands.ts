/** The bands of the stress index, lowest first, as its field describes them. */
export const stressBandIds = ['low', 'moderate', 'high', 'critical'] as const;
export type StressBand = (typeof stressBandIds)[number];

/** Where each band begins; the last ends at 1. */
export const stressLimits: Readonly<Record<StressBand, number>> = { low: 0, moderate: 0.3, high: 0.6, critical: 0.8 };

/** The band a value of the index lies in: each begins at its lower limit, and what is below the index's zero counts as low. */
export function stressBandOf(value: number): StressBand {
  return stressBandIds.findLast(band => value >= stressLimits[band]) ?? 'low';
}
