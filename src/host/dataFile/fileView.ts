import type { CellChanges } from '../../core/compare/cellChanges.ts';
import { isoDates } from '../../core/bins/dayInterval.ts';
import { cutsSeconds, timeColumnOf } from '../../core/frame/clip.ts';
import { instantsOf } from '../../core/frame/frames.ts';
import { t } from '@vscode/l10n';
import type { FileTable } from '../../core/dataFile/fileTable.ts';
import type { ImportOptions } from '../../core/dataFile/importOptions.ts';
import { countIntervals } from '../../core/frame/coverage.ts';
import { datasetById, membersOf } from '../../core/query/catalogue.ts';
import { utc } from '../../core/time/zone.ts';
import type { ReadTable } from '../../service/reader/readerJobs.ts';
import { dayMs, hourMs, minuteMs } from '../../shared/durations.ts';
import type { DisplayZone, HeaderPart, PanelAction, QueryTools, ViewState } from '../../shared/protocol.ts';
import type { RowLength } from '../../shared/resampling.ts';
import { stepState, type Coverage } from '../../shared/result.ts';
import type { ComparedResult } from '../panel/comparedRun.ts';
import { cutSecondsPart, sampleNote } from '../panel/resultHeader.ts';
import { actionLabel } from '../messages/failures.ts';
import { changedCells, count, intervalName, megabytes, requests, rows, steps } from '../messages/numbers.ts';
import { momentText, spanText, stepText } from '../messages/times.ts';
import { offers, resultState } from '../panel/resultState.ts';
import { zoneOfPage } from '../settings.ts';
import { chosenOptionsText, offeredOptions } from './importOptionsPick.ts';
import { hasChosen, type ImportDecision } from './importOptionsStore.ts';

/** A data file that was read. */
export interface ShownFile extends ReadTable {
  /** The size in bytes; undefined for a folder. */
  readonly size: number | undefined;
  /** The time of the last change in UTC milliseconds, if it is known. */
  readonly modified: number | undefined;
}

/** The rows of a file joined with those of another, and their differences. */
export interface ComparedFile {
  readonly result: ComparedResult;
  readonly changes: CellChanges;
}

export interface FileShowing {
  readonly name: string;
  /** Whether the name has a revision, which distinguishes two versions side by side. */
  readonly isVersion: boolean;
  readonly path: string;
  readonly zone: DisplayZone;
  readonly decision: ImportDecision;
  /** A sentence on why the rows are not the current ones of the file. */
  readonly trouble: string | undefined;
  /** The compared file, or why it cannot be compared. */
  readonly comparison: ComparedFile | { readonly failure: string } | undefined;
}

/** Creates the actions for a file, which need no service. */
function fileTools({ result, size }: ShownFile, canImport: boolean, comparison: FileShowing['comparison']): QueryTools {
  const text = size === undefined ? [] : [asText()];
  const options = canImport ? offers('importOptions') : [];
  const compare = result.frame && timeColumnOf(result.frame) ? offers('compareFile') : [];
  const compared = comparison ? offers('endComparison', 'showChangedRows') : [];
  return { actions: [...offers('export', 'report', 'openInEditor'), ...text, ...options, ...compare, ...compared] };
}

function asText() {
  return { action: 'openResponse' as const, label: t('Open File As Text') };
}

function again(canImport: boolean) {
  return [...offers('tryAgain'), asText(), ...(canImport ? offers('importOptions') : [])];
}

/** Creates the state of the page: that of a query's result, with another header line. */
export function fileState(shown: ShownFile, showing: FileShowing): ViewState {
  const { name, zone, decision, comparison } = showing;
  const result = comparison && 'result' in comparison ? comparison.result : shown.result;
  const canImport = offeredOptions({ name, table: shown.table, options: decision.options }).length > 0;
  const own = { tools: fileTools(shown, canImport, comparison), header: fileHeader(shown, showing) };
  if (result.frame?.rowCount === 0)
    return { view: 'empty', title: name, ...own, sentence: t('The file has no rows.'), actions: again(canImport) };
  return { ...resultState(result, { title: name, zone, named: {} }), ...own };
}

