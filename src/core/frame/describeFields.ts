import type { FieldCatalogue } from '../../shared/fields.ts';
import type { Column, FieldInfo, Frame } from '../../shared/frame.ts';
import type { Provenance } from '../../shared/result.ts';
import { unitOfName } from '../../shared/units.ts';
import { stepOf, type Dataset } from '../query/catalogue.ts';
import { isSampleData } from '../query/serviceMeta.ts';

const hourMs = 3_600_000;

/** What the rows of an answer are called that are no hours, which is what the catalogue calls them. */
export const rowLabels = { day: 'Day', other: 'Time' } as const;

/** What is known of the fields of an answer: a sandbox makes some of them in a way of its own, and its rows need not be hours. */
export function fieldsOf(
  { fields, sandboxFields = fields }: Dataset,
  answer: Pick<Provenance, 'sample' | 'meta' | 'interval'>,
): FieldCatalogue {
  const known = isSampleData(answer) ? sandboxFields : fields;
  const stepMs = stepOf(answer.interval);
  const time = known.get('ts');
  if (!time || stepMs === hourMs) return known;
  return new Map(known).set('ts', { ...time, label: stepMs === 24 * hourMs ? rowLabels.day : rowLabels.other });
}

/**
 * The same frame with what its dataset's catalogue knows of each field. Other numbers get the unit that their name ends with, and
 * other columns are as they came.
 */
export function describeFields(frame: Frame, fields: FieldCatalogue): Frame {
  return { rowCount: frame.rowCount, columns: frame.columns.map(column => described(column, fields)) };
}

function described(column: Column, fields: FieldCatalogue): Column {
  const rest = withoutField(column);
  const field = fields.get(column.name) ?? fieldByName(column);
  return field ? { ...rest, field } : rest;
}

function fieldByName({ kind, name }: Column): FieldInfo | undefined {
  const unit = kind === 'number' ? unitOfName(name) : undefined;
  return unit && { label: name, meaning: '', unit };
}

function withoutField(column: Column): Column {
  if (!column.field) return column;
  const rest = { ...column };
  delete (rest as { field?: unknown }).field;
  return rest;
}
