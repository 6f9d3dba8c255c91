import { delimitedLayout, standardCsv, tsv } from '../../core/export/delimited.ts';
import { withUnit } from '../../core/export/exportTable.ts';
import { isoTimes } from '../../core/export/isoTime.ts';
import { jsonLayout } from '../../core/export/jsonRecords.ts';
import { markdownCaption, markdownLayout } from '../../core/export/markdown.ts';
import { wholeText, type TextLayout } from '../../core/export/cellWriter.ts';
import { shortZone } from '../../core/time/zone.ts';
import type { Column, TimeColumn } from '../../shared/frame.ts';
import type { DisplayZone, RowOrigin } from '../../shared/protocol.ts';
import type { GridColumn } from '../../presentation/table/gridColumn.ts';

/** What is copied: columns and data rows in the order shown, and the zone that times are written in. */
interface CopyRange {
  readonly columns: readonly Column[];
  readonly rows: ArrayLike<number>;
  readonly zone: DisplayZone;
  readonly origin?: Omit<RowOrigin, 'dates'> | undefined;
}

export type CopyFormat = 'tsv' | 'csv' | 'json' | 'markdown';

/**
 * The range as text, without a line end after the last line. Values are exact whatever the table rounds: numbers to the last
 * digit with a decimal point, times as ISO 8601 with the offset of the zone, a gap as an empty cell (JSON: null, or no key
 * where the field was absent). `headers` is ignored for JSON, whose keys are the service's own. Throws a RangeError above
 * the longest text there is (about 500 million characters).
 */
export function copyText(range: CopyRange, format: CopyFormat, headers: boolean): string {
  const { rows } = range;
  const text = wholeText(layoutOf(range, format, headers), { rows, rowCount: rows.length });
  return text.replace(/\r?\n$/, '');
}

function layoutOf(range: CopyRange, format: CopyFormat, headers: boolean): TextLayout {
  const { columns, zone } = range;
  const time = isoTimes(zone.timeZone);
  const heading = headers ? headersOf(range) : undefined;
  switch (format) {
    case 'tsv':
      // As spreadsheets put it on the clipboard.
      return delimitedLayout(columns, heading, time, { ...tsv, emptyText: '' });
    case 'csv':
      return delimitedLayout(columns, heading, time, standardCsv);
    case 'json':
      return jsonLayout(columns, time);
    case 'markdown': {
      const layout = markdownLayout(columns, heading, time);
      const { origin } = range;
      const caption = origin?.mark ? markdownCaption(`${origin.mark} · ${origin.connection}`) : '';
      return { ...layout, head: caption + layout.head, empty: caption + layout.empty };
    }
  }
}

/**
 * The service's field names, since they carry their unit (`residual_demand_mw`), are the same in every language, and join with
 * exports and code; a time column names its zone as well (`ts (SAST)`), and the first column the mark of a sandbox.
 */
function headersOf({ columns, zone, origin }: CopyRange): string[] {
  return columns.map(({ name, kind }, at) => {
    const facts = [kind === 'time' ? shortZone(zone) : '', at === 0 ? (origin?.mark ?? '') : ''];
    return withUnit(name, facts.filter(Boolean).join(', '));
  });
}

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
