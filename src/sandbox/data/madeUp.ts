import { formatInstant } from '../../core/time/instant.ts';
import { numberFields, type FieldCatalogue } from '../../shared/fields.ts';
import { hourMs, type GridHour } from './gridHour.ts';
import { round } from './rounding.ts';

export const madeUpNote = 'The sandbox has no model of this dataset: its values swing between bounds and mean nothing.';

/** Records of a dataset that the grid's hours say nothing of: each number swings by the day, between the usual bounds of its field. */
export function madeUpRecords(
  fields: FieldCatalogue,
  hours: readonly GridHour[],
  interval: string,
): Readonly<Record<string, number | string>>[] {
  const stepHours = interval === '1d' ? 24 : 1;
  const steps = new Set(hours.map(({ hour }) => Math.floor(hour / stepHours) * stepHours));
  const names = numberFields(fields, stepHours === 1 ? 'hours' : 'days');
  return Array.from(steps, hour => ({
    ts: formatInstant(hour * hourMs),
    ...Object.fromEntries(names.map((name, at) => [name, valueAt(hour / 24 + at / 7, fields.get(name)?.usual)])),
  }));
}

/** A week's swing makes days unlike each other. */
function valueAt(days: number, [least, greatest]: readonly [number, number] = [0, 1]): number {
  const swing = 0.7 * Math.sin(2 * Math.PI * days) + 0.3 * Math.sin((2 * Math.PI * days) / 7);
  return round(least + ((greatest - least) * (1 + swing)) / 2, 4);
}
