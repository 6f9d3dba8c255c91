import { formatInstant } from '../../core/time/instant.ts';
import { numberFields, type FieldCatalogue } from '../../shared/fields.ts';
import { hourMs, type GridHour } from './gridHour.ts';
import { round } from './rounding.ts';

export const madeUpNote =
  'The sandbox has no model of this dataset: its values oscillate between bounds and have no meaning.';

/** Records of a dataset that cannot be computed from the grid's hours: each number oscillates daily between the usual bounds of its field. */
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

/** A weekly oscillation makes days differ. */
function valueAt(days: number, [least, greatest]: readonly [number, number] = [0, 1]): number {
  const oscillation = 0.7 * Math.sin(2 * Math.PI * days) + 0.3 * Math.sin((2 * Math.PI * days) / 7);
  return round(least + ((greatest - least) * (1 + oscillation)) / 2, 4);
}
