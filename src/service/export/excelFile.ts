import writeXlsxFile, { type CellObject, type Sheet } from 'write-excel-file/node';
import { provenanceFacts } from '../../core/export/exportProvenance.ts';
import { shortZone, withUnit, type WrittenTable } from '../../core/export/exportTable.ts';
import { isoTimes } from '../../core/export/isoTime.ts';
import { isNumberText, numberText } from '../../core/export/numberText.ts';
import { ZoneOffsets } from '../../core/export/zoneOffsets.ts';
import { cellState, textAt, type Column, type TimeColumn } from '../../shared/frame.ts';
import type { ExportOptions, ExportProvenance } from '../../shared/exportOptions.ts';
import type { ByteChunk } from './byteChunk.ts';

/** Excel's own limits. */
const sheetRows = 1_048_576;
const longestText = 32_767;
const firstInstant = Date.UTC(1900, 2, 1);
const lastInstant = Date.UTC(10_000, 0, 1);

type Cell = CellObject | null;

/**
 * An Excel workbook: dates of the zone (named in the heading) as dates, numbers as numbers, texts as texts, which Excel never
 * runs. NaN, the infinities, and instants before March 1900 are texts; Excel has 15 digits in view, but keeps the double. A null
 * and an absent field are both no cell, the empty text is an empty one. Characters that XML cannot hold are left out, texts
 * are cut at 32,767 characters. Rows that a sheet has no room for go on in another.
 */
export async function* excelChunks(
  table: WrittenTable,
  options: ExportOptions,
  provenance: ExportProvenance | undefined,
): AsyncGenerator<ByteChunk> {
  const heading = headingRow(table.columns, options);
  const writers = table.columns.map(column => cellWriter(column, options));
  const perSheet = sheetRows - heading.length;
  const sheets: Sheet<Buffer>[] = [];
  for (let from = 0; from < Math.max(1, table.rowCount); from += perSheet) {
    const to = Math.min(table.rowCount, from + perSheet);
    const rows = Array.from({ length: to - from }, (_, at) => {
      const place = table.rows ? (table.rows[from + at] ?? -1) : from + at;
      return writers.map(write => write(place));
    });
    const sheet = sheets.length === 0 ? 'Data' : `Data ${sheets.length + 1}`;
    sheets.push({ sheet, data: [...heading, ...rows], stickyRowsCount: heading.length });
  }
  if (options.provenance === 'comment' && provenance)
    sheets.push({ sheet: 'Provenance', data: provenanceFacts(provenance).map(pair => pair.map(textCell)) });
  yield { bytes: await writeXlsxFile(sheets).toBuffer(), rowsDone: table.rowCount };
}

function headingRow(columns: readonly Column[], { heading, zone }: ExportOptions): Cell[][] {
  if (heading === 'none') return [];
  const names = columns.map(({ kind, name, field }) => {
    // A date in Excel has no zone of its own.
    if (kind === 'time') return withUnit(name, shortZone(zone.label));
    return heading === 'units' ? withUnit(name, field?.unit) : name;
  });
  return [names.map(name => ({ ...textCell(name), fontWeight: 'bold' }))];
}

function cellWriter(column: Column, { zone }: ExportOptions): (place: number) => Cell {
  const { gaps } = column;
  const write = valueWriter(column, zone.timeZone);
  return place => (gaps && gaps[place] !== cellState.value ? null : write(place));
}

function valueWriter(column: Column, timeZone: string): (place: number) => Cell {
  switch (column.kind) {
    case 'number':
      return place => numberCell(column.values[place] ?? NaN);
    case 'boolean':
      return place => ({ type: Boolean, value: column.values[place] === 1 });
    case 'time':
      return dateWriter(column, timeZone);
    case 'text':
      return place => textCell(textAt(column.texts, place));
    case 'nested':
      return place => {
        const text = textAt(column.texts, place);
        // A number that no double holds keeps its digits as text.
        return isNumberText(text) && numberText(Number(text)) === text ? numberCell(Number(text)) : textCell(text);
      };
  }
}

function numberCell(value: number): CellObject {
  return Number.isFinite(value) ? { type: Number, value } : textCell(numberText(value));
}

/** The library takes texts for names of an object's own members and drops the empty one; a character that XML cannot hold, which it leaves out, keeps them apart. */
function textCell(text: string): CellObject {
  const cut = text.slice(0, longestText);
  return { type: String, value: cut === '' || cut in Object.prototype ? `${cut}\u0000` : cut };
}

function dateWriter(column: TimeColumn, timeZone: string): (place: number) => Cell {
  const offsets = new ZoneOffsets(timeZone);
  const timeText = isoTimes(timeZone);
  return place => {
    const ms = column.values[place] ?? NaN;
    if (!(ms >= firstInstant && ms < lastInstant)) {
      const text = timeText(column, place);
      return text === undefined ? null : textCell(text);
    }
    const format =
      ms % 1000 !== 0 ? 'yyyy-mm-dd hh:mm:ss.000' : ms % 60_000 !== 0 ? 'yyyy-mm-dd hh:mm:ss' : 'yyyy-mm-dd hh:mm';
    return { type: Date, value: new Date(ms + offsets.at(ms)), format };
  };
}
