import type { Column, TimeColumn } from '../../shared/frame.ts';
import type { GridColumn } from '../grid/gridColumn.ts';

/**
 * The columns as they are copied. One that the table makes of another (the end of each interval) is copied as what it
 * shows, under a name of its own; only the cells of `rows` are worked out.
 */
export function copiedColumns(
  shown: readonly GridColumn[],
  columnNamed: (name: string) => Column | undefined,
  rows: Uint32Array,
): Column[] {
  return shown.flatMap(model => {
    const column = columnNamed(model.source ?? model.name);
    if (!column || model.source === undefined || model.source === model.name) return column ?? [];
    return column.kind === 'time' ? endsOf(column, model, rows) : [];
  });
}

function endsOf(column: TimeColumn, model: GridColumn, rows: Uint32Array): TimeColumn {
  const values = new Float64Array(column.values.length);
  for (const row of rows) values[row] = Date.parse(model.exact(row));
  const name = `${column.name}_until`;
  return { kind: 'time', name, path: [name], values, ...(column.gaps && { gaps: column.gaps }) };
}
