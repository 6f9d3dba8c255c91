import type { FieldInfo } from '../../shared/frame.ts';
import { stressBandOf, type StressBand } from '../../shared/stressBands.ts';
import { endOf, publishedHours, stressColumn, type Reading } from './reading.ts';

/** The newest published value of the stress index. Instants are UTC milliseconds. */
export interface LatestStress {
  readonly hour: number;
  readonly end: number;
  /** 0 to 1. */
  readonly value: number;
  readonly band: StressBand;
  /** What the index is called, as the catalogue has it: the sandbox's is another. */
  readonly field: FieldInfo;
}

/** Undefined where the reading has no stress index, or no value of it. */
export function latestStress(reading: Reading): LatestStress | undefined {
  const column = stressColumn(reading);
  if (!column?.field) return undefined;
  const { field } = column;
  let latest: LatestStress | undefined;
  for (const { hour, value } of publishedHours(reading, column))
    if (!latest || hour > latest.hour)
      latest = { hour, end: endOf(hour, reading), value, band: stressBandOf(value), field };
  return latest;
}
