import { createDelimitedLayout, standardCsv, tsv } from '../../core/export/delimited.ts';
import { withUnit } from '../../core/export/exportTable.ts';
import { createIsoTimeFormatter } from '../../core/export/timeFormatters.ts';
import { createJsonLayout } from '../../core/export/jsonRecords.ts';
import { formatMarkdownCaption, createMarkdownLayout } from '../../core/export/markdown.ts';
import { writeWholeText, type TextLayout } from '../../core/export/cellWriter.ts';
import { shortZone } from '../../core/time/zone.ts';
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
 * if the field was absent). `headers` is ignored for JSON, whose keys are the field names of the service. Throws a RangeError if the text
 * exceeds the maximum length of a string (about 500 million characters).
 */
export function copyText(range: CopyRange, format: CopyFormat, headers: boolean): string {
  const { rows } = range;
  const text = writeWholeText(layoutOf(range, format, headers), { rows, rowCount: rows.length });
  return text.replace(/\r?\n$/, '');
}

function layoutOf(range: CopyRange, format: CopyFormat, headers: boolean): TextLayout {
  const { columns, zone } = range;
  const time = createIsoTimeFormatter(zone.timeZone);
  const heading = headers ? headersOf(range) : undefined;
  switch (format) {
    case 'tsv':
      // Spreadsheets use the same format on the clipboard.
      return createDelimitedLayout(columns, heading, time, { ...tsv, emptyText: '' });
    case 'csv':
      return createDelimitedLayout(columns, heading, time, standardCsv);
    case 'json':
      return createJsonLayout(columns, time);
    case 'markdown': {
      const layout = createMarkdownLayout(columns, heading, time);
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
function headersOf({ columns, zone, origin }: CopyRange): string[] {
  return columns.map(({ name, kind }, at) => {
    const facts = [kind === 'time' ? shortZone(zone) : '', at === 0 ? (origin?.mark ?? '') : ''];
    return withUnit(name, facts.filter(Boolean).join(', '));
  });
}

/**
 * Returns the columns to copy. A column that the table derives from another one (the end of each interval) is copied with the values that
 * it displays and its own name; only the cells of `rows` are computed.
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
