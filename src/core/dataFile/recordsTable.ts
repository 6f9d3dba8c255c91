import { type Column, type FieldInfo, type Frame } from '../../shared/frame.ts';
import { tableLimits } from '../../shared/tableLimits.ts';
import { share, inferUnit } from '../../shared/units.ts';
import { GridError } from '../errors.ts';
import { uniqueNames } from '../export/exportTable.ts';
import { TextCounter } from '../frame/textCounter.ts';
import { findPortalColumn } from '../portal/portalColumns.ts';
import { knownFields } from '../query/catalogue.ts';
import { parseTime, type DateOrder } from '../time/writtenTime.ts';
import { findZone } from '../time/zone.ts';
import { cellKind, isNoValue, numberKinds, parseDigitTime, timeKinds } from './cellKinds.ts';
import { describeCell, type ColumnEvidence } from './columnEvidence.ts';
import {
  createBooleanBuilder,
  createNumberBuilder,
  countFittingColumns,
  createTextBuilder,
  type ColumnBuilder,
} from './columnBuilder.ts';
import { findDecimalMarks } from './decimalMarks.ts';
import { parseProvenanceLines } from './fileProvenance.ts';
import { parseUnit, type FileTable, type FileReadResult } from './fileTable.ts';
import type { ImportOptions } from '../../shared/importOptions.ts';
import { createInstantConverter } from './localTime.ts';
import type { TableRecords } from './records.ts';
import { scanRecords, type TableScan } from './scanRecords.ts';
import {
  resolveDateOrder,
  resolveFileDateOrder,
  listTimeIndexes,
  isDigitTime,
  findZoneInHeading,
} from './timeColumns.ts';
import { planTime, type TimePlan } from './timePlan.ts';
import { TimeReader } from './timeReader.ts';
import { parseNumber, type DecimalMark } from './writtenNumber.ts';

const maxNotes = 30;

/**
 * Converts the records of a text or a sheet into a table. A column has numbers, instants or booleans if every cell can be read as one, and
 * text otherwise; a cell without a value is null. The records are read twice: first to find the kinds of the columns, then to convert the cells. Throws a
 * GridError.
 */
