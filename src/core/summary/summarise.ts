import { stepOf } from '../query/catalogue.ts';
import { isoDates } from '../bins/dayInterval.ts';
import { takeRows, timeColumnOf } from '../frame/clip.ts';
import type { Extreme } from '../statistics/columnStatistics.ts';
import type { Energy } from '../statistics/energy.ts';
import { meanOf, statisticsOf } from '../statistics/summaryFrame.ts';
import { scaledEnergy } from '../../shared/formatNumber.ts';
import {
  type Column,
  type Frame,
  type NumberColumn,
  type TimeColumn,
  cellState,
  stateAt,
  textAt,
} from '../../shared/frame.ts';
import type { Result } from '../../shared/result.ts';
import { isShare, unitOf } from '../../shared/units.ts';
import { tableLimits, type TableProblem } from '../../shared/tableLimits.ts';
import { cellText, figureText, instantText, questionLines, rowTimes } from './questionLines.ts';
import { marked, mostCharacters, serviceText } from './modelText.ts';
import { beginningOfBodies } from '../json/responseText.ts';
import { numberText } from '../export/cellWriter.ts';

/** Maximum number of rows. */
const mostRows = 48;
/** Maximum length of the rows: the figures of the columns have priority. */
const roomForRows = 3_200;
/** Maximum number of columns in a row, without the time. */
const mostRowColumns = 24;

const longestLink = 1_000;

interface SummaryWishes {
  /** Names of the fields to include; all if omitted. */
  readonly fields?: readonly string[] | undefined;
  readonly rows: RowChoice;
  /** Opens the result in a panel without a request. */
  readonly link: string;
  /** Descriptions of the analysis steps that were applied to the rows. */
  readonly made?: readonly string[];
  /** Set if rows are computed figures, which get no statistics: `columns` for a row per column, `rows` for others. */
  readonly computed?: 'columns' | 'rows' | undefined;
  /** Yields to other work. */
  readonly pause: () => Promise<unknown>;
}

/**
 * Summarises a result for a language model, in English, with at most `mostCharacters` characters: the query with its time zone and
 * instants, provenance, coverage, the figures of each column and some rows. Pauses after each column, because ten years of many columns
 * take a fifth of a second.
 */
export async function summariseResult(
  result: Result,
  { fields, rows, link, made = [], computed, pause }: SummaryWishes,
): Promise<string> {
  const { frame } = result;
  // Connection names have no maximum length, so the link may be too long.
  const tail = link.length > longestLink ? [] : [`The whole answer, in a panel of VS Code without a request: ${link}`];
  if (!frame) {
    const head = [...questionLines(result), `${problemText(result.problem)} Its JSON begins as follows.`];
    return marked(head, [serviceText(beginningOfBodies(result.bodies, 1_500), 1_500)], tail, () => 'Cut off.');
  }
  if (computed === 'columns') {
    const [names, ...lines] = allLines(rowsOfFields(frame, fields));
    const head = [
      ...questionLines(result),
      ...madeLines(made),
      `A row for each column; null is a figure that is not known:`,
    ];
    return marked(
      head,
      [...(names === undefined ? [] : [names]), ...lines],
      tail,
      leftOut => `${leftOut} more rows do not fit; name the fields you need in "fields".`,
    );
  }
  const time = timeColumnOf(frame);
  const requested = frame.columns.filter(column => column !== time && (!fields || fields.includes(column.name)));
  const absent = fields?.filter(name => !frame.columns.some(column => column.name === name)) ?? [];
  const head = [...questionLines(result), ...madeLines(made)];
  if (absent.length > 0 && frame.rowCount > 0) {
    const names = absent.slice(0, 8).map(name => serviceText(name));
    head.push(`Not in the answer: ${names.join(', ')}. gridData_describeFields lists the known fields.`);
  }
  const timeText = time?.bins && time.bins.size !== '3h' ? isoDates(time.bins.timeZone) : rowTimes(result.provenance);
  const rowPart = rowLines(frame, time, requested, rows, timeText);
  const step = stepOf(result.provenance.interval);
  const figures = computed ? [] : await figureLines(frame, requested, { step, timeText }, pause);
  return marked(
    head,
    [...figures.slice(0, 1), ...rowsFirst(rowPart, figures)],
    tail,
    leftOut => `${leftOut} more lines do not fit; name the fields you need in "fields".`,
  );
}

