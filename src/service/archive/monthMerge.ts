import { timeColumnOf } from '../../core/frame/clip.ts';
import { replaceByTimeSteps, rowsWithin } from '../../core/frame/frames.ts';
import { type Span, overlap } from '../../core/range/resolveRange.ts';
import type { Steps } from '../../core/time/steps.ts';
import type { Frame } from '../../shared/frame.ts';
import { replacedBy, type ArchivedAnswer } from './archive.ts';
import { emptyMonth, type MonthContent } from './monthFile.ts';
import { unitsIn, type Month } from './months.ts';

/** The most columns of a file: it is laid out in one go, which takes too long for thousands. */
const mostColumns = 200;
/** The most cells of a month, for the same reason: 33 columns of minutes, 168 of five minutes, all columns of hours. */
const mostMonthCells = 1_500_000;

/** Why rows with so many columns are not archived, for the log; undefined where they are. */
export function whyTooLarge(columns: number, unitMs: number): string | undefined {
  if (columns > mostColumns) return `more than ${mostColumns}`;
  const { first, end } = unitsIn(longestMonth, unitMs);
  return columns * (end - first) > mostMonthCells ? `more than ${mostMonthCells} cells a month` : undefined;
}

const longestMonth = { start: 0, end: 31 * 86_400_000 };

/**
 * A month with the response to a request for `asked` merged in; `answer.frame` ascends by time. There is a pause before and after,
 * since reading and writing the file have none.
 */
export function* mergeMonthSteps(
  month: Month,
  archived: MonthContent | undefined,
  unitMs: number,
  asked: Span,
  answer: ArchivedAnswer,
): Steps<MonthContent> {
  yield;
  const before = archived && fits(archived, unitMs, answer.frame) ? archived : emptyMonth(month, unitMs);
  const askedAt = before.askedAt.slice();
  const units = unitsIn(month, unitMs);
  // A unit that is only partly in the range was not requested.
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

/** The time column by which rows are sorted; undefined for a frame without rows. */
function timeNameOf(frame: Frame): string | undefined {
  return frame.rowCount > 0 ? timeColumnOf(frame)?.name : undefined;
}

/**
 * False where the archived rows have to be replaced: a time column with another name or other steps cannot be merged, and field names
 * that change too often would make too many columns.
 */
function fits(archived: MonthContent, unitMs: number, newer: Frame): boolean {
  const [before, now] = [timeNameOf(archived.frame), timeNameOf(newer)];
  if (archived.unitMs !== unitMs || !(before === undefined || now === undefined || before === now)) return false;
  const columns = new Set([...archived.frame.columns, ...newer.columns].map(({ name }) => name)).size;
  return whyTooLarge(columns, unitMs) === undefined;
}
