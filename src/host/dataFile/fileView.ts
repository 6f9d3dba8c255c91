import type { CellChanges } from '../../core/compare/cellChanges.ts';
import { createIsoDateFormatter } from '../../core/bins/dayInterval.ts';
import { hasSubMillisecondTimes, findTimeColumn } from '../../core/frame/clip.ts';
import { getInstants } from '../../core/frame/frames.ts';
import { t } from '@vscode/l10n';
import type { FileTable } from '../../core/dataFile/fileTable.ts';
import type { ImportOptions } from '../../shared/importOptions.ts';
import { countRangesInState } from '../../core/frame/coverage.ts';
import { findDataset, getMembers } from '../../core/query/catalogue.ts';
import { utc } from '../../core/time/zone.ts';
import type { FileReadTable } from '../../service/reader/readerJobs.ts';
import { dayMs, hourMs, minuteMs } from '../../shared/durations.ts';
import type { DisplayZone, HeaderPart, PanelAction, QueryTools, ViewState } from '../../shared/protocol.ts';
import type { RowLength } from '../../shared/resampling.ts';
import { intervalState, type Coverage } from '../../shared/result.ts';
import type { ComparedResult } from '../panel/comparedRun.ts';
import { truncatedTimesPart, sampleDataPart } from '../panel/resultHeader.ts';
import { actionLabel } from '../messages/failures.ts';
import {
  formatChangedCells,
  formatCount,
  intervalName,
  formatSize,
  formatRequests,
  formatRows,
  formatIntervals,
} from '../messages/numbers.ts';
import { formatZonedInstant, formatSpan, formatRowTime } from '../messages/times.ts';
import { createOffers, createResultState } from '../panel/resultState.ts';
import { findOfferedZone } from '../settings.ts';
import { formatChosenOptions, listOptions } from './importOptionsPick.ts';
import { hasChosenOptions, type ImportDecision } from './importOptionsStore.ts';

/** A data file that was read. */
export interface LoadedFile extends FileReadTable {
  /** The size in bytes; undefined for a folder. */
  readonly size: number | undefined;
  /** The time of the last change in UTC milliseconds, if it is known. */
  readonly modified: number | undefined;
}

/** The rows of a file joined with the rows of another file, and their differences. */
export interface ComparedFile {
  readonly result: ComparedResult;
  readonly changes: CellChanges;
}

export interface FileViewOptions {
  readonly name: string;
  /** Whether the name has a revision, which distinguishes two versions side by side. */
  readonly isVersion: boolean;
  readonly path: string;
  readonly zone: DisplayZone;
  readonly decision: ImportDecision;
  /** A sentence that explains why the rows are not the current ones of the file. */
  readonly problem: string | undefined;
  /** The compared file, or why it cannot be compared. */
  readonly comparison: ComparedFile | { readonly failure: string } | undefined;
}

/** Creates the actions for a file, which need no service. */
function createFileTools(
  { result, size }: LoadedFile,
  canImport: boolean,
  comparison: FileViewOptions['comparison'],
): QueryTools {
  const text = size === undefined ? [] : [createOpenAsTextOffer()];
  const options = canImport ? createOffers('importOptions') : [];
  const compare = result.frame && findTimeColumn(result.frame) ? createOffers('compareFile', 'addPreset') : [];
  const compared = comparison ? createOffers('endComparison', 'showChangedRows') : [];
  return {
    actions: [...createOffers('export', 'report', 'openInEditor'), ...text, ...options, ...compare, ...compared],
  };
}

function createOpenAsTextOffer() {
  return { action: 'openResponse' as const, label: t('Open File As Text') };
}

function createRetryOffers(canImport: boolean) {
  return [...createOffers('tryAgain'), createOpenAsTextOffer(), ...(canImport ? createOffers('importOptions') : [])];
}

/** Creates the state of the page, which is like the state of a query's result with another header line. */
export function createFileState(file: LoadedFile, options: FileViewOptions): ViewState {
  const { name, zone, decision, comparison } = options;
  const result = comparison && 'result' in comparison ? comparison.result : file.result;
  const canImport = listOptions({ name, table: file.table, options: decision.options }).length > 0;
  const overrides = { tools: createFileTools(file, canImport, comparison), header: createFileHeader(file, options) };
  if (result.frame?.rowCount === 0)
    return {
      view: 'empty',
      title: name,
      ...overrides,
      sentence: t('The file has no rows.'),
      actions: createRetryOffers(canImport),
    };
  return { ...createResultState(result, { title: name, zone, toolbarTexts: {} }), ...overrides };
}

