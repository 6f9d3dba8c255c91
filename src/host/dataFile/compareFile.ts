import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { compareFrames, comparedPairs } from '../../core/compare/compare.ts';
import { coverageOf } from '../../core/frame/coverage.ts';
import type { FileComparison } from '../../core/compare/comparedRanges.ts';
import { requestedSpan, type ResolvedQuery } from '../../core/query/query.ts';
import type { Result } from '../../shared/result.ts';
import { InputError } from '../inputError.ts';
import { comparisonText } from '../panel/comparePrompt.ts';
import type { ComparedResult } from '../panel/comparedRun.ts';
import { readFile, type FileReadingDeps } from './readFile.ts';

/**
 * A result beside the rows of a file at the same instants. Columns belong together by their names, which the columns of portal files have
 * from the service. Nothing of the file is kept. Throws GridError and InputError.
 */
export async function comparedWithFile(
  deps: FileReadingDeps,
  result: Result,
  query: ResolvedQuery,
  { uri, name }: FileComparison,
  signal = new AbortController().signal,
): Promise<ComparedResult> {
  const address = vscode.Uri.parse(uri, true);
  const decision = { options: deps.importOptions.get(address), assumesUtc: false };
  const file = await readFile(deps, address, { signal, decision });
  const { frame: other } = file.result;
  const { stepMs, days } = query;
  if (!result.frame || stepMs === undefined) return result;
  if (!other) throw new InputError(t("'{0}' has no table to compare with.", name));
  const span = requestedSpan(query);
  const { start, end } = file.result.provenance;
  const coverage = coverageOf(other, span, days ? undefined : stepMs, { now: span.end });
  if (coverage?.present === 0 || end <= span.start || start >= span.end)
    throw new InputError(t("'{0}' has none of the hours of this result. Choose another file or range.", name));
  const frame = compareFrames(result.frame, other, {
    align: { shiftMs: 0 },
    stepMs,
    timeZone: query.timeZone,
    comparedWith: name,
    say: comparisonText,
    base: span,
    // What lies outside has no time there.
    other: { start, end },
  });
  const compared = comparedPairs(frame);
  if (compared.length === 0)
    throw new InputError(t("'{0}' has no column of numbers in common with this result.", name));
  return {
    ...result,
    frame,
    received: result.frame,
    compared,
    against: { name, range: name, isFile: true, ...span, coverage },
  };
}
