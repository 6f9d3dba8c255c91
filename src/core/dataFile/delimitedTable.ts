import { CsvError, parse } from 'csv-parse/sync';
import type { FieldInfo } from '../../shared/frame.ts';
import { tableLimits } from '../../shared/tableLimits.ts';
import { unitOfName } from '../../shared/units.ts';
import { GridError } from '../errors.ts';
import { TextCount } from '../frame/textCount.ts';
import { uniqueNames } from '../export/exportTable.ts';
import { knownFields } from '../query/catalogue.ts';
import { zoneNamed } from '../time/zone.ts';
import { anyKind, cellKind, epochInstant, kindsWith, noValue, numberOf } from './cellKinds.ts';
import { booleanFiller, numberFiller, shownColumns, textFiller, type ColumnFiller } from './columnFiller.ts';
import { provenanceOfLines } from './fileProvenance.ts';
import { unitOfText, type ReadFile, type ZoneSource } from './fileTable.ts';
import { instantOf, instantsIn, wallTime, type DateOrder } from './localTime.ts';

/** Characters of one row. */
const longestRow = 1_000_000;
/** Lines above the heading that are looked at. */
const mostComments = 1_000;
/** Of two that fit equally well the first. */
const separators = ['\t', ';', ',', '|'] as const;

/** A first row with a time is no heading. */
const isTime = cellKind.instant | cellKind.local | cellKind.dayFirst | cellKind.monthFirst;
/** Numbers are times in a column that is called so. */
const timeName = /^(?:ts|time|timestamp|date|date_?time|epoch|unix(?:_?time)?)$/i;
const mostNotes = 20;

/** A cell; null where nothing stands between two separators, not even quotes. */
type Cell = string | null;

interface Delimited {
  readonly text: string;
  readonly separator: string;
}

/**
 * A delimited text as a table. A column is of numbers, instants or booleans where all its cells are, else of texts; an empty cell is null.
 * The text is parsed twice, first to count its rows and to find what the columns are, so that no row is kept as an object. `timeZone`: the
 * IANA zone of times without an offset. Throws a GridError.
 */
export function delimitedTable(given: string, timeZone?: string): ReadFile {
  const { comments, rest: text } = withoutComments(given);
  const file: Delimited = { text, separator: separatorOf(text) };
  const shape = shapeOf(file);
  const columns = columnPlans(shape, file.separator);
  const local = columns.find(({ kind }) => kind === 'local');
  const zone = timeZone ?? local?.zone;
  if (local && zone === undefined) return { kind: 'needsZone', example: local.example };
  const texts = new TextCount();
  const fillers = columns.map(plan => fillerOf(plan, shape.shown, texts, zone));
  let row = 0;
  const fill = (cells: readonly Cell[]): void => {
    for (const [place, { set }] of fillers.entries()) {
      const cell = cells[place] ?? null;
      if (cell !== null && (columns[place]?.kind === 'text' || !noValue.test(cell))) set(row, cell);
    }
    row++;
  };
  if (shape.shown > 0) eachRecord(file, fill, shape.skip, shape.shown);
  const filled = fillers.map(({ end }, place) => end(columns[place]?.name ?? ''));
  const leftOut = [
    ...shape.names.slice(columns.length),
    ...columns.flatMap(({ name }, place) => (filled[place] ? [] : [name])),
  ];
  const hasTimes = columns.some(({ kind }) => kind === 'local' || kind === 'instant' || kind === 'epoch');
  const source: ZoneSource = !local ? 'file' : timeZone === undefined ? 'heading' : 'person';
  return {
    kind: 'table',
    table: {
      frame: { rowCount: shape.shown, columns: filled.filter(column => column !== undefined) },
      rowsOfFile: shape.rows,
      leftOut,
      zone: hasTimes ? { source, ...(local && zone !== undefined && { timeZone: zone }) } : undefined,
      provenance: provenanceOfLines(comments),
      notes: columns.flatMap(({ note }) => note ?? []).slice(0, mostNotes),
      text: JSON.stringify({ separator: file.separator, comments, columns: shape.headings }),
    },
  };
}

