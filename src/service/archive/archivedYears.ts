import { findTimeColumn } from '../../core/frame/clip.ts';
import { concatFrames, sliceByTime } from '../../core/frame/frames.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import { cellState, type Frame } from '../../shared/frame.ts';
import { canJoinRows } from '../../shared/tableLimits.ts';
import type { ArchivedRange } from './archive.ts';
import type { YearContent } from './yearFile.ts';
import { getUnitMs, listUnits, type Year } from './years.ts';

export interface ArchivedYear extends YearContent {
  readonly year: Year;
}

/** Joins the archived rows of a range from its years, which are in order. */
export function joinYears(years: readonly ArchivedYear[], intervalMs: number, span: Span): ArchivedRange {
  const fittingYears = selectFittingYears(years, span);
  const newest = fittingYears.reduce<ArchivedYear | undefined>((latest, year) => {
    return latest && latest.metaRequestedAt > year.metaRequestedAt ? latest : year;
  }, undefined);
  // Years whose time column differs from the newest year's cannot be joined. They are treated as not archived.
  const name = [newest, ...fittingYears].map(year => year && getTimeColumnName(year.frame)).find(Boolean);
  const joinedYears = fittingYears.filter(({ frame }) => [undefined, name].includes(getTimeColumnName(frame)));
  const withRows = joinedYears.filter(({ rows }) => rows.rowCount > 0);
  return {
    frame: concatFrames((withRows.length > 0 ? withRows : joinedYears).map(({ rows }) => rows)),
    requestedAt: joinRequestTimes(joinedYears, intervalMs, span),
    ...(newest ? { meta: newest.meta, metaRequestedAt: newest.metaRequestedAt } : { meta: {} }),
  };
}

/**
 * Returns the years with their rows within the range, as far as they fit into one table: a service whose field names change each year may have
 * too many columns. Other years are treated as not archived.
 */
function selectFittingYears(years: readonly ArchivedYear[], span: Span): (ArchivedYear & { readonly rows: Frame })[] {
  let paths = new Set<string>();
  let rowCount = 0;
  return years.flatMap(year => {
    const rows = selectRows(year.frame, span);
    const allPaths = new Set([...paths, ...rows.columns.map(({ path }) => JSON.stringify(path))]);
    if (!canJoinRows(allPaths.size, rowCount + rows.rowCount)) return [];
    paths = allPaths;
    rowCount += rows.rowCount;
    return { ...year, rows };
  });
}

/** Returns the rows within the range, without columns that only other rows of the year use. */
function selectRows(frame: Frame, span: Span): Frame {
  const { rowCount, columns } = sliceByTime(frame, span);
  const isUsed = (gaps: Uint8Array | undefined): boolean => !gaps?.every(state => state === cellState.absent);
  return { rowCount, columns: columns.filter(({ gaps }) => rowCount === 0 || isUsed(gaps)) };
}

/** Returns when each interval was requested; for an interval of several units, when the earliest of them was. */
function joinRequestTimes(years: readonly ArchivedYear[], intervalMs: number, { start, end }: Span): Float64Array {
  const unitMs = getUnitMs(intervalMs);
  const first = Math.floor(start / unitMs);
  const units = new Float64Array(Math.max(0, Math.ceil(end / unitMs) - first));
  for (const { year, requestedAt, unitMs: archivedMs } of years) {
    if (archivedMs !== unitMs) continue;
    const offset = listUnits(year, unitMs).first - first;
    units.set(requestedAt.subarray(Math.max(0, -offset), units.length - offset), Math.max(0, offset));
  }
  const unitsPerInterval = Math.round(intervalMs / unitMs);
  if (unitsPerInterval === 1) return units;
  const intervals = new Float64Array(Math.max(0, Math.ceil((end - start) / intervalMs)));
  return intervals.map((_, interval) =>
    Math.min(...units.subarray(interval * unitsPerInterval, (interval + 1) * unitsPerInterval)),
  );
}

/** Returns the name of the time column by which rows are sorted; undefined for a frame without rows. */
export function getTimeColumnName(frame: Frame): string | undefined {
  return frame.rowCount > 0 ? findTimeColumn(frame)?.name : undefined;
}
