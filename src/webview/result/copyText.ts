import { createDelimitedLayout, standardCsv, tsv } from '../../core/export/delimited.ts';
import { withUnit } from '../../core/export/exportTable.ts';
import { createIsoTimeFormatter } from '../../core/export/timeFormatters.ts';
import { createJsonLayout } from '../../core/export/jsonRecords.ts';
import { formatMarkdownCaption, createMarkdownLayout } from '../../core/export/markdown.ts';
import { writeWholeText, type TextLayout } from '../../core/export/cellWriter.ts';
import { formatShortZone } from '../../core/time/zone.ts';
import type { Column, TimeColumn } from '../../shared/frame.ts';
import type { DisplayZone, RowOrigin } from '../../shared/protocol.ts';
import type { GridColumn } from '../../presentation/table/gridColumn.ts';

/** The range to copy: columns and data rows in their visible order, and the time zone of the copied times. */
interface CopyRange {
  readonly columns: readonly Column[];
  readonly rows: ArrayLike<number>;
  readonly zone: DisplayZone;
  readonly origin?: Omit<RowOrigin, 'dates'> | undefined;
}

export type CopyFormat = 'tsv' | 'csv' | 'json' | 'markdown';

/**
 * Formats the range as text, without a trailing line break. Values are exact even if the table rounds them: numbers with all
 * digits and a decimal point, times as ISO 8601 with the offset of the zone, and gaps as empty cells (in JSON as null, or without the key
 * if the field was absent). `hasHeaders` is ignored for JSON, whose keys are the field names of the service. Throws a RangeError if the text
 * exceeds the maximum length of a string (about 500 million characters).
 */
export function formatCopy(range: CopyRange, format: CopyFormat, hasHeaders: boolean): string {
  const { rows } = range;
  const text = writeWholeText(createLayout(range, format, hasHeaders), { rows, rowCount: rows.length });
  return text.replace(/\r?\n$/, '');
}

function createLayout(range: CopyRange, format: CopyFormat, hasHeaders: boolean): TextLayout {
  const { columns, zone } = range;
  const formatTime = createIsoTimeFormatter(zone.timeZone);
  const columnHeaders = hasHeaders ? createHeaders(range) : undefined;
  switch (format) {
    case 'tsv':
      // Spreadsheets use the same format on the clipboard.
      return createDelimitedLayout(columns, columnHeaders, formatTime, { ...tsv, emptyText: '' });
    case 'csv':
      return createDelimitedLayout(columns, columnHeaders, formatTime, standardCsv);
    case 'json':
      return createJsonLayout(columns, formatTime);
    case 'markdown': {
      const layout = createMarkdownLayout(columns, columnHeaders, formatTime);
      const { origin } = range;
      const caption = origin?.mark ? formatMarkdownCaption(`${origin.mark} · ${origin.connection}`) : '';
      return { ...layout, head: caption + layout.head, empty: caption + layout.empty };
    }
  }
}

/**
 * Returns the field names of the service: they include the unit (`residual_demand_mw`), are the same in every language, and match
 * exports and code. A time column also names its zone (`ts (SAST)`), and the first column the mark of sample data.
 */
function createHeaders({ columns, zone, origin }: CopyRange): string[] {
  return columns.map(({ name, kind }, index) => {
    const suffixes = [kind === 'time' ? formatShortZone(zone) : '', index === 0 ? (origin?.mark ?? '') : ''];
    return withUnit(name, suffixes.filter(Boolean).join(', '));
  });
}

/**
 * Returns the columns to copy. A column that the table derives from another one (the end of each interval) is copied with the values that
 * it displays and its own name; only the cells of `rows` are computed.
 */
export function listCopiedColumns(
  gridColumns: readonly GridColumn[],
  findColumn: (name: string) => Column | undefined,
  rows: Uint32Array,
): Column[] {
  return gridColumns.flatMap(gridColumn => {
    const column = findColumn(gridColumn.source ?? gridColumn.name);
    if (!column || gridColumn.source === undefined || gridColumn.source === gridColumn.name) return column ?? [];
    return column.kind === 'time' ? computeEnds(column, gridColumn, rows) : [];
  });
}

function computeEnds(column: TimeColumn, gridColumn: GridColumn, rows: Uint32Array): TimeColumn {
  const values = new Float64Array(column.values.length);
  for (const row of rows) values[row] = Date.parse(gridColumn.exact(row));
  const name = `${column.name}_until`;
  return { kind: 'time', name, path: [name], values, ...(column.gaps && { gaps: column.gaps }) };
}