/** Creates the header: name, size, range, interval and time zone with their sources, and warnings. */
export function fileHeader(
  shown: ShownFile,
  { name, isVersion, path, zone, decision, trouble, comparison }: FileShowing,
): HeaderPart[] {
  const { table, result, intervalFrom, repeats, size, modified } = shown;
  const { provenance, frame, coverage } = result;
  const { start, end, interval } = provenance;
  const parts: HeaderPart[] = [{ text: name, tooltip: path, ...(!isVersion && { spare: 2 }) }];
  const sample = sampleNote(provenance);
  if (sample) parts.push(sample);
  const changed = modified !== undefined && { tooltip: t('Modified {0}.', momentText(modified, zone)) };
  if (size !== undefined) parts.push({ text: megabytes(size), ...changed, spare: 6 });
  if (start < end) parts.push({ text: spanText(provenance, provenance.days ?? zone), spare: 1 });
  if (interval !== '')
    parts.push({
      text: intervalName(interval),
      tooltip:
        intervalFrom === 'provenance'
          ? t('Interval: {0}, as the file says.', interval)
          : t('Interval: {0}, the most frequent distance of rows.', interval),
      spare: 4,
    });
  const { lengths } = (frame && timeColumnOf(frame)) ?? {};
  if (lengths)
    parts.push({
      text: lengthsText(lengths, zone),
      tooltip: t('Rows have different lengths. Energies, means and longer rows count each by its own length.'),
      spare: 4,
    });
  const times = zonePart(table.zone, decision.assumesUtc);
  if (times) parts.push(times);
  parts.push(...importParts(table, decision.options));
  const shownRows = frame?.rowCount ?? 0;
  if (table.rowsOfFile > shownRows && frame)
    parts.push({
      text: t('the first {0} of {1} rows', count(shownRows), count(table.rowsOfFile)),
      tooltip: t('A table has no room for more.'),
      tone: 'warning',
    });
  else if (coverage && coverage.missing > 0)
    parts.push({
      text: t(
        '{0} of {1}, {2} missing',
        count(coverage.present),
        steps(coverage.expected, interval),
        count(coverage.missing),
      ),
      tooltip: missingText(coverage, provenance.dataset, zone),
      tone: 'warning',
    });
  else parts.push({ text: rows(shownRows) });
  if (comparison) parts.push(...comparisonParts(comparison, zone));
  if (repeats > 0)
    parts.push({
      text: t('{0} with the time of another', rows(repeats)),
      tooltip: t('Sums count each of them, and a comparison takes the first.'),
      tone: 'warning',
    });
  if (table.leftOut.length > 0)
    parts.push({
      text: t('{0} columns not shown', count(table.leftOut.length)),
      tooltip: listed(table.leftOut),
      tone: 'warning',
    });
  if (frame && cutsSeconds(frame)) parts.push(cutSecondsPart());
  const exported = exportPart(table, zone);
  if (exported) parts.push(exported);
  if (table.notes.length > 0)
    parts.push({
      text: table.notes.length === 1 ? t('1 note') : t('{0} notes', count(table.notes.length)),
      tooltip: table.notes.join('\n'),
      spare: 3,
    });
  if (trouble) parts.push({ text: trouble, tooltip: t('The rows are those that were read before.'), tone: 'warning' });
  return parts;
}

