import type { FieldCatalogue } from '../shared/fields.ts';
import type { Column, Frame } from '../shared/frame.ts';

/** The same frame with what its dataset's catalogue knows of each field; other columns are as they came. */
export function describeFields(frame: Frame, fields: FieldCatalogue): Frame {
  return { rowCount: frame.rowCount, columns: frame.columns.map(column => described(column, fields)) };
}

function described(column: Column, fields: FieldCatalogue): Column {
  const rest = withoutField(column);
  const field = fields.get(column.name);
  return field ? { ...rest, field } : rest;
}

function withoutField(column: Column): Column {
  if (!column.field) return column;
  const rest = { ...column };
  delete (rest as { field?: unknown }).field;
  return rest;
}
