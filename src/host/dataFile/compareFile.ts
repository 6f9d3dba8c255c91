import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { findCellChanges } from '../../core/compare/cellChanges.ts';
import { compareFrames, listComparedPairs } from '../../core/compare/compareFrames.ts';
import type { FileComparison } from '../../core/compare/comparedRanges.ts';
import { findTimeColumn } from '../../core/frame/clip.ts';
import { computeCoverage } from '../../core/frame/coverage.ts';
import { getRequestedSpan, type ResolvedQuery } from '../../core/query/query.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import type { NumberColumn } from '../../shared/frame.ts';
import type { Result } from '../../shared/result.ts';
import { InputError } from '../inputError.ts';
import { localizeFrame } from '../messages/catalogue.ts';
import { localize } from '../panel/comparePrompt.ts';
import type { ComparedResult } from '../panel/comparedRun.ts';
import type { ComparedFile } from './fileView.ts';
import type { ImportDecision } from './importOptionsStore.ts';
import { readFile, type FileReadingDeps } from './readFile.ts';

/** The name of the column with the number of changed cells in each row. */
export const changesColumn = 'changed cells';

/**
 * Compares a result with the rows of a file at the same instants. Columns are matched by name. The columns of files from the data portal
 * are renamed to those of the service when the file is read. Throws GridError or InputError.
 */
export async function compareWithFile(
  deps: FileReadingDeps,
  result: Result,
  query: ResolvedQuery,
  { uri, name }: FileComparison,
  signal = new AbortController().signal,
): Promise<ComparedResult> {
  const file = await readFile(deps, vscode.Uri.parse(uri, true), { signal, decision: undefined });
  const { intervalMs, timeZone, days } = query;
  if (intervalMs === undefined) return result;
  return compareWithRows(result, file.result, {
    ...getRequestedSpan(query),
    intervalMs: days ? undefined : intervalMs,
    timeZone,
    name,
  });
}

/** Compares an open file with another file, and adds a column with the number of changed cells in each row. */
export async function compareFiles(
  deps: FileReadingDeps,
  result: Result,
  { uri, name }: FileComparison,
  options: { readonly signal: AbortSignal; readonly decision: ImportDecision | undefined },
): Promise<ComparedFile & { readonly decision: ImportDecision }> {
  const { result: otherFile, decision } = await readFile(deps, vscode.Uri.parse(uri, true), options);
  const { start, end } = result.provenance;
  const compared = compareWithRows(result, otherFile, { start, end, intervalMs: undefined, timeZone: 'UTC', name });
  const frame = compared.frame && result.frame;
  if (!frame || !otherFile.frame) throw new InputError(t("'{0}' has no table to compare with.", name));
  const changes = findCellChanges(localizeFrame(frame), localizeFrame(otherFile.frame));
  const counts: NumberColumn = {
    kind: 'number',
    name: changesColumn,
    path: [changesColumn],
    field: { label: t('Changed cells'), meaning: t('Number of cells in the row that differ from {0}', name) },
    ...changes.counts,
  };
  return {
    // Inserts the counts after the time columns of both files.
    result: { ...compared, frame: { ...compared.frame, columns: compared.frame.columns.toSpliced(2, 0, counts) } },
    changes,
    decision,
  };
}

interface FileComparisonOptions extends Span {
  /** The length of a row. Undefined for days of a time zone, which differ in length, and for rows of unknown length. */
  readonly intervalMs: number | undefined;
  readonly timeZone: string;
  /** The name of the file. */
  readonly name: string;
}

function compareWithRows(
  result: Result,
  file: Result,
  { intervalMs, timeZone, name, ...span }: FileComparisonOptions,
): ComparedResult {
  const { frame: otherFile } = file;
  if (!result.frame) return result;
  if (!otherFile || !findTimeColumn(otherFile)) throw new InputError(t("'{0}' has no table to compare with.", name));
  const { start, end } = file.provenance;
  const coverage = computeCoverage(otherFile, span, intervalMs, { now: span.end });
  if (coverage?.present === 0 || end <= span.start || start >= span.end)
    throw new InputError(t("'{0}' has no hours in common with this result. Choose another file or range.", name));
  const frame = compareFrames(result.frame, otherFile, {
    align: { shiftMs: 0 },
    // NaN pairs rows by their instants, whatever their length.
    intervalMs: intervalMs ?? NaN,
    timeZone,
    comparedWith: name,
    translate: localize,
    base: span,
    // Rows outside the range of the file have no counterpart.
    other: { start, end },
  });
  const compared = listComparedPairs(frame);
  if (compared.length === 0)
    throw new InputError(t("'{0}' has no column of numbers in common with this result.", name));
  return {
    ...result,
    frame,
    received: result.frame,
    compared,
    comparedRange: { name, range: name, isFile: true, ...span, coverage },
  };
}