function madeLines(made: readonly string[]): string[] {
  return made.length > 0 ? [`The rows below are made of those received: ${serviceText(made.join('; '), 1_500)}.`] : [];
}

/** Formats the names of the columns and all rows. */
function allLines({ rowCount, columns }: Frame): string[] {
  const names = columns.map(column => serviceText(column.name)).join(',');
  const line = (row: number): string => columns.map(column => cellText(column, row, instantText)).join(',');
  return [names, ...Array.from({ length: rowCount }, (_, row) => line(row))];
}

/** Selects the rows of a summary by `fields`: it has a row for each column. */
function rowsOfFields(frame: Frame, fields: readonly string[] | undefined): Frame {
  const field = frame.columns.find(({ name }) => name === 'field');
  if (!fields || field?.kind !== 'text') return frame;
  const rows = Uint32Array.from(field.texts.codes.keys()).filter(row => fields.includes(textAt(field.texts, row)));
  return takeRows(frame, rows);
}

function problemText(problem: TableProblem = 'notRecords'): string {
  const { columns, rows, cells, nameLength, nesting } = tableLimits;
  const texts: Readonly<Record<TableProblem, string>> = {
    notRecords: 'The answer is no table.',
    tooManyColumns: `The answer is no table: it has more than ${columns} columns.`,
    tooManyRows: `The answer is no table: it has more than ${rows} rows. Ask for a shorter range.`,
    tooManyCells: `The answer is no table: it has more than ${cells} cells. Ask for a shorter range.`,
    tooManyTexts: `The answer is no table: it has more than ${tableLimits.texts} different texts. Ask for a shorter range.`,
    nameTooLong: `The answer is no table: the name of a field has more than ${nameLength} characters.`,
    nestedTooDeep: `The answer is no table: it is nested more than ${nesting} levels deep.`,
    textsTooLong: `The answer is no table: its texts have more than ${tableLimits.textLength} characters. Ask for a shorter range.`,
    cellTooLong: `The answer is no table: a value has more than ${tableLimits.cellLength} characters.`,
    tooSlow: 'The answer is no table: it takes too long to read. Ask for a shorter range.',
    tooLarge: 'The answer is no table: it takes too much memory. Ask for a shorter range.',
  };
  return texts[problem];
}

/** Puts the rows after the figures, or before them if these are too long to leave room. */
function rowsFirst(rows: readonly string[], figures: readonly string[]): string[] {
  const rest = figures.slice(1);
  return rest.join('\n').length <= roomForRows ? [...rest, ...rows] : [...rows, ...rest];
}

interface RowFacts {
  /** The requested interval in milliseconds, if known. */
  readonly step: number | undefined;
  /** Formats the start of a row. */
  readonly timeText: (ms: number) => string;
}

async function figureLines(
  frame: Frame,
  columns: readonly Column[],
  facts: RowFacts,
  pause: SummaryWishes['pause'],
): Promise<string[]> {
  if (frame.rowCount === 0 || columns.length === 0) return [];
  const lines = [
    'Figures: field [unit] | rows with a value, null, without the field | min @ first time | max @ first time | mean, of a share of power that of the energies | median | energy, only of power over known hours',
  ];
  let used = 0;
  for (const column of columns) {
    // Further lines are only counted.
    const line = used > mostCharacters ? '' : figureLine(frame, column, facts);
    used += line.length;
    lines.push(line);
    await pause();
  }
  return lines;
}

