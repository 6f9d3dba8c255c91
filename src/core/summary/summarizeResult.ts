import { getIntervalMs } from '../query/catalogue.ts';
import { findHourCounts, getFigureName } from '../bins/binFrame.ts';
import { eventColumns } from '../events/eventColumns.ts';
import { takeRows, findTimeColumn } from '../frame/clip.ts';
import type { Extreme } from '../statistics/columnStatistics.ts';
import type { Energy } from '../statistics/energy.ts';
import { getMean, getTotal, computeStatistics } from '../statistics/summaryFrame.ts';
import { scaleEnergy } from '../../shared/formatNumber.ts';
import {
  type Column,
  type Frame,
  type BooleanColumn,
  type NumberColumn,
  cellState,
  getCellState,
  getText,
} from '../../shared/frame.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { Result } from '../../shared/result.ts';
import { isQuotient, unitOf } from '../../shared/units.ts';
import { stressBandIds } from '../../shared/stressBands.ts';
import { tableLimits, type TableProblem } from '../../shared/tableLimits.ts';
import { formatCell, formatFigure, describeQuery, createRowTimes, type RowTimes } from './describeQuery.ts';
import { markAsData, maxReplyLength, quoteForModel } from './modelText.ts';
import { decodeBeginning } from '../json/responseText.ts';

/** Maximum number of rows. */
const maxRows = 48;
/** Maximum length of the rows: the figures of the columns have priority. */
const maxRowsLength = 3_200;
/** Maximum number of columns in a row, without the time. */
const maxRowColumns = 24;

const maxLinkLength = 1_000;

interface SummaryOptions {
  /** Names of the fields to include, with the columns computed from them; all if omitted. Ignored for events and scores. */
  readonly fields?: readonly string[] | undefined;
  /** The rows to include. Ignored if there is a row per column. */
  readonly rows: RowChoice;
  /** Opens the result in a panel without a request. */
  readonly link: string;
  /** Descriptions of the analysis steps that were applied to the rows. */
  readonly analysisSteps?: readonly string[];
  /** The time zone of rows that the analysis made from days or longer periods of that zone. */
  readonly dayZone?: DisplayZone | undefined;
  /** Set if rows are computed figures, which get no statistics: `columns` for a row per column, `rows` for others. */
  readonly computed?: 'columns' | 'rows' | undefined;
  /** Yields to other work. */
  readonly pause: () => Promise<unknown>;
}

/**
 * Summarizes a result for a language model, in English, with at most `maxReplyLength` characters: the query with its time zone and
 * instants, provenance, coverage, the figures of each column and some rows. Pauses after each column, because ten years of many columns
 * take a fifth of a second.
 */
export async function summarizeResult(
  result: Result,
  { fields, rows, link, analysisSteps = [], dayZone, computed, pause }: SummaryOptions,
): Promise<string> {
  const { frame } = result;
  // Connection names have no maximum length, so the link may be too long.
  const tail =
    link.length > maxLinkLength ? [] : [`The whole result, in a VS Code panel and without a request: ${link}`];
  if (!frame) {
    const head = [...describeQuery(result), `${describeProblem(result.problem)} Its JSON begins as follows.`];
    return markAsData(head, [quoteForModel(decodeBeginning(result.bodies, 1_500), 1_500)], tail, () => 'Cut off.');
  }
  const rowTimes = createRowTimes(result.provenance, dayZone?.timeZone);
  const head = [
    ...describeQuery(result, computed !== 'columns'),
    ...describeAnalysis(analysisSteps, dayZone),
    ...describeDifferences(frame),
  ];
  if (computed === 'columns') {
    const columnNames = getFieldNames(frame);
    if (fields && columnNames) head.push(...describeUnknownFields(fields, columnNames));
    const [names, ...lines] = formatAllRows(selectFields(frame, fields), rowTimes);
    head.push('One row per column; null is an unknown figure:');
    return markAsData(
      head,
      [...(names === undefined ? [] : [names]), ...lines],
      tail,
      omittedCount => `${omittedCount} more rows do not fit; name the fields you need in "fields".`,
    );
  }
  const [firstColumn] = frame.columns;
  const isProfile = firstColumn?.kind === 'text' && firstColumn.cycle !== undefined;
  const key = isProfile ? firstColumn : findTimeColumn(frame);
  const requestedFields = computed === 'rows' ? undefined : fields;
  const filterColumns = (further: readonly string[]): Column[] =>
    frame.columns.filter(
      column => column !== key && (!requestedFields || isRequested(column, [...requestedFields, ...further])),
    );
  const requested = filterColumns([]);
  // Figures of longer rows are misleading without the number of their hours.
  const rowColumns = filterColumns(findHourCounts(frame)?.map(({ name }) => name) ?? []);
  if (requestedFields && frame.rowCount > 0) {
    const names = frame.columns.map(({ name }) => name);
    head.push(...describeUnknownFields(requestedFields, names));
  }
  const formattedRows = formatRows(frame, key, rowColumns, rows, rowTimes);
  const intervalMs = getIntervalMs(result.provenance.interval);
  const { formatStart } = rowTimes;
  const figures = computed ? [] : await formatFigures(frame, requested, { intervalMs, formatStart }, pause);
  return markAsData(
    head,
    [...figures.slice(0, 1), ...joinRowsAndFigures(formattedRows, figures)],
    tail,
    omittedCount => `${omittedCount} more lines do not fit; name the fields you need in "fields".`,
  );
}