/** Creates the parts for the compared file: its name, the changes by column and day, and the unmatched rows. */
function comparisonParts(comparison: NonNullable<FileShowing['comparison']>, zone: DisplayZone): HeaderPart[] {
  if ('failure' in comparison) return [{ text: comparison.failure, tone: 'warning', action: 'endComparison' }];
  const { result, changes } = comparison;
  const { name = '' } = result.against ?? {};
  const { columns, added, removed } = changes;
  const cells = columns.reduce((sum, [, changed]) => sum + changed, 0);
  const onlyIn = [
    ...(added.columns.length > 0 ? [t('Columns only here: {0}', listed(added.columns))] : []),
    ...(removed.columns.length > 0 ? [t('Columns only in {0}: {1}', name, listed(removed.columns))] : []),
  ];
  return [
    { text: t('compared with {0}', name), ...(onlyIn.length > 0 && { tooltip: onlyIn.join('\n'), tone: 'warning' }) },
    cells === 0
      ? { text: t('no cell changed') }
      : {
          text: t(
            '{0} in {1}',
            changedCells(cells),
            columns.length === 1 ? t('1 column') : t('{0} columns', count(columns.length)),
          ),
          tooltip: [
            ...cut(columns.map(([label, changed]) => `${label}: ${changedCells(changed)}`)),
            '',
            ...cut(changesByDay(comparison, zone)),
          ].join('\n'),
          action: 'showChangedRows',
        },
    ...(added.rows > 0 ? [{ text: t('{0} only here', rows(added.rows)), tone: 'warning' as const }] : []),
    ...(removed.rows > 0 ? [{ text: t('{0} only in {1}', rows(removed.rows), name), tone: 'warning' as const }] : []),
  ];
}

/** Counts the changed cells of each day in the time zone. */
function changesByDay({ result, changes }: ComparedFile, zone: DisplayZone): string[] {
  const instants = result.received ? instantsOf(result.received) : [];
  const dayOf = isoDates(zone.timeZone);
  const days = new Map<string, number>();
  changes.counts.values.forEach((cells, row) => {
    if (cells === 0) return;
    const day = dayOf(instants[row] ?? NaN);
    days.set(day, (days.get(day) ?? 0) + cells);
  });
  return Array.from(days, ([day, cells]) => `${day}: ${changedCells(cells)}`);
}

/** Limits the lines to what fits into a tooltip. */
function cut(lines: readonly string[]): readonly string[] {
  const [first, rest] = [lines.slice(0, 12), lines.slice(12)];
  return rest.length > 0 ? [...first, t('and {0} more', count(rest.length))] : first;
}

function listed(names: readonly string[]): string {
  return names.slice(0, 20).join(', ') + (names.length > 20 ? ' …' : '');
}

const maxLengths = 3;

/** Formats the first few lengths of the rows: "60 min to 1 Jan, then 15 min". */
function lengthsText(lengths: readonly RowLength[], zone: DisplayZone): string {
  // Consecutive entries may have the same length but begin at other minutes.
  const changes = lengths.filter(({ stepMs }, at) => stepMs !== lengths[at - 1]?.stepMs);
  const shown = changes.slice(0, maxLengths);
  const ends = shown.slice(1).map(({ start }) => start);
  const shape = { range: [ends[0] ?? 0, ends.at(-1) ?? 0], step: undefined, unit: 'minute', daily: true } as const;
  const texts = shown.map(({ stepMs }, at) => {
    const end = ends[at];
    return end === undefined ? lengthText(stepMs) : t('{0} to {1}', lengthText(stepMs), stepText(end, zone, shape));
  });
  return texts.reduce((before, next) => t('{0}, then {1}', before, next)) + (changes.length > maxLengths ? ', …' : '');
}

function lengthText(ms: number): string {
  if (ms % dayMs === 0) return steps(ms / dayMs, '1d');
  return ms > hourMs && ms % hourMs === 0 ? t('{0} h', ms / hourMs) : t('{0} min', ms / minuteMs);
}

