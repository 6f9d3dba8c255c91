import type { Cell, TableRecords, OnRecord } from './records.ts';

/** The number of cells that precede the values of a record: its kind, and the name, part and version of its table. */
const prefixLength = 4;

/**
 * Returns the records of the largest table of an AEMO report, which may have several tables. C records are comments, I records are
 * headings, and D records are data. Undefined for any other text.
 * See https://visualisations.aemo.com.au/aemo/di-help/Content/Data_Subscription/CSV_File_Format.htm.
 */
export function selectAemoTable(records: TableRecords): TableRecords | undefined {
  const kinds: Cell[] = [];
  records.forEach(cells => kinds.push(cells[0] ?? null), 2);
  if (kinds[0] !== 'C' || kinds[1] !== 'I') return undefined;
  const counts = new Map<string, number>();
  let commentCount = 0;
  records.forEach(cells => {
    if (cells[0] === 'C') commentCount++;
    if (cells[0] === 'D') counts.set(getTableName(cells), (counts.get(getTableName(cells)) ?? 0) + 1);
  });
  const [largestTable] = [...counts].reduce((largest, entry) => (entry[1] > largest[1] ? entry : largest), ['', 0]);
  const otherTables = [...counts].flatMap(([table, rows]) =>
    table === largestTable ? [] : [`${table} (${rows} rows)`],
  );
  const forEach = (onRecord: OnRecord, count = Infinity): void => {
    let recordCount = 0;
    let hasHeading = false;
    records.forEach((cells, line) => {
      if (
        getTableName(cells) !== largestTable ||
        (cells[0] === 'I' ? hasHeading : cells[0] !== 'D') ||
        ++recordCount > count
      )
        return;
      if (cells[0] === 'I') hasHeading = true;
      onRecord(cells.slice(prefixLength), line);
    });
  };
  const omitted = [
    ...(otherTables.length > 0 ? [`the tables ${otherTables.join(', ')}`] : []),
    `${commentCount} lines of comments`,
  ];
  const note = `The table shown is ${largestTable} of an AEMO report, without the kind and name in each row; skipped: ${omitted.join(' and ')}.`;
  return { ...records, forEach, notes: [...records.notes, note] };
}

function getTableName(cells: readonly Cell[]): string {
  return `${cells[1] ?? ''} ${cells[2] ?? ''}`.slice(0, 200);
}