function describeAnalysis(analysisSteps: readonly string[], dayZone: DisplayZone | undefined): string[] {
  if (analysisSteps.length === 0) return [];
  const steps = quoteForModel(analysisSteps.join('; '), 1_500);
  const dates = dayZone ? ` Their dates are days of ${dayZone.label}.` : '';
  return [`The rows below were computed from the received rows: ${steps}.${dates}`];
}

function describeDifferences(frame: Frame): string[] {
  if (!frame.columns.some(({ field }) => field?.comparison?.role === 'difference')) return [];
  return findHourCounts(frame)
    ? ['Each figure covers the hours of its own period, so differences include missing hours.']
    : ['Differences and changes in percent use only the rows that both periods have.'];
}

function describeUnknownFields(fields: readonly string[], columnNames: readonly string[]): string[] {
  const unknownFields = fields.filter(field => !columnNames.some(name => isComputedFrom(name, field)));
  if (unknownFields.length === 0) return [];
  const names = unknownFields.slice(0, 8).map(name => quoteForModel(name));
  return [`Not in the result: ${names.join(', ')}. gridData_describeFields lists the known fields.`];
}

/** Whether a column is the field or one of its figures, such as `wind_mwh` of `wind_mw` in longer rows. */
function isComputedFrom(name: string, field: string): boolean {
  return (
    name === field ||
    (['energy', 'min', 'max'] as const).some(figure => name === getFigureName(field, figure)) ||
    stressBandIds.some(band => name === `${field}_${band}_h`)
  );
}

/** Whether a column is one of the fields, one of their figures, or compares one of these with another period. */
function isRequested({ name, field }: Column, fields: readonly string[]): boolean {
  const baseName = field?.comparison?.baseName ?? name;
  return fields.some(requested => name === requested || isComputedFrom(baseName, requested));
}

/** Formats the names of the columns and all rows. */
function formatAllRows({ rowCount, columns }: Frame, rowTimes: RowTimes): string[] {
  const names = columns.map(column => quoteForModel(column.name)).join(',');
  return [names, ...Array.from({ length: rowCount }, (_, row) => formatRow(columns, row, rowTimes))];
}

/** Whether a column has the ends of events, which are exclusive. */
const isEnd = ({ field }: Column): boolean => field === eventColumns.end;

function formatRow(columns: readonly Column[], row: number, { formatStart, formatEnd }: RowTimes): string {
  return columns.map(column => formatCell(column, row, isEnd(column) ? formatEnd : formatStart)).join(',');
}

/** Selects the rows of a summary by `fields`: it has a row for each column. */
function selectFields(frame: Frame, fields: readonly string[] | undefined): Frame {
  const names = getFieldNames(frame);
  if (!fields || !names) return frame;
  const rows = Uint32Array.from(names.keys()).filter(row =>
    fields.some(field => isComputedFrom(names[row] ?? '', field)),
  );
  return takeRows(frame, rows);
}

