import type { FieldCatalogue } from '../shared/fields.ts';
import type { Column, FieldInfo, Frame } from '../shared/frame.ts';
import { unitOfName } from '../shared/units.ts';

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
