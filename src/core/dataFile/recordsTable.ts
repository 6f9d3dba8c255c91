import { type Column, type FieldInfo, type Frame } from '../../shared/frame.ts';
import { tableLimits } from '../../shared/tableLimits.ts';
import { share, unitOfName } from '../../shared/units.ts';
import { GridError } from '../errors.ts';
import { uniqueNames } from '../export/exportTable.ts';
import { TextCount } from '../frame/textCount.ts';
import { portalColumnOf } from '../portal/portalColumns.ts';
import { knownFields } from '../query/catalogue.ts';
import { readTime, type DateOrder } from '../time/writtenTime.ts';
import { zoneNamed } from '../time/zone.ts';
import { cellKind, isNoValue, numberKinds, readDigitTime, timeKinds } from './cellKinds.ts';
import { quoted, type ColumnEvidence } from './columnEvidence.ts';
import { booleanFiller, numberFiller, shownColumns, textFiller, type ColumnFiller } from './columnFiller.ts';
import { decimalMarks } from './decimalMarks.ts';
import { provenanceOfLines } from './fileProvenance.ts';
import { unitOfText, type FileTable, type ReadFile } from './fileTable.ts';
import type { ImportOptions } from './importOptions.ts';
import { instantsIn } from './localTime.ts';
import type { TableRecords } from './records.ts';
import { scanRecords, type Scan } from './scanRecords.ts';
import { dateOrderOf, dateOrderOfFile, indexesOf, isDigitTime, zoneInHeading } from './timeColumns.ts';
import { planTime, type TimePlan } from './timePlan.ts';
import { TimeReader } from './timeReader.ts';
import { readNumber, type DecimalMark } from './writtenNumber.ts';

const maxNotes = 30;

/**
 * Converts the records of a text or a sheet into a table. A column has numbers, instants or booleans if every cell can be read as one, and
 * text otherwise; a cell without a value is null. The records are read twice, the first time to find the kinds of the columns. Throws a
 * GridError.
 */
export function recordsTable(records: TableRecords, options: ImportOptions): ReadFile {
  const scan = scanRecords(records, options);
  const { columns, headings, rows, layout } = scan;
  if (columns.length === 0) throw new GridError('fileDamaged', { detail: 'empty' });
  const names = uniqueNames(headings.map(heading => nameOf(heading, scan.isPortal)));
  const order = dateOrderOfFile(columns, options);
  const time = planTime(scan, names, { ...options, dateOrder: order });
  const unclear = !time && options.dateOrder === undefined && columns.find(column => isUnclearDate(column, order));
  if (unclear) return { kind: 'needsDateOrder', example: unclear.example?.cell ?? '' };
  if (time && time.zone === undefined)
    return {
      kind: 'needsZone',
      example: indexesOf(time.columns)
        .map(at => columns[at]?.example?.cell)
        .join(' '),
    };
  const marks = decimalMarks(scan, names, records.separator, options);
  const shown = Math.min(rows, tableLimits.rows);
  const isPartOfTime = new Set(time && indexesOf(time.columns));
  const indexes = [...columns.keys()].filter(at => !isPartOfTime.has(at));
  const count = shownColumns(shown, indexes.length + (time ? 1 : 0)) - (time ? 1 : 0);
  // The zone that one column's heading names says nothing about other columns.
  const zoneOfOthers = time?.zone?.source === 'person' || time?.zone?.source === 'portal' ? time.timeZone : undefined;
  const texts = new TextCount();
  const plans = indexes.slice(0, count).map(at => {
    const timeZone = zoneInHeading(headings[at] ?? '') ?? zoneOfOthers;
    const plan = planColumn(at, scan, { name: names[at] ?? '', order, mark: marks[at], timeZone });
    return { plan, at, filler: fillerOf(plan, shown, texts) };
  });
  const reader = time && new TimeReader(time, shown);
  let [record, row] = [0, 0];
  records.each((given, line) => {
    const cells = row < shown ? scan.rowOf(given, line, record) : undefined;
    record++;
    if (!cells) return;
    reader?.add(row, cells);
    for (const { plan, at, filler } of plans) {
      const cell = cells[at] ?? null;
      if (cell !== null && (plan.kind === 'text' || !isNoValue(cell))) filler.set(row, cell);
    }
    row++;
  });
  const filled = plans.map(({ plan, at, filler }) => ({ at, name: plan.name, column: filler.end(plan.name) }));
  const found = filled.flatMap(({ at, column }) => (column ? [{ at, column }] : []));
  const frame = {
    rowCount: shown,
    columns: inFileOrder(found, reader && { at: Math.min(...isPartOfTime), column: reader.end() }),
  };
  const provenance = provenanceOfLines(records.comments);
  const notes = [
    ...(records.comments.length > 0 && !provenance ? ['Lines with # above the table are left out.'] : []),
    ...records.notes,
    ...scan.notes,
    ...(time?.notes ?? []),
    ...(reader?.cut === undefined ? [] : [`Times such as '${reader.cut}' are cut to milliseconds.`]),
    ...plans.flatMap(({ plan }) => plan.note ?? []),
    ...noValueNotes(columns, names, [
      ...isPartOfTime,
      ...plans.flatMap(({ plan, at }) => (plan.kind === 'text' ? [] : [at])),
    ]),
  ];
  return {
    kind: 'table',
    table: {
      frame,
      rowsOfFile: rows,
      leftOut: [
        ...indexes.slice(count).map(at => names[at] ?? ''),
        ...filled.flatMap(({ name, column }) => (column ? [] : [name])),
      ],
      zone: zoneOf(frame, time),
      provenance,
      notes: notes.slice(0, maxNotes),
      ...(time?.offersHourEnd && { offersHourEnd: true }),
      importedAs: {
        separator: records.separator,
        headingLine: layout.headingLine,
        firstLine: layout.firstLine,
        decimal: marks.find(mark => mark !== undefined),
        dateOrder: order,
        ...(time && { hour: time.end ? 'end' : 'beginning', timeZone: time.zone?.timeZone }),
      },
      text: JSON.stringify({
        ...(scan.isPortal && { layout: 'Eskom Data Portal' }),
        separator: records.separator,
        comments: records.comments,
        columns: headings,
      }),
    },
  };
}

