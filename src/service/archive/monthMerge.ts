import { timeColumnOf } from '../../core/frame/clip.ts';
import { replaceByTimeSteps, rowsWithin } from '../../core/frame/frames.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import { overlap } from '../../core/range/boundingRange.ts';
import type { Steps } from '../../core/time/steps.ts';
import type { Frame } from '../../shared/frame.ts';
import { replacedBy, type ArchivedAnswer } from './archive.ts';
import { emptyMonth, type MonthContent } from './monthFile.ts';
import { unitsIn, type Month } from './months.ts';

/** Columns that are kept. A file is laid out in one go, which takes too long for thousands. */
const mostColumns = 200;
/** Cells of a month that are kept, for the same reason: 33 columns of minutes, 168 of five minutes, all columns of hours. */
const mostMonthCells = 1_500_000;

/** Why an answer of so many columns is not kept, for the log; undefined where it is. */
export function tooLargeToKeep(columns: number, unitMs: number): string | undefined {
  if (columns > mostColumns) return `more than ${mostColumns}`;
  const { first, end } = unitsIn(longestMonth, unitMs);
  return columns * (end - first) > mostMonthCells ? `more than ${mostMonthCells} cells a month` : undefined;
}

const longestMonth = { start: 0, end: 31 * 86_400_000 };

/**
 * What is kept of a month after an answer to a question for `asked`; `answer.frame` ascends by time. There is a pause before and after,
 * since reading and writing the file have none.
 */
export function* mergeMonthSteps(
  month: Month,
  kept: MonthContent | undefined,
  unitMs: number,
  asked: Span,
  answer: ArchivedAnswer,
): Steps<MonthContent> {
  yield;
  const before = kept && fits(kept, unitMs, answer.frame) ? kept : emptyMonth(month, unitMs);
  const askedAt = before.askedAt.slice();
  const units = unitsIn(month, unitMs);
  // A unit that the question only touches was not asked for.
  const from = Math.max(units.first, Math.ceil(asked.start / unitMs)) - units.first;
  const to = Math.min(units.end, Math.floor(asked.end / unitMs)) - units.first;
  if (to > from) askedAt.fill(answer.askedAt, from, to);
  const newer = rowsWithin(answer.frame, overlap(month, asked));
  const frame = yield* replaceByTimeSteps(before.frame, newer, overlap(month, replacedBy(answer, asked)));
  yield;
  const isNewest = answer.askedAt >= before.metaAskedAt;
  const meta = isNewest ? { meta: answer.meta, metaAskedAt: answer.askedAt } : {};
  return { ...before, ...meta, frame, askedAt };
}

/** The column by which rows are kept; undefined for a frame without rows. */
function timeNameOf(frame: Frame): string | undefined {
  return frame.rowCount > 0 ? timeColumnOf(frame)?.name : undefined;
}

/**
 * A service that renames its time column or whose steps changed begins anew: its rows cannot be lined up. So does one whose names
 * change so often that together they are too many.
 */
function fits(kept: MonthContent, unitMs: number, newer: Frame): boolean {
  const [before, now] = [timeNameOf(kept.frame), timeNameOf(newer)];
  if (kept.unitMs !== unitMs || !(before === undefined || now === undefined || before === now)) return false;
  const columns = new Set([...kept.frame.columns, ...newer.columns].map(({ name }) => name)).size;
  return tooLargeToKeep(columns, unitMs) === undefined;
}