/** Creates the header: name, size, range, interval and time zone with their sources, and warnings. */
export function createFileHeader(
  file: LoadedFile,
  { name, isVersion, path, zone, decision, problem, comparison }: FileViewOptions,
): HeaderPart[] {
  const { table, result, intervalFrom, duplicates, size, modified } = file;
  const { provenance, frame, coverage } = result;
  const { start, end, interval } = provenance;
  const parts: HeaderPart[] = [{ text: name, tooltip: path, ...(!isVersion && { spare: 2 }) }];
  const sample = sampleDataPart(provenance);
  if (sample) parts.push(sample);
  const modifiedTooltip = modified !== undefined && { tooltip: t('Modified {0}.', formatZonedInstant(modified, zone)) };
  if (size !== undefined) parts.push({ text: formatSize(size), ...modifiedTooltip, spare: 6 });
  if (start < end) parts.push({ text: formatSpan(provenance, provenance.days ?? zone), spare: 1 });
  if (interval !== '')
    parts.push({
      text: intervalName(interval),
      tooltip:
        intervalFrom === 'provenance'
          ? t('Interval: {0}, as stated in the file.', interval)
          : t('Interval: {0}, the most frequent distance between rows.', interval),
      spare: 4,
    });
  const { lengths } = (frame && findTimeColumn(frame)) ?? {};
  if (lengths)
    parts.push({
      text: formatLengths(lengths, zone),
      tooltip: t('Rows have different lengths. Energies, means and longer rows count each by its own length.'),
      spare: 4,
    });
  const timeZonePart = createZonePart(table.zone, decision.assumesUtc);
  if (timeZonePart) parts.push(timeZonePart);
  parts.push(...createImportParts(table, decision.options));
  const rowCount = frame?.rowCount ?? 0;
  if (table.fileRowCount > rowCount && frame)
    parts.push({
      text: t('the first {0} of {1} rows', formatCount(rowCount), formatCount(table.fileRowCount)),
      tooltip: t('The table has reached the maximum number of rows.'),
      tone: 'warning',
    });
  else if (coverage && coverage.missing > 0)
    parts.push({
      text: t(
        '{0} of {1}, {2} missing',
        formatCount(coverage.present),
        formatIntervals(coverage.expected, interval),
        formatCount(coverage.missing),
      ),
      tooltip: createMissingTooltip(coverage, provenance.dataset, zone),
      tone: 'warning',
    });
  else parts.push({ text: formatRows(rowCount) });
  if (comparison) parts.push(...createComparisonParts(comparison, zone));
  if (duplicates > 0)
    parts.push({
      text: t('{0} with a duplicate time', formatRows(duplicates)),
      tooltip: t('Sums include each of them; comparisons use the first.'),
      tone: 'warning',
    });
  if (table.omitted.length > 0)
    parts.push({
      text: t('{0} columns not shown', formatCount(table.omitted.length)),
      tooltip: formatList(table.omitted),
      tone: 'warning',
    });
  if (frame && hasSubMillisecondTimes(frame)) parts.push(truncatedTimesPart());
  const exported = createExportPart(table, zone);
  if (exported) parts.push(exported);
  if (table.notes.length > 0)
    parts.push({
      text: table.notes.length === 1 ? t('1 note') : t('{0} notes', formatCount(table.notes.length)),
      tooltip: table.notes.join('\n'),
      spare: 3,
    });
  if (problem) parts.push({ text: problem, tooltip: t('Showing the rows read before.'), tone: 'warning' });
  return parts;
}

