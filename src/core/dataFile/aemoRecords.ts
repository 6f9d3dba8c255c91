import type { Cell, TableRecords, OnRecord } from './records.ts';

/** The number of cells before the columns of a record: its kind, and the name, part and version of its table. */
const prefixLength = 4;

/**
 * Returns the records of the largest table in an AEMO report, which has several: C records are comments, I records are headings, and D records
 * are data. Undefined for any other text.
 * See https://visualisations.aemo.com.au/aemo/di-help/Content/Data_Subscription/CSV_File_Format.htm.
 */
export function selectAemoTable(records: TableRecords): TableRecords | undefined {
  const kinds: Cell[] = [];
  records.forEach(cells => kinds.push(cells[0] ?? null), 2);
  if (kinds[0] !== 'C' || kinds[1] !== 'I') return undefined;
  const counts = new Map<string, number>();
  let comments = 0;
  records.forEach(cells => {
    if (cells[0] === 'C') comments++;
    if (cells[0] === 'D') counts.set(getTableName(cells), (counts.get(getTableName(cells)) ?? 0) + 1);
  });
  const [largest] = [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best), ['', 0]);
  const otherTables = [...counts].flatMap(([table, rows]) => (table === largest ? [] : [`${table} (${rows} rows)`]));
  const forEach = (take: OnRecord, count = Infinity): void => {
    let takenCount = 0;
    let hasHeading = false;
    records.forEach((cells, line) => {
      if (getTableName(cells) !== largest || (cells[0] === 'I' ? hasHeading : cells[0] !== 'D') || ++takenCount > count)
        return;
      if (cells[0] === 'I') hasHeading = true;
      take(cells.slice(prefixLength), line);
    });
  };
  const omitted = [
    ...(otherTables.length > 0 ? [`the tables ${otherTables.join(', ')}`] : []),
    `${comments} lines of comments`,
  ];
  const note = `Shown is the table ${largest} of a report of AEMO, without the kind and name in each row. Left out: ${omitted.join(' and ')}.`;
  return { ...records, forEach, notes: [...records.notes, note] };
}

function getTableName(cells: readonly Cell[]): string {
  return `${cells[1] ?? ''} ${cells[2] ?? ''}`.slice(0, 200);
}
