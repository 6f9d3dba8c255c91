import { createFileResult, type FileResult } from '../../../../src/core/dataFile/fileResult.ts';
import type { FileProvenance, FileTable } from '../../../../src/core/dataFile/fileTable.ts';
import type { ResultRows } from '../../../../src/core/analysis/resultRows.ts';
import type { Column, Frame, NumberColumn } from '../../../../src/shared/frame.ts';
import { power } from '../../../../src/shared/units.ts';
import { frameOf, numberColumn, timeColumn } from '../filter/columns.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
export const start = Date.UTC(2025, 8, 30);

/** A row of a file: when it begins, for how long, and its power. */
export interface Row {
  readonly at: number;
  readonly minutes: number;
  readonly mw: number;
}

export type Stretch = readonly [count: number, minutes: number, mw: number];

/** Stretches of rows of one length and power, one after the other. */
export function rowsOf(...stretches: readonly Stretch[]): Row[] {
  let at = start;
  return stretches.flatMap(([count, minutes, mw]) =>
    Array.from({ length: count }, () => {
      at += minutes * minuteMs;
      return { at: at - minutes * minuteMs, minutes, mw };
    }),
  );
}

/** What is read of a file with such rows, and with these columns beside them. */
export function fileOf(
  rows: readonly Row[],
  others: readonly Column[] = [],
  provenance?: FileProvenance,
): FileResult & { readonly frame: Frame } {
  const time = timeColumn(
    'ts',
    rows.map(({ at }) => at),
  );
  const mw = numberColumn(
    'mw',
    rows.map(row => row.mw),
    power,
  );
  const table: FileTable = {
    frame: frameOf(time, mw, ...others),
    rowsOfFile: rows.length,
    leftOut: [],
    zone: { source: 'file' },
    provenance,
    notes: [],
    text: '',
  };
  const read = createFileResult(table, 'a.csv');
  return { ...read, frame: read.result.frame ?? frameOf() };
}

/** As a panel has it. */
export function resultRowsOf({ result, frame }: ReturnType<typeof fileOf>): ResultRows {
  const { coverage, provenance } = result;
  const zone = { timeZone: 'UTC', label: 'UTC' };
  return { frame, interval: provenance.interval, step: undefined, start: provenance.start, coverage, zone };
}

export function numbersOf({ columns }: Frame, name: string): NumberColumn {
  const column = columns.find(one => one.name === name);
  if (column?.kind !== 'number') throw new Error(`No numbers: ${name}`);
  return column;
}