/** Describes when hours are missing, and how many requests would fetch them. */
function missingText({ states, missingStretches }: Coverage, id: string, zone: DisplayZone): string {
  const listed = missingStretches.map(([start, end]) => spanText({ start, end }, zone)).join(', ');
  const isAll = missingStretches.length === countIntervals(states, stepState.missing);
  const text = t('No rows for {0}.', isAll ? listed : `${listed}…`);
  const dataset = datasetById(id);
  return dataset
    ? `${text} ${t('With a key, asking for them again takes {0}.', requests(membersOf(dataset).length))}`
    : text;
}

/** Creates the part for the time zone of the file and where it is specified. */
function zonePart(zone: FileTable['zone'], isAssumed: boolean): HeaderPart | undefined {
  if (!zone) return undefined;
  const { label } = zoneOfPage(zone.timeZone ?? 'UTC') ?? utc;
  switch (zone.source) {
    case 'file':
      return { text: t('times with offset'), tooltip: t('The file says the offset from UTC of each time.'), spare: 5 };
    case 'heading':
      return { text: t('times in {0}', label), tooltip: t('The heading of the file says so.'), spare: 5 };
    case 'portal':
      return {
        text: t('times in {0}', label),
        tooltip: t('Files of the Eskom Data Portal are in this zone.'),
        spare: 5,
      };
    case 'person':
      return {
        text: isAssumed ? t('times assumed in {0}', label) : t('times in {0}', label),
        tooltip: t('The times in the file have no offset. Select their zone.'),
        action: 'importOptions',
        ...(isAssumed && { tone: 'warning' as const }),
      };
  }
}

/** Creates the parts for import options: detected ones, which a click changes, and chosen ones. */
function importParts({ importedAs, offersHourEnd }: ReadTable['table'], options: ImportOptions): HeaderPart[] {
  const { headingLine, hour } = options;
  const parts: HeaderPart[] = [];
  if (headingLine === 1) parts.push(togglePart('toggleHeading', t('heading in line 1')));
  else if (headingLine === undefined && importedAs?.headingLine === 0)
    parts.push(togglePart('toggleHeading', t('first line is data'), t('The first line has no names of columns.')));
  if (hour === 'end')
    parts.push(togglePart('toggleHourEnd', t('hour ending'), t('Each time is read as the end of its row.')));
  else if (hour === undefined && offersHourEnd)
    parts.push(togglePart('toggleHourEnd', t('hours 1 to 24'), t('Each time is read as the beginning of its row.')));
  if (hasChosen(options))
    parts.push({
      text: t('options of this folder'),
      tooltip: `${t('You chose these for the files of this folder:')}\n${chosenOptionsText(options)}`,
      action: 'importOptions',
      spare: 4,
    });
  return parts;
}

function togglePart(action: PanelAction, text: string, sentence?: string): HeaderPart {
  const label = actionLabel(action);
  return { text, tooltip: sentence === undefined ? label : `${sentence}\n${label}`, action, spare: 1 };
}

function exportPart({ provenance }: ReadTable['table'], zone: DisplayZone): HeaderPart | undefined {
  if (!provenance) return undefined;
  const { connection, service, dataset, range, fetchedAt, comparedWith, resampled, events, scorecard } = provenance;
  const source = connection ?? service;
  const fetched = fetchedAt === undefined ? NaN : Date.parse(fetchedAt);
  const facts = [dataset, range, comparedWith, resampled, events, scorecard].filter(fact => fact !== undefined);
  return {
    text: source === undefined ? t('exported here') : t('exported from {0}', source),
    tooltip: [...facts, ...(Number.isNaN(fetched) ? [] : [t('Fetched {0}.', momentText(fetched, zone))])].join('\n'),
    spare: 3,
  };
}

/** Creates the state of a file that is being read or cannot be read. */
export function unreadState(name: string, sentence: string, isReading: boolean, canImport = false): ViewState {
  const base = { title: name, tools: { actions: [] }, header: [{ text: name }] };
  if (isReading) return { view: 'loading', ...base, detail: sentence, content: 'earlier', actions: [] };
  return { view: 'error', ...base, sentence, actions: again(canImport) };
}
