import { createFileResult, type FileResult } from '../../../../src/core/dataFile/fileResult.ts';
import type { FileProvenance, FileTable } from '../../../../src/core/dataFile/fileTable.ts';
import type { ResultRows } from '../../../../src/core/analysis/resultRows.ts';
import type { Column, Frame, NumberColumn } from '../../../../src/shared/frame.ts';
import { power } from '../../../../src/shared/units.ts';
import { createFrame, numberColumn, timeColumn } from '../filter/columns.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
export const start = Date.UTC(2025, 8, 30);

/** A row of a file: its start, its length, and its power. */
export interface Row {
  readonly start: number;
  readonly minutes: number;
  readonly mw: number;
}

export type RowRun = readonly [count: number, minutes: number, mw: number];

/** Creates consecutive runs of rows, each run with one length and one power. */
export function createRows(...runs: readonly RowRun[]): Row[] {
  let rowStart = start;
  return runs.flatMap(([count, minutes, mw]) =>
    Array.from({ length: count }, () => {
      rowStart += minutes * minuteMs;
      return { start: rowStart - minutes * minuteMs, minutes, mw };
    }),
  );
}

/** Reads a file with these rows and columns. */
export function createFile(
  rows: readonly Row[],
  otherColumns: readonly Column[] = [],
  provenance?: FileProvenance,
): FileResult & { readonly frame: Frame } {
  const time = timeColumn(
    'ts',
    rows.map(row => row.start),
  );
  const mw = numberColumn(
    'mw',
    rows.map(row => row.mw),
    power,
  );
  const table: FileTable = {
    frame: createFrame(time, mw, ...otherColumns),
    fileRowCount: rows.length,
    omitted: [],
    zone: { source: 'file' },
    provenance,
    notes: [],
    text: '',
  };
  const fileResult = createFileResult(table, 'a.csv');
  return { ...fileResult, frame: fileResult.result.frame ?? createFrame() };
}

/** Converts the file to the rows of a panel. */
export function toResultRows({ result, frame }: ReturnType<typeof createFile>): ResultRows {
  const { coverage, provenance } = result;
  const zone = { timeZone: 'UTC', label: 'UTC' };
  return { frame, interval: provenance.interval, intervalMs: undefined, start: provenance.start, coverage, zone };
}

export function getNumberColumn({ columns }: Frame, name: string): NumberColumn {
  const column = columns.find(candidate => candidate.name === name);
  if (column?.kind !== 'number') throw new Error(`No numbers: ${name}`);
  return column;
}