/** Returns the name of the column that each row of a summary is about. */
function getFieldNames({ columns }: Frame): string[] | undefined {
  const field = columns.find(({ name }) => name === 'field');
  return field?.kind === 'text' ? Array.from(field.texts.codes.keys(), row => getText(field.texts, row)) : undefined;
}

function describeProblem(problem: TableProblem = 'notRecords'): string {
  const { columns, rows, cells, nameLength, nesting } = tableLimits;
  const messages: Readonly<Record<TableProblem, string>> = {
    notRecords: 'The response is not a table.',
    tooManyColumns: `The response is not a table: it has more than ${columns} columns.`,
    tooManyRows: `The response is not a table: it has more than ${rows} rows. Request a shorter range.`,
    tooManyCells: `The response is not a table: it has more than ${cells} cells. Request a shorter range.`,
    tooManyTexts: `The response is not a table: it has more than ${tableLimits.texts} different texts. Request a shorter range.`,
    nameTooLong: `The response is not a table: the name of a field has more than ${nameLength} characters.`,
    nestedTooDeep: `The response is not a table: it is nested more than ${nesting} levels deep.`,
    textsTooLong: `The response is not a table: its texts have more than ${tableLimits.textLength} characters. Request a shorter range.`,
    cellTooLong: `The response is not a table: a value has more than ${tableLimits.cellLength} characters.`,
    tooSlow: 'The response is not a table: it takes too long to read. Request a shorter range.',
    tooLarge: 'The response is not a table: it takes too much memory. Request a shorter range.',
  };
  return messages[problem];
}

/** Puts the rows after the figures, or before them if these are too long to leave room. */
function joinRowsAndFigures(rows: readonly string[], figures: readonly string[]): string[] {
  const furtherFigures = figures.slice(1);
  return furtherFigures.join('\n').length <= maxRowsLength
    ? [...furtherFigures, ...rows]
    : [...rows, ...furtherFigures];
}

interface RowFormat {
  /** The requested interval in milliseconds, if known. */
  readonly intervalMs: number | undefined;
  readonly formatStart: RowTimes['formatStart'];
}

async function formatFigures(
  frame: Frame,
  columns: readonly Column[],
  format: RowFormat,
  pause: SummaryOptions['pause'],
): Promise<string[]> {
  if (frame.rowCount === 0 || columns.length === 0) return [];
  const lines = [
    'Figures: field [unit] | rows with a value, null, without the field | min @ first time | max @ first time | mean (for a share of power, weighted by energy; for a rate, by its amounts) | median | energy (only for power, over known hours) or sum (for MWh, R and t)',
  ];
  let usedLength = 0;
  for (const column of columns) {
    // Further lines are only counted.
    const line = usedLength > maxReplyLength ? '' : formatColumnFigures(frame, column, format);
    usedLength += line.length;
    lines.push(line);
    await pause();
  }
  return lines;
}

function formatColumnFigures(frame: Frame, column: Column, format: RowFormat): string {
  const unit = column.field?.unit?.text ? ` [${column.field.unit.text}]` : '';
  const name = `${quoteForModel(column.name)}${unit}`;
  const counts = formatCounts(column, frame.rowCount);
  if (column.kind === 'boolean') return `${name} | ${counts} | ${countTrue(column)} true`;
  if (column.kind !== 'number') return `${name} | ${counts} | ${column.kind}`;
  return `${name} | ${counts} | ${formatStatistics(frame, column, format)}`;
}

function formatCounts(column: Column, rowCount: number): string {
  let nulls = 0;
  let absent = 0;
  for (let row = 0; row < rowCount; row++) {
    const state = getCellState(column, row);
    if (state === cellState.null) nulls++;
    if (state === cellState.absent) absent++;
  }
  return `${rowCount - nulls - absent}, ${nulls}, ${absent}`;
}

function countTrue(column: BooleanColumn): number {
  return column.values.reduce(
    (count, value, row) => count + (value === 1 && getCellState(column, row) === cellState.value ? 1 : 0),
    0,
  );
}