export function recordsToTable(records: TableRecords, options: ImportOptions): FileReadResult {
  const scan = scanRecords(records, options);
  const { columns, headings, rows, layout } = scan;
  if (columns.length === 0) throw new GridError('fileDamaged', { detail: 'empty' });
  const names = uniqueNames(headings.map(heading => getColumnName(heading, scan.isPortal)));
  const dateOrder = resolveFileDateOrder(columns, options);
  const time = planTime(scan, names, { ...options, dateOrder });
  const ambiguousDate =
    !time && options.dateOrder === undefined && columns.find(column => isAmbiguousDate(column, dateOrder));
  if (ambiguousDate) return { kind: 'needsDateOrder', example: ambiguousDate.example?.cell ?? '' };
  if (time && time.zone === undefined)
    return {
      kind: 'needsZone',
      example: listTimeIndexes(time.columns)
        .map(index => columns[index]?.example?.cell)
        .join(' '),
    };
  const decimals = findDecimalMarks(scan, names, records.separator, options);
  const rowCount = Math.min(rows, tableLimits.rows);
  const timeIndexes = new Set(time && listTimeIndexes(time.columns));
  const indexes = [...columns.keys()].filter(index => !timeIndexes.has(index));
  const columnCount = countFittingColumns(rowCount, indexes.length + (time ? 1 : 0)) - (time ? 1 : 0);
  // A zone in the heading of one column does not apply to other columns.
  const defaultZone = time?.zone?.source === 'user' || time?.zone?.source === 'portal' ? time.timeZone : undefined;
  const textCount = new TextCounter();
  const plans = indexes.slice(0, columnCount).map(index => {
    const timeZone = findZoneInHeading(headings[index] ?? '') ?? defaultZone;
    const plan = planColumn(index, scan, {
      name: names[index] ?? '',
      order: dateOrder,
      mark: decimals[index],
      timeZone,
    });
    return { plan, index, filler: createFiller(plan, rowCount, textCount) };
  });
  const reader = time && new TimeReader(time, rowCount);
  let record = 0;
  let row = 0;
  records.forEach((recordCells, line) => {
    const cells = row < rowCount ? scan.toRow(recordCells, line, record) : undefined;
    record++;
    if (!cells) return;
    reader?.add(row, cells);
    for (const { plan, index, filler } of plans) {
      const cell = cells[index] ?? null;
      if (cell !== null && (plan.kind === 'text' || !isNoValue(cell))) filler.set(row, cell);
    }
    row++;
  });
  const filled = plans.map(({ plan, index, filler }) => ({ index, name: plan.name, column: filler.build(plan.name) }));
  const dataColumns = filled.flatMap(({ index, column }) => (column ? [{ index, column }] : []));
  const frame = {
    rowCount,
    columns: sortByFileOrder(dataColumns, reader && { index: Math.min(...timeIndexes), column: reader.toColumn() }),
  };
  const provenance = parseProvenanceLines(records.comments);
  const notes = [
    ...(records.comments.length > 0 && !provenance ? ['Lines with # above the table are left out.'] : []),
    ...records.notes,
    ...scan.notes,
    ...(time?.notes ?? []),
    ...(reader?.firstCut === undefined ? [] : [`Times such as '${reader.firstCut}' are cut to milliseconds.`]),
    ...plans.flatMap(({ plan }) => plan.note ?? []),
    ...describeNoValues(columns, names, [
      ...timeIndexes,
      ...plans.flatMap(({ plan, index }) => (plan.kind === 'text' ? [] : [index])),
    ]),
  ];
  return {
    kind: 'table',
    table: {
      frame,
      fileRowCount: rows,
      omitted: [
        ...indexes.slice(columnCount).map(index => names[index] ?? ''),
        ...filled.flatMap(({ name, column }) => (column ? [] : [name])),
      ],
      zone: resolveTableZone(frame, time),
      provenance,
      notes: notes.slice(0, maxNotes),
      ...(time?.offersHourEnd && { offersHourEnd: true }),
      importedAs: {
        separator: records.separator,
        headingLine: layout.headingLine,
        firstLine: layout.firstLine,
        decimal: decimals.find(mark => mark !== undefined),
        dateOrder,
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

function isAmbiguousDate(column: ColumnEvidence, order: DateOrder | undefined): boolean {
  return (
    column.example !== undefined && (column.kinds & timeKinds) !== 0 && resolveDateOrder(column, order) === undefined
  );
}

/**
 * Sorts columns into file order. If another column of times precedes the time column, the time column goes first, because the first column of
 * times is the time of the rows.
 */
function sortByFileOrder(
  columns: readonly { index: number; column: Column }[],
  time?: { index: number; column: Column },
): Column[] {
  if (!time) return columns.map(({ column }) => column);
  const isFirst = columns.every(({ index, column }) => column.kind !== 'time' || index > time.index);
  const sorted = isFirst ? [...columns, time].sort((a, b) => a.index - b.index) : [time, ...columns];
  return sorted.map(({ column }) => column);
}

function resolveTableZone({ columns }: Frame, time: TimePlan | undefined): FileTable['zone'] {
  if (time) return time.zone;
  return columns.some(({ kind }) => kind === 'time') ? { source: 'file' } : undefined;
}

/** Returns the portal's name of a column, or the name without the unit or zone that our exports append, as in `wind_mw (MW)` and `ts (SAST)`. */
function getColumnName(heading: string, isPortal: boolean): string {
  return (isPortal ? findPortalColumn(heading)?.name : undefined) ?? splitHeading(heading).name;
}

/** Splits the unit or the zone from the end of a heading. A unit that is unknown here stays part of the name. */
export function splitHeading(heading: string): { readonly name: string; readonly suffix?: string } {
  const [, name = '', suffix = ''] = /^(.+) \(([^()]{1,40})\)$/.exec(heading) ?? [];
  const unit = parseUnit(suffix);
  const isUnit = unit !== undefined && (unit.kind !== 'none' || suffix === 'h' || suffix === 'pp');
  return name !== '' && (isUnit || findZone(suffix)) ? { name, suffix } : { name: heading };
}

interface ColumnPlan {
  readonly name: string;
  readonly kind: 'number' | 'boolean' | 'time' | 'digitTime' | 'text';
  readonly decimalMark: DecimalMark;
  readonly dateOrder: DateOrder;
  readonly timeZone: string;
  readonly field: FieldInfo | undefined;
  /** A note about how the column is read, if that may be unexpected. */
  readonly note: string | undefined;
}

interface ColumnContext {
  readonly name: string;
  readonly order: DateOrder | undefined;
  readonly mark: DecimalMark | undefined;
  readonly timeZone: string | undefined;
}

function planColumn(index: number, scan: TableScan, context: ColumnContext): ColumnPlan {
  const { name, order, mark, timeZone } = context;
  const column = scan.columns[index];
  const heading = scan.headings[index] ?? '';
  const knownUnit = (scan.isPortal && findPortalColumn(heading)) || knownFields.get(name)?.unit || inferUnit(heading);
  const kind = column?.example ? resolveKind(column, name, { order, mark, timeZone }) : knownUnit ? 'number' : 'text';
  return {
    name,
    kind,
    decimalMark: mark ?? 'point',
    dateOrder: (column && resolveDateOrder(column, order)) ?? 'day first',
    timeZone: timeZone ?? 'UTC',
    field: kind === 'number' ? findField(index, heading, name, scan) : undefined,
    note: column && describeColumn(column, context, kind),
  };
}

function resolveKind(
  column: ColumnEvidence,
  name: string,
  { order, mark, timeZone }: Omit<ColumnContext, 'name'>,
): ColumnPlan['kind'] {
  const { kinds } = column;
  // Digits may be times even if another column of the table already has times.
  if (isDigitTime(column, name)) return 'digitTime';
  if (mark !== undefined) return 'number';
  if (kinds & cellKind.boolean) return 'boolean';
  const hasZone = (kinds & cellKind.offset) !== 0 || timeZone !== undefined;
  return (kinds & timeKinds) !== 0 && resolveDateOrder(column, order) !== undefined && hasZone ? 'time' : 'text';
}

/** Returns the field of a column whose unit is known: from the portal, after its name, in the row of units below its heading, or from its cells. */
function findField(
  index: number,
  heading: string,
  name: string,
  { isPortal, layout, columns }: TableScan,
): FieldInfo | undefined {
  const portalColumn = isPortal ? findPortalColumn(heading) : undefined;
  if (portalColumn) return portalColumn.field;
  const unitBelowHeading = layout.units?.[index]?.trim().replace(/^[([](.*)[)\]]$/, '$1');
  const { suffix } = splitHeading(heading);
  const unit =
    // The maximum of power has the unit of power, but no energy.
    (suffix === undefined ? undefined : inferUnit(heading)) ??
    parseUnit(suffix) ??
    parseUnit(unitBelowHeading === '-' ? undefined : unitBelowHeading) ??
    ((columns[index]?.kinds ?? 0) & cellKind.percent ? share : undefined);
  return unit && { label: name, meaning: '', unit };
}

const maxNoValueNotes = 3;

/** Describes the cells that stand for no value in these columns: one note per column, or a single note for many columns. */
function describeNoValues(
  columns: readonly ColumnEvidence[],
  names: readonly string[],
  indexes: readonly number[],
): string[] {
  const matches = indexes.flatMap(index => {
    const { noValue, noValueCount = 0 } = columns[index] ?? {};
    return noValue ? [{ noValue, count: noValueCount, name: names[index] ?? '' }] : [];
  });
  const [first, ...others] = matches;
  if (!first || others.length >= maxNoValueNotes)
    return first
      ? [
          `Cells of ${matches.length} columns have no value, the first is ${describeCell(first.noValue)} of '${first.name}'.`,
        ]
      : [];
  return matches.map(({ noValue, count, name }) => {
    const cells = count === 1 ? '1 cell' : `${count} cells`;
    return `${cells} of '${name}' without a value: ${describeCell(noValue)}.`;
  });
}

function describeColumn(
  column: ColumnEvidence,
  { name, order, mark }: ColumnContext,
  kind: ColumnPlan['kind'],
): string | undefined {
  const { kinds, example, unparsed, ambiguous } = column;
  if (kind === 'number' && mark === 'point' && ambiguous.comma && (kinds & numberKinds) === numberKinds)
    return `The comma of '${name}', such as in ${describeCell(ambiguous.comma)}, is read as a mark between thousands.`;
  if (kind !== 'text' || !example) return undefined;
  if (unparsed) return `'${name}' is text because of ${describeCell(unparsed)}.`;
  if (kinds & timeKinds && resolveDateOrder(column, order) === undefined)
    return `'${name}' is text: ${describeCell(example)} and the others may have the day or the month first. Choose the order of dates in Import Options.`;
  const ambiguousNumber = ambiguous.comma ?? ambiguous.point;
  if (ambiguousNumber && kinds & numberKinds)
    return `'${name}' is text: ${describeCell(ambiguousNumber)} can be ${parseNumber(ambiguousNumber.cell, 'point')} or ${parseNumber(ambiguousNumber.cell, 'comma')}. Choose the decimal mark in Import Options.`;
  return undefined;
}

/** A column filler that parses the text of each cell. */
type TextFiller = Pick<ColumnBuilder<string>, 'set' | 'build'>;

function createFiller(
  { kind, field, dateOrder, decimalMark, timeZone }: ColumnPlan,
  rows: number,
  texts: TextCounter,
): TextFiller {
  const parseCells = <Value>({ set, build }: ColumnBuilder<Value>, parse: (cell: string) => Value): TextFiller => ({
    set: (row, cell) => set(row, parse(cell)),
    build: name => build(name, { field }),
  });
  const toInstant = createInstantConverter(timeZone);
  switch (kind) {
    case 'text':
      return createTextBuilder('text', rows, texts);
    case 'boolean':
      return parseCells(createBooleanBuilder(rows), cell => /^true$/i.test(cell));
    case 'time':
      return parseCells(createNumberBuilder('time', rows), cell => {
        const { localTime = NaN, offset } = parseTime(cell, dateOrder) ?? {};
        return offset === undefined ? toInstant(localTime) : localTime - offset;
      });
    case 'digitTime':
      return parseCells(createNumberBuilder('time', rows), cell => {
        const { ms = NaN, isEpoch = true } = parseDigitTime(cell) ?? {};
        return isEpoch ? ms : toInstant(ms);
      });
    case 'number':
      return parseCells(createNumberBuilder('number', rows), cell => parseNumber(cell, decimalMark) ?? NaN);
  }
}