function isUnclearDate(column: ColumnEvidence, order: DateOrder | undefined): boolean {
  return column.example !== undefined && (column.kinds & timeKinds) !== 0 && dateOrderOf(column, order) === undefined;
}

/** Sorts columns into file order. The time column goes first if another column of times precedes it, since the first one is the time of the rows. */
function inFileOrder(
  columns: readonly { at: number; column: Column }[],
  time?: { at: number; column: Column },
): Column[] {
  if (!time) return columns.map(({ column }) => column);
  const isFirst = columns.every(({ at, column }) => column.kind !== 'time' || at > time.at);
  const sorted = isFirst ? [...columns, time].sort((a, b) => a.at - b.at) : [time, ...columns];
  return sorted.map(({ column }) => column);
}

function zoneOf({ columns }: Frame, time: TimePlan | undefined): FileTable['zone'] {
  if (time) return time.zone;
  return columns.some(({ kind }) => kind === 'time') ? { source: 'file' } : undefined;
}

/** The portal's name of a column, or the name without the unit or zone that our exports append, as in `wind_mw (MW)` and `ts (SAST)`. */
function nameOf(heading: string, isPortal: boolean): string {
  return (isPortal ? portalColumnOf(heading)?.name : undefined) ?? splitHeading(heading).name;
}

/** Splits the unit or the zone from the end of a heading. A unit that is unknown here stays part of the name. */
export function splitHeading(heading: string): { readonly name: string; readonly behind?: string } {
  const [, name = '', behind = ''] = /^(.+) \(([^()]{1,40})\)$/.exec(heading) ?? [];
  const unit = unitOfText(behind);
  const isUnit = unit !== undefined && (unit.kind !== 'none' || behind === 'h' || behind === 'pp');
  return name !== '' && (isUnit || zoneNamed(behind)) ? { name, behind } : { name: heading };
}

interface ColumnPlan {
  readonly name: string;
  readonly kind: 'number' | 'boolean' | 'time' | 'digitTime' | 'text';
  readonly mark: DecimalMark;
  readonly order: DateOrder;
  readonly timeZone: string;
  readonly field: FieldInfo | undefined;
  /** Says how the column is read, where that may be unexpected. */
  readonly note: string | undefined;
}

interface Context {
  readonly name: string;
  readonly order: DateOrder | undefined;
  readonly mark: DecimalMark | undefined;
  readonly timeZone: string | undefined;
}

function planColumn(at: number, scan: Scan, context: Context): ColumnPlan {
  const { name, order, mark, timeZone } = context;
  const column = scan.columns[at];
  const heading = scan.headings[at] ?? '';
  const known = (scan.isPortal && portalColumnOf(heading)) || knownFields.get(name)?.unit || unitOfName(name);
  const kind = column?.example ? kindOf(column, name, { order, mark, timeZone }) : known ? 'number' : 'text';
  return {
    name,
    kind,
    mark: mark ?? 'point',
    order: (column && dateOrderOf(column, order)) ?? 'day first',
    timeZone: timeZone ?? 'UTC',
    field: kind === 'number' ? fieldOf(at, heading, name, scan) : undefined,
    note: column && noteOf(column, context, kind),
  };
}