function figureLine(frame: Frame, column: Column, facts: RowFacts): string {
  const unit = column.field?.unit?.text ? ` [${column.field.unit.text}]` : '';
  const name = `${serviceText(column.name)}${unit}`;
  const counts = countsOf(column, frame.rowCount);
  if (column.kind !== 'number') return `${name} | ${counts} | ${column.kind}`;
  return `${name} | ${counts} | ${numbersOf(frame, column, facts)}`;
}

function countsOf(column: Column, rowCount: number): string {
  let [nulls, absent] = [0, 0];
  for (let row = 0; row < rowCount; row++) {
    const state = stateAt(column, row);
    if (state === cellState.null) nulls++;
    if (state === cellState.absent) absent++;
  }
  return `${rowCount - nulls - absent}, ${nulls}, ${absent}`;
}

function numbersOf(frame: Frame, column: NumberColumn, { step, timeText }: RowFacts): string {
  const statistics = statisticsOf({ frame, step }, column);
  const { summary, share, energy } = statistics;
  if (!summary) return 'no value';
  const { min, max, median } = summary;
  const ofShares = share === undefined && isShare(unitOf(column.field)) ? ' (mean of shares)' : '';
  const mean = meanOf(column, statistics);
  const at = ({ value, instant }: Extreme): string => `${numberText(value)} @ ${timeText(instant ?? Infinity)}`;
  const texts = [
    at(min),
    at(max),
    mean === undefined ? 'none' : `${figureText(mean)}${ofShares}`,
    figureText(median),
    ...(energy ? [energyText(energy)] : []),
  ];
  return texts.join(' | ');
}

function energyText({ mwh, hours }: Energy): string {
  const { value, unit } = scaledEnergy(mwh);
  return `${figureText(value)} ${unit} over ${figureText(hours)} h`;
}

/** Returns a heading, the column names, and as many rows as fit. */
function rowLines(
  frame: Frame,
  time: TimeColumn | undefined,
  requested: readonly Column[],
  choice: RowChoice,
  timeText: (ms: number) => string,
): string[] {
  if (choice === 'none' || frame.rowCount === 0) return [];
  const columns = [...(time ? [time] : []), ...requested.slice(0, mostRowColumns)];
  const names = columns.map(column => serviceText(column.name)).join(',');
  for (let most = Math.min(mostRows, frame.rowCount); most > 0; most--) {
    const shown = sampledRows(frame.rowCount, most, choice);
    const lines = shown.map(row =>
      columns.map(column => cellText(column, row, column === time ? timeText : instantText)).join(','),
    );
    if (names.length + lines.join('\n').length > roomForRows) continue;
    return [rowsHeading(frame.rowCount, shown.length, choice, requested.length), names, ...lines];
  }
  return [];
}

function rowsHeading(all: number, shown: number, choice: RowChoice, columns: number): string {
  const which =
    shown === all
      ? `All ${all} rows`
      : `${shown} of ${all} rows, ${choice === 'ends' ? 'the first and the last' : 'evenly spaced'}`;
  const capped = columns > mostRowColumns ? `, the first ${mostRowColumns} of ${columns} fields` : '';
  return `${which}${capped}; null is a value that is missing, never 0:`;
}

/** Which rows to include: evenly spaced ones, the first and last ones, or none. */
export const rowChoices = ['sample', 'ends', 'none'] as const;
type RowChoice = (typeof rowChoices)[number];

/** Selects at most `most` of the rows 0 to `rowCount` - 1, in order and without duplicates; always includes the first and the last one. */
export function sampledRows(rowCount: number, most: number, choice: RowChoice): number[] {
  if (choice === 'none' || most < 1) return [];
  if (rowCount <= most) return [...Array(rowCount).keys()];
  if (most === 1) return [0];
  if (choice === 'sample') return [...Array(most).keys()].map(at => Math.round((at * (rowCount - 1)) / (most - 1)));
  const first = Math.ceil(most / 2);
  return [...Array(most).keys()].map(at => (at < first ? at : rowCount - most + at));
}
