import type { Cell, TableRecords, TakeRecord } from './records.ts';

/** The cells before the columns of a record: its kind, and the name, part and version of its table. */
const prefix = 4;

/**
 * Returns the records of the largest table in an AEMO report, which has several: C records are comments, I records are headings, and D records
 * are data. Undefined for any other text.
 * See https://visualisations.aemo.com.au/aemo/di-help/Content/Data_Subscription/CSV_File_Format.htm.
 */
export function aemoRecords(records: TableRecords): TableRecords | undefined {
  const kinds: Cell[] = [];
  records.each(cells => kinds.push(cells[0] ?? null), 2);
  if (kinds[0] !== 'C' || kinds[1] !== 'I') return undefined;
  const counts = new Map<string, number>();
  let comments = 0;
  records.each(cells => {
    if (cells[0] === 'C') comments++;
    if (cells[0] === 'D') counts.set(tableOf(cells), (counts.get(tableOf(cells)) ?? 0) + 1);
  });
  const [largest] = [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best), ['', 0]);
  const others = [...counts].flatMap(([table, rows]) => (table === largest ? [] : [`${table} (${rows} rows)`]));
  const each = (take: TakeRecord, count = Infinity): void => {
    let taken = 0;
    let hasHeading = false;
    records.each((cells, line) => {
      if (tableOf(cells) !== largest || (cells[0] === 'I' ? hasHeading : cells[0] !== 'D') || ++taken > count) return;
      if (cells[0] === 'I') hasHeading = true;
      take(cells.slice(prefix), line);
    });
  };
  const left = [...(others.length > 0 ? [`the tables ${others.join(', ')}`] : []), `${comments} lines of comments`];
  const note = `Shown is the table ${largest} of a report of AEMO, without the kind and name in each row. Left out: ${left.join(' and ')}.`;
  return { ...records, each, notes: [...records.notes, note] };
}

function tableOf(cells: readonly Cell[]): string {
  return `${cells[1] ?? ''} ${cells[2] ?? ''}`.slice(0, 200);
}