function formatStatistics(frame: Frame, column: NumberColumn, { intervalMs, formatStart }: RowFormat): string {
  const statistics = computeStatistics({ frame, intervalMs }, column);
  const { summary, share, energy } = statistics;
  if (!summary) return 'no value';
  const { min, max, median } = summary;
  const unit = unitOf(column.field);
  const meanNote =
    share === undefined && isQuotient(unit) ? ` (mean of ${unit.kind === 'rate' ? 'rates' : 'shares'})` : '';
  const total = getTotal(frame, column, statistics);
  const mean = getMean(column, statistics);
  // The rows of a profile have no times.
  const formatExtreme = ({ value, instant }: Extreme): string =>
    instant === undefined ? formatFigure(value) : `${formatFigure(value)} @ ${formatStart(instant)}`;
  const texts = [
    formatExtreme(min),
    formatExtreme(max),
    mean === undefined ? 'none' : `${formatFigure(mean)}${meanNote}`,
    formatFigure(median),
    ...(energy ? [formatEnergy(energy)] : []),
    ...(total === undefined ? [] : [`sum ${formatFigure(total)} ${unit.text}`]),
  ];
  return texts.join(' | ');
}

function formatEnergy({ mwh, hours }: Energy): string {
  const { value, unit } = scaleEnergy(mwh);
  return `${formatFigure(value)} ${unit} over ${formatFigure(hours)} h`;
}

/** Returns a heading, the column names, and as many rows as fit. */
function formatRows(
  frame: Frame,
  key: Column | undefined,
  requested: readonly Column[],
  choice: RowChoice,
  rowTimes: RowTimes,
): string[] {
  if (choice === 'none' || frame.rowCount === 0) return [];
  const columns = [...(key ? [key] : []), ...requested.slice(0, maxRowColumns)];
  const names = columns.map(column => quoteForModel(column.name)).join(',');
  for (let maxCount = Math.min(maxRows, frame.rowCount); maxCount > 0; maxCount--) {
    const sampledRows = sampleRows(frame.rowCount, maxCount, choice);
    const lines = sampledRows.map(row => formatRow(columns, row, rowTimes));
    if (names.length + lines.join('\n').length > maxRowsLength) continue;
    return [formatRowsHeading(frame.rowCount, sampledRows.length, choice, requested), names, ...lines];
  }
  return [];
}

function formatRowsHeading(
  totalCount: number,
  sampledCount: number,
  choice: RowChoice,
  columns: readonly Column[],
): string {
  const description =
    sampledCount === totalCount
      ? `All ${totalCount} rows`
      : `${sampledCount} of ${totalCount} rows, ${choiceNames[choice]}`;
  const columnNote = columns.length > maxRowColumns ? `, the first ${maxRowColumns} of ${columns.length} fields` : '';
  const endNote = columns.some(isEnd) ? '; an end is exclusive, or the last day' : '';
  return `${description}${columnNote}; null is a missing value, never 0${endNote}:`;
}

/** The choices of rows to include. */
export const rowChoices = ['none', 'first', 'sample', 'ends'] as const;
type RowChoice = (typeof rowChoices)[number];

const choiceNames: Readonly<Record<RowChoice, string>> = {
  none: 'none',
  first: 'the first',
  sample: 'evenly spaced',
  ends: 'the first and the last',
};

/** Selects at most `maxCount` of the rows 0 to `rowCount` - 1, in order and without duplicates. `sample` and `ends` include the first and the last one. */
export function sampleRows(rowCount: number, maxCount: number, choice: RowChoice): number[] {
  if (choice === 'none' || maxCount < 1) return [];
  if (rowCount <= maxCount) return [...Array(rowCount).keys()];
  if (maxCount === 1) return [0];
  if (choice === 'sample')
    return [...Array(maxCount).keys()].map(index => Math.round((index * (rowCount - 1)) / (maxCount - 1)));
  const first = choice === 'first' ? maxCount : Math.ceil(maxCount / 2);
  return [...Array(maxCount).keys()].map(index => (index < first ? index : rowCount - maxCount + index));
}