/** What stands above the heading: Excel's `sep=;`, and lines with `#`, such as those of our own exports. */
function withoutComments(text: string): { readonly comments: string[]; readonly rest: string } {
  const comments: string[] = [];
  const line = /(.*)(?:\r\n|\r|\n)/y;
  let at = 0;
  while (comments.length < mostComments) {
    line.lastIndex = at;
    const first = text.slice(at, at + 5);
    if (!first.startsWith('# ') && !(at === 0 && /^"?sep=/i.test(first))) break;
    const match = line.exec(text);
    if (!match) break;
    if (first.startsWith('# ')) comments.push((match[1] ?? '').slice(2, 10_000));
    at = line.lastIndex;
  }
  return { comments, rest: text.slice(at) };
}

/**
 * The separator that the first lines have equally many of, outside quotes; else the one that the first has most of.
 * A single column may have commas in its numbers.
 */
function separatorOf(text: string): string {
  const lines = text
    .slice(0, longestRow)
    .replace(/"[^"]*"/g, '')
    .split(/[\r\n]+/, 20)
    // The last may be cut off, or be nothing.
    .filter((_, at, all) => at === 0 || at < all.length - 1);
  const count = (mark: string, line = ''): number => line.split(mark).length - 1;
  const most = (marks: readonly string[]): string =>
    marks.reduce((best, mark) => (count(mark, lines[0]) > count(best, lines[0]) ? mark : best), ';');
  const even = separators.filter(mark => lines.every(line => count(mark, line) === count(mark, lines[0])));
  const best = most(even);
  return count(best, lines[0]) > 0 ? best : most(separators);
}

/** Calls for the records from `skip` on, at most `most` of them. Throws a GridError where the text is no CSV. */
function eachRecord({ text, separator }: Delimited, each: (cells: readonly Cell[]) => void, skip = 0, most = Infinity) {
  let place = 0;
  // A call for each cell doubles the time.
  const hasQuotedNothing = text.includes('""');
  try {
    parse(text, {
      delimiter: separator,
      ...(most < Infinity && { to: skip + most }),
      max_record_size: longestRow,
      relax_column_count: true,
      skip_empty_lines: true,
      ...(hasQuotedNothing && { cast: (cell: string, { quoting }) => (cell === '' && !quoting ? null : cell) }),
      on_record(cells: Cell[]) {
        if (place++ >= skip) each(hasQuotedNothing ? cells : cells.map(cell => cell || null));
        // Else all records would be kept.
        return undefined;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code === 'CSV_MAX_RECORD_SIZE')
      throw new GridError('fileTooLarge', { detail: 'a row of more than 1 million characters' });
    const line = typeof error['lines'] === 'number' ? ` in line ${error['lines']}` : '';
    throw new GridError('fileDamaged', { detail: `a quotation mark is out of place${line}` });
  }
}

interface Shape {
  /** Of the columns, as in the heading. */
  readonly headings: readonly string[];
  readonly names: readonly string[];
  /** What all cells of each column may be. */
  readonly kinds: readonly number[];
  /** The first cell of each column that is not empty, or without a value. */
  readonly examples: readonly string[];
  /** The first cell of each column that is not of the kind of those before it, and its row. */
  readonly breaks: readonly (string | undefined)[];
  /** A cell of each column that stands for no value. */
  readonly empties: readonly (string | undefined)[];
  readonly rows: number;
  /** Rows and columns within the limits. */
  readonly shown: number;
  readonly shownColumns: number;
  /** Records before the first row. */
  readonly skip: 0 | 1;
}

function shapeOf(file: Delimited): Shape {
  let heading: readonly Cell[] | undefined;
  let rows = 0;
  const [kinds, examples]: [number[], string[]] = [[], []];
  const [breaks, empties]: [(string | undefined)[], (string | undefined)[]] = [[], []];
  const count = (cells: readonly Cell[]): void => {
    rows++;
    if (cells.length > tableLimits.columns) throw new GridError('fileTooLarge', { detail: 'too many columns' });
    for (const [place, cell] of cells.entries()) {
      kinds[place] ??= anyKind;
      examples[place] ??= '';
      if (cell === null) continue;
      if (noValue.test(cell)) {
        empties[place] ??= cell;
        continue;
      }
      if (kinds[place] !== 0) {
        kinds[place] = kindsWith(kinds[place], cell);
        if (kinds[place] === 0 && examples[place] !== '') breaks[place] = `${quoted(cell)} in row ${rows}`;
      }
      if (examples[place] === '') examples[place] = cell;
    }
  };
  eachRecord(file, cells => {
    if (heading === undefined) {
      const kinds = cells.map(cell => (cell === null ? anyKind : kindsWith(anyKind, cell)));
      // Years may be the names of columns, beside one that has a word.
      const isHeading = kinds.includes(0) && !kinds.some(kind => kind !== anyKind && kind & isTime);
      heading = isHeading ? cells : [];
      if (isHeading) return;
    }
    count(cells);
  });
  const width = Math.max(kinds.length, heading?.length ?? 0);
  if (width > tableLimits.columns) throw new GridError('fileTooLarge', { detail: 'too many columns' });
  const headings = Array.from({ length: width }, (_, place) => {
    const name = (heading?.[place] ?? '').slice(0, tableLimits.nameLength);
    return name.trim() === '' ? `column ${place + 1}` : name;
  });
  const shown = Math.min(rows, tableLimits.rows);
  return {
    headings,
    names: uniqueNames(headings.map(name => splitHeading(name).name)),
    kinds: headings.map((_, place) => kinds[place] ?? anyKind),
    examples: headings.map((_, place) => examples[place] ?? ''),
    breaks,
    empties,
    rows,
    shown,
    shownColumns: shownColumns(shown, width),
    skip: heading?.length ? 1 : 0,
  };
}

/** `wind_mw (MW)` and `ts (SAST)`, as our exports write them; a unit that is unknown here stays part of the name. */
function splitHeading(heading: string): { readonly name: string; readonly behind?: string } {
  const [, name = '', behind = ''] = /^(.+) \(([^()]{1,40})\)$/.exec(heading) ?? [];
  const unit = unitOfText(behind);
  const isUnit = unit !== undefined && (unit.kind !== 'none' || behind === 'h' || behind === 'pp');
  return name !== '' && (isUnit || zoneNamed(behind)) ? { name, behind } : { name: heading };
}

function quoted(cell: string): string {
  return `'${cell.slice(0, 40)}'`;
}

interface ColumnPlan {
  readonly name: string;
  readonly kind: 'point' | 'comma' | 'boolean' | 'instant' | 'epoch' | 'local' | 'text';
  readonly order: DateOrder;
  readonly field: FieldInfo | undefined;
  /** Of local times: the zone in their heading, an IANA name. */
  readonly zone: string | undefined;
  readonly example: string;
  /** How it is read, where that may surprise. */
  readonly note: string | undefined;
}

function columnPlans({ headings, names, kinds, shownColumns, ...cells }: Shape, separator: string): ColumnPlan[] {
  return names.slice(0, shownColumns).map((name, place) => {
    const { behind } = splitHeading(headings[place] ?? '');
    const example = cells.examples[place] ?? '';
    const [broken, empty] = [cells.breaks[place], cells.empties[place]];
    const known = knownFields.get(name)?.unit ?? unitOfName(name);
    const ofCells = (kinds[place] ?? 0) & (timeName.test(name) ? anyKind : ~cellKind.epoch);
    const kind = example === '' ? (known ? 'point' : 'text') : kindOf(ofCells, separator);
    const unit = kind === 'point' || kind === 'comma' ? unitOfText(behind) : undefined;
    const zone = kind === 'local' && behind !== undefined ? zoneNamed(behind)?.timeZone : undefined;
    const isBoth = (ofCells & bothOrders) === bothOrders;
    const order = ofCells & cellKind.local ? 'year first' : ofCells & cellKind.dayFirst ? 'day first' : 'month first';
    const note =
      kind === 'text' && example !== '' && isBoth
        ? `'${name}' is text: ${quoted(example)} and the others may have the day or the month first. Write the year first.`
        : kind === 'text' && broken !== undefined
          ? `'${name}' is text because of ${broken}.`
          : kind === 'local' && order !== 'year first'
            ? `Dates of '${name}' such as ${quoted(example)} are read with the ${order}.`
            : kind !== 'text' && empty !== undefined
              ? `Cells of '${name}' such as ${quoted(empty)} have no value.`
              : undefined;
    return { name, kind, order, zone, example, field: unit && { label: name, meaning: '', unit }, note };
  });
}

const bothOrders = cellKind.dayFirst | cellKind.monthFirst;

function kindOf(kinds: number, separator: string): ColumnPlan['kind'] {
  if (kinds & cellKind.epoch) return 'epoch';
  if (kinds & cellKind.point) return 'point';
  if (kinds & cellKind.comma && separator !== ',') return 'comma';
  if (kinds & cellKind.boolean) return 'boolean';
  if (kinds & cellKind.instant) return 'instant';
  const isDated = kinds & cellKind.local || (kinds & bothOrders && (kinds & bothOrders) !== bothOrders);
  return isDated ? 'local' : 'text';
}

/** Sets cells by their texts. */
type TextFiller = Pick<ColumnFiller<string>, 'set' | 'end'>;

function fillerOf({ kind, field, order }: ColumnPlan, rows: number, texts: TextCount, timeZone = 'UTC'): TextFiller {
  const through = <Value>({ set, end }: ColumnFiller<Value>, read: (cell: string) => Value): TextFiller => ({
    set: (row, cell) => set(row, read(cell)),
    end: name => end(name, { field }),
  });
  switch (kind) {
    case 'text':
      return textFiller('text', rows, texts);
    case 'boolean':
      return through(booleanFiller(rows), cell => cell === 'true');
    case 'instant':
      return through(numberFiller('time', rows), cell => instantOf(cell) ?? NaN);
    case 'local': {
      const inZone = instantsIn(timeZone);
      return through(numberFiller('time', rows), cell => inZone(wallTime(cell, order) ?? NaN));
    }
    case 'epoch':
      return through(numberFiller('time', rows), epochInstant);
    case 'point':
    case 'comma':
      return through(numberFiller('number', rows), numberOf);
  }
}