/** Creates the parts for the compared file: its name, the changes by column and day, and the unmatched rows. */
function createComparisonParts(
  comparison: NonNullable<FileViewOptions['comparison']>,
  zone: DisplayZone,
): HeaderPart[] {
  if ('failure' in comparison) return [{ text: comparison.failure, tone: 'warning', action: 'endComparison' }];
  const { result, changes } = comparison;
  const { name = '' } = result.comparedRange ?? {};
  const { columns: columnChanges, added, removed } = changes;
  const cells = columnChanges.reduce((sum, [, changed]) => sum + changed, 0);
  const unmatchedColumns = [
    ...(added.columns.length > 0 ? [t('Columns only here: {0}', formatList(added.columns))] : []),
    ...(removed.columns.length > 0 ? [t('Columns only in {0}: {1}', name, formatList(removed.columns))] : []),
  ];
  return [
    {
      text: t('compared with {0}', name),
      ...(unmatchedColumns.length > 0 && { tooltip: unmatchedColumns.join('\n'), tone: 'warning' }),
    },
    cells === 0
      ? { text: t('no cell changed') }
      : {
          text: t(
            '{0} in {1}',
            formatChangedCells(cells),
            columnChanges.length === 1 ? t('1 column') : t('{0} columns', formatCount(columnChanges.length)),
          ),
          tooltip: [
            ...truncateLines(columnChanges.map(([label, changed]) => `${label}: ${formatChangedCells(changed)}`)),
            '',
            ...truncateLines(countChangesByDay(comparison, zone)),
          ].join('\n'),
          action: 'showChangedRows',
        },
    ...(added.rows > 0 ? [{ text: t('{0} only here', formatRows(added.rows)), tone: 'warning' as const }] : []),
    ...(removed.rows > 0
      ? [{ text: t('{0} only in {1}', formatRows(removed.rows), name), tone: 'warning' as const }]
      : []),
  ];
}

/** Counts the changed cells of each day in the time zone. */
function countChangesByDay({ result, changes }: ComparedFile, zone: DisplayZone): string[] {
  const instants = result.received ? getInstants(result.received) : [];
  const dayFormat = createIsoDateFormatter(zone.timeZone);
  const days = new Map<string, number>();
  changes.counts.values.forEach((cells, row) => {
    if (cells === 0) return;
    const day = dayFormat(instants[row] ?? NaN);
    days.set(day, (days.get(day) ?? 0) + cells);
  });
  return Array.from(days, ([day, cells]) => `${day}: ${formatChangedCells(cells)}`);
}

const maxTooltipLines = 12;

/** Limits the lines to what fits into a tooltip. */
function truncateLines(lines: readonly string[]): readonly string[] {
  const omittedCount = lines.length - maxTooltipLines;
  if (omittedCount <= 0) return lines;
  return [...lines.slice(0, maxTooltipLines), t('and {0} more', formatCount(omittedCount))];
}

function formatList(names: readonly string[]): string {
  return names.slice(0, 20).join(', ') + (names.length > 20 ? ' …' : '');
}

const maxLengths = 3;

/** Formats the first few lengths of the rows: "60 min to 1 Jan, then 15 min". */
function formatLengths(lengths: readonly RowLength[], zone: DisplayZone): string {
  // Consecutive entries may have the same length but begin at other minutes.
  const changes = lengths.filter(({ intervalMs }, index) => intervalMs !== lengths[index - 1]?.intervalMs);
  const listed = changes.slice(0, maxLengths);
  const ends = listed.slice(1).map(({ start }) => start);
  const shape = { range: [ends[0] ?? 0, ends.at(-1) ?? 0], step: undefined, unit: 'minute', daily: true } as const;
  const texts = listed.map(({ intervalMs }, index) => {
    const end = ends[index];
    return end === undefined
      ? formatLength(intervalMs)
      : t('{0} to {1}', formatLength(intervalMs), formatRowTime(end, zone, shape));
  });
  return texts.reduce((text, next) => t('{0}, then {1}', text, next)) + (changes.length > maxLengths ? ', …' : '');
}

function formatLength(ms: number): string {
  if (ms % dayMs === 0) return formatIntervals(ms / dayMs, '1d');
  return ms > hourMs && ms % hourMs === 0 ? t('{0} h', ms / hourMs) : t('{0} min', ms / minuteMs);
}

