import { timeColumnOf } from '../../core/frame/clip.ts';
import { concatFrames, rowsWithin } from '../../core/frame/frames.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import { cellState, type Frame } from '../../shared/frame.ts';
import { canJoin } from '../../shared/tableLimits.ts';
import type { Archived } from './archive.ts';
import type { YearContent } from './yearFile.ts';
import { fileUnitOf, unitsIn, type Year } from './years.ts';

export interface ArchivedYear extends YearContent {
  readonly year: Year;
}

/** Joins the archived rows of a range from its years, which are in order. */
export function joinYears(years: readonly ArchivedYear[], stepMs: number, span: Span): Archived {
  const fitting = yearsThatFit(years, span);
  const newest = fitting.reduce<ArchivedYear | undefined>((latest, year) => {
    return latest && latest.metaAskedAt > year.metaAskedAt ? latest : year;
  }, undefined);
  // Years whose time column differs from the newest year's cannot be joined and count as not archived.
  const name = [newest, ...fitting].map(year => year && timeNameOf(year.frame)).find(Boolean);
  const used = fitting.filter(({ frame }) => [undefined, name].includes(timeNameOf(frame)));
  const withRows = used.filter(({ rows }) => rows.rowCount > 0);
  return {
    frame: concatFrames((withRows.length > 0 ? withRows : used).map(({ rows }) => rows)),
    askedAt: askedAtOf(used, stepMs, span),
    ...(newest ? { meta: newest.meta, metaAskedAt: newest.metaAskedAt } : { meta: {} }),
  };
}

/**
 * Returns the years with their rows within the range, as far as they fit into one table: a service whose field names change each year may have
 * too many columns. The others count as not archived.
 */
function yearsThatFit(years: readonly ArchivedYear[], span: Span): (ArchivedYear & { readonly rows: Frame })[] {
  let [paths, rowCount] = [new Set<string>(), 0];
  return years.flatMap(year => {
    const rows = rowsInside(year.frame, span);
    const all = new Set([...paths, ...rows.columns.map(({ path }) => JSON.stringify(path))]);
    if (!canJoin(all.size, rowCount + rows.rowCount)) return [];
    [paths, rowCount] = [all, rowCount + rows.rowCount];
    return { ...year, rows };
  });
}

/** Returns the rows within the range, without columns that only other rows of the year use. */
function rowsInside(frame: Frame, span: Span): Frame {
  const { rowCount, columns } = rowsWithin(frame, span);
  const isUsed = (gaps: Uint8Array | undefined): boolean => !gaps?.every(state => state === cellState.absent);
  return { rowCount, columns: columns.filter(({ gaps }) => rowCount === 0 || isUsed(gaps)) };
}

/** Returns when each interval was requested; for an interval of several units, when the earliest of them was. */
function askedAtOf(years: readonly ArchivedYear[], stepMs: number, { start, end }: Span): Float64Array {
  const unitMs = fileUnitOf(stepMs);
  const first = Math.floor(start / unitMs);
  const units = new Float64Array(Math.max(0, Math.ceil(end / unitMs) - first));
  for (const { year, askedAt, unitMs: archivedMs } of years) {
    if (archivedMs !== unitMs) continue;
    const at = unitsIn(year, unitMs).first - first;
    units.set(askedAt.subarray(Math.max(0, -at), units.length - at), Math.max(0, at));
  }
  const perStep = Math.round(stepMs / unitMs);
  if (perStep === 1) return units;
  const steps = new Float64Array(Math.max(0, Math.ceil((end - start) / stepMs)));
  return steps.map((_, step) => Math.min(...units.subarray(step * perStep, (step + 1) * perStep)));
}

/** Returns the name of the time column by which rows are sorted; undefined for a frame without rows. */
export function timeNameOf(frame: Frame): string | undefined {
  return frame.rowCount > 0 ? timeColumnOf(frame)?.name : undefined;
}
