import { dayMs, hourMs } from '../../shared/durations.ts';
import type { FieldCatalogue } from '../../shared/fields.ts';
import type { Column, FieldInfo, Frame } from '../../shared/frame.ts';
import type { BinSize } from '../../shared/resampling.ts';
import type { Provenance } from '../../shared/result.ts';
import { inferUnit } from '../../shared/units.ts';
import { getIntervalMs, type QueriedDataset } from '../query/catalogue.ts';
import { isSandboxData } from '../query/serviceMeta.ts';

/** Labels of the time column if rows are not hours; the catalogue calls it 'Hour'. */
export const rowLabels = {
  '3h': 'Three hours',
  day: 'Day',
  week: 'Week',
  month: 'Month',
  quarter: 'Quarter',
  year: 'Year',
  other: 'Time',
} as const satisfies Record<BinSize | 'other', string>;

/** Returns the known fields of a response. A sandbox computes some fields differently, and rows need not be hours. */
export function getResponseFields(
  { fields, sandboxFields = fields }: QueriedDataset,
  response: Pick<Provenance, 'sample' | 'meta' | 'interval'>,
): FieldCatalogue {
  const knownFields = isSandboxData(response) ? sandboxFields : fields;
  const intervalMs = getIntervalMs(response.interval);
  const time = knownFields.get('ts');
  if (!time || intervalMs === hourMs) return knownFields;
  return new Map(knownFields).set('ts', { ...time, label: intervalMs === dayMs ? rowLabels.day : rowLabels.other });
}

/**
 * Adds the field information of the dataset's catalogue to the columns. Other numeric columns get the unit that their name ends with;
 * all others get none.
 */
export function describeFields(frame: Frame, fields: FieldCatalogue): Frame {
  return { rowCount: frame.rowCount, columns: frame.columns.map(column => describeColumn(column, fields)) };
}

function describeColumn(column: Column, fields: FieldCatalogue): Column {
  const field = fields.get(column.name) ?? findFieldByName(column);
  if (field) return { ...column, field };
  const columnWithoutField = { ...column };
  delete (columnWithoutField as { field?: unknown }).field;
  return columnWithoutField;
}

function findFieldByName({ kind, name }: Column): FieldInfo | undefined {
  const unit = kind === 'number' ? inferUnit(name) : undefined;
  return unit && { label: name, meaning: '', unit };
}