/** Lists the ranges of missing hours, and describes how many requests would fetch them. */
function createMissingTooltip({ states, missingRanges }: Coverage, id: string, zone: DisplayZone): string {
  const ranges = missingRanges.map(([start, end]) => formatSpan({ start, end }, zone)).join(', ');
  const listsAllRanges = missingRanges.length === countRangesInState(states, intervalState.missing);
  const text = t('No rows for {0}.', listsAllRanges ? ranges : `${ranges}…`);
  const dataset = findDataset(id);
  return dataset
    ? `${text} ${t('With a key, requesting them again takes {0}.', formatRequests(getMembers(dataset).length))}`
    : text;
}

/** Creates the part for the time zone of the file and where it is specified. */
function createZonePart(zone: FileTable['zone'], isAssumed: boolean): HeaderPart | undefined {
  if (!zone) return undefined;
  const { label } = findOfferedZone(zone.timeZone ?? 'UTC') ?? utc;
  switch (zone.source) {
    case 'file':
      return { text: t('times with offset'), tooltip: t('The file states the UTC offset of each time.'), spare: 5 };
    case 'heading':
      return { text: t('times in {0}', label), tooltip: t('Stated in the heading of the file.'), spare: 5 };
    case 'portal':
      return {
        text: t('times in {0}', label),
        tooltip: t('Files of the Eskom Data Portal are in this zone.'),
        spare: 5,
      };
    case 'user':
      return {
        text: isAssumed ? t('times assumed in {0}', label) : t('times in {0}', label),
        tooltip: t('The times in the file have no offset. Select their zone.'),
        action: 'importOptions',
        ...(isAssumed && { tone: 'warning' as const }),
      };
  }
}

/** Creates the parts for import options: detected ones, which a click changes, and chosen ones. */
function createImportParts(
  { importedAs, offersHourEnd }: FileReadTable['table'],
  options: ImportOptions,
): HeaderPart[] {
  const { headingLine, hour } = options;
  const parts: HeaderPart[] = [];
  if (headingLine === 1) parts.push(createTogglePart('toggleHeading', t('heading in line 1')));
  else if (headingLine === undefined && importedAs?.headingLine === 0)
    parts.push(createTogglePart('toggleHeading', t('first line is data'), t('The first line has no column names.')));
  if (hour === 'end')
    parts.push(createTogglePart('toggleHourEnd', t('hour ending'), t('Each time is read as the end of its row.')));
  else if (hour === undefined && offersHourEnd)
    parts.push(
      createTogglePart('toggleHourEnd', t('hours 1 to 24'), t('Each time is read as the beginning of its row.')),
    );
  if (hasChosenOptions(options))
    parts.push({
      text: t('options of this folder'),
      tooltip: `${t('Options for the files in this folder:')}\n${formatChosenOptions(options)}`,
      action: 'importOptions',
      spare: 4,
    });
  return parts;
}

function createTogglePart(action: PanelAction, text: string, sentence?: string): HeaderPart {
  const label = actionLabel(action);
  return { text, tooltip: sentence === undefined ? label : `${sentence}\n${label}`, action, spare: 1 };
}

function createExportPart({ provenance }: FileReadTable['table'], zone: DisplayZone): HeaderPart | undefined {
  if (!provenance) return undefined;
  const { connection, service, dataset, range, fetchedAt, comparedWith, resampled, events, scorecard } = provenance;
  const source = connection ?? service;
  const fetched = fetchedAt === undefined ? NaN : Date.parse(fetchedAt);
  const facts = [dataset, range, comparedWith, resampled, events, scorecard].filter(fact => fact !== undefined);
  return {
    text: source === undefined ? t('exported here') : t('exported from {0}', source),
    tooltip: [...facts, ...(Number.isNaN(fetched) ? [] : [t('Fetched {0}.', formatZonedInstant(fetched, zone))])].join(
      '\n',
    ),
    spare: 3,
  };
}

/** Creates the state of a file that is being read or cannot be read. */
export function createUnreadState(name: string, sentence: string, isReading: boolean, canImport = false): ViewState {
  const base = { title: name, tools: { actions: [] }, header: [{ text: name }] };
  if (isReading) return { view: 'loading', ...base, detail: sentence, content: 'earlier', actions: [] };
  return { view: 'error', ...base, sentence, actions: createRetryOffers(canImport) };
}