function kindOf(
  column: ColumnEvidence,
  name: string,
  { order, mark, timeZone }: Omit<Context, 'name'>,
): ColumnPlan['kind'] {
  const { kinds } = column;
  // Digits may be times even if another column of the table already has times.
  if (isDigitTime(column, name)) return 'digitTime';
  if (mark !== undefined) return 'number';
  if (kinds & cellKind.boolean) return 'boolean';
  const isKnown = (kinds & cellKind.offset) !== 0 || timeZone !== undefined;
  return (kinds & timeKinds) !== 0 && dateOrderOf(column, order) !== undefined && isKnown ? 'time' : 'text';
}

/** The field of a column whose unit is known: from the portal, after its name, in the row of units below its heading, or from its cells. */
function fieldOf(
  at: number,
  heading: string,
  name: string,
  { isPortal, layout, columns }: Scan,
): FieldInfo | undefined {
  const portal = isPortal ? portalColumnOf(heading) : undefined;
  if (portal) return { label: portal.label, meaning: '', ...(portal.unit && { unit: portal.unit }) };
  const below = layout.units?.[at]?.trim().replace(/^[([](.*)[)\]]$/, '$1');
  const unit =
    unitOfText(splitHeading(heading).behind) ??
    unitOfText(below === '-' ? undefined : below) ??
    ((columns[at]?.kinds ?? 0) & cellKind.percent ? share : undefined);
  return unit && { label: name, meaning: '', unit };
}

const maxNoValueNotes = 3;

/** Describes the cells that stand for no value in these columns: one note per column, or a single note for many columns. */
function noValueNotes(
  columns: readonly ColumnEvidence[],
  names: readonly string[],
  indexes: readonly number[],
): string[] {
  const found = indexes.flatMap(at => {
    const { noValue, noValues = 0 } = columns[at] ?? {};
    return noValue ? [{ noValue, count: noValues, name: names[at] ?? '' }] : [];
  });
  const [first, ...others] = found;
  if (!first || others.length >= maxNoValueNotes)
    return first
      ? [`Cells of ${found.length} columns have no value, the first is ${quoted(first.noValue)} of '${first.name}'.`]
      : [];
  return found.map(({ noValue, count, name }) => {
    const cells = count === 1 ? '1 cell' : `${count} cells`;
    return `${cells} of '${name}' without a value: ${quoted(noValue)}.`;
  });
}

function noteOf(column: ColumnEvidence, { name, order, mark }: Context, kind: ColumnPlan['kind']): string | undefined {
  const { kinds, example, odd, either } = column;
  if (kind === 'number' && mark === 'point' && either.comma && (kinds & numberKinds) === numberKinds)
    return `The comma of '${name}', such as in ${quoted(either.comma)}, is read as a mark between thousands.`;
  if (kind !== 'text' || !example) return undefined;
  if (odd) return `'${name}' is text because of ${quoted(odd)}.`;
  if (kinds & timeKinds && dateOrderOf(column, order) === undefined)
    return `'${name}' is text: ${quoted(example)} and the others may have the day or the month first. Choose the order of dates in Import Options.`;
  const unclear = either.comma ?? either.point;
  if (unclear && kinds & numberKinds)
    return `'${name}' is text: ${quoted(unclear)} can be ${readNumber(unclear.cell, 'point')} or ${readNumber(unclear.cell, 'comma')}. Choose the decimal mark in Import Options.`;
  return undefined;
}

/** A column filler that parses the text of each cell. */
type TextFiller = Pick<ColumnFiller<string>, 'set' | 'end'>;

function fillerOf({ kind, field, order, mark, timeZone }: ColumnPlan, rows: number, texts: TextCount): TextFiller {
  const through = <Value>({ set, end }: ColumnFiller<Value>, read: (cell: string) => Value): TextFiller => ({
    set: (row, cell) => set(row, read(cell)),
    end: name => end(name, { field }),
  });
  const inZone = instantsIn(timeZone);
  switch (kind) {
    case 'text':
      return textFiller('text', rows, texts);
    case 'boolean':
      return through(booleanFiller(rows), cell => /^true$/i.test(cell));
    case 'time':
      return through(numberFiller('time', rows), cell => {
        const { wall = NaN, offset } = readTime(cell, order) ?? {};
        return offset === undefined ? inZone(wall) : wall - offset;
      });
    case 'digitTime':
      return through(numberFiller('time', rows), cell => {
        const { ms = NaN, isEpoch = true } = readDigitTime(cell) ?? {};
        return isEpoch ? ms : inZone(ms);
      });
    case 'number':
      return through(numberFiller('number', rows), cell => readNumber(cell, mark) ?? NaN);
  }
}
