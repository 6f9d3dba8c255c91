import { summarizeResult } from '../../../../src/core/summary/summarizeResult.ts';
import type { Column, Frame } from '../../../../src/shared/frame.ts';
import type { Coverage, Provenance, Result } from '../../../../src/shared/result.ts';

const hourMs = 3_600_000;
export const start = Date.UTC(2026, 10, 14, 5);

type SummaryRequest = Omit<Parameters<typeof summarizeResult>[1], 'pause'>;

export async function summarize(result: Result, request: SummaryRequest): Promise<string> {
  return summarizeResult(result, { ...request, pause: () => Promise.resolve() });
}

/** Creates a result with as many hours as the columns have rows, with a time column first. */
export function createResult(
  columns: readonly Column[],
  options: { provenance?: Partial<Provenance>; coverage?: Partial<Coverage> } = {},
): Result {
  const rowCount = countRows(columns);
  const time: Column = {
    kind: 'time',
    name: 'ts',
    path: ['ts'],
    values: Float64Array.from({ length: rowCount }, (_, row) => start + row * hourMs),
  };
  const frame: Frame = { rowCount, columns: [time, ...columns] };
  return {
    frame,
    bodies: [],
    coverage: {
      expected: rowCount,
      present: rowCount,
      missing: 0,
      missingRanges: [],
      notPublished: 0,
      failed: 0,
      notRequested: 0,
      late: 0,
      states: new Uint8Array(rowCount),
      archived: new Uint8Array(rowCount),
      ...options.coverage,
    },
    provenance: {
      connection: 'Grid',
      dataset: 'systemState',
      datasetTitle: 'System state',
      range: 'last 7 days',
      start,
      end: start + rowCount * hourMs,
      interval: '1h',
      params: {},
      fetchedAt: start,
      requestsSpent: 1,
      archivedIntervals: 0,
      nextPublication: start + hourMs,
      rowsOutside: 0,
      incomplete: false,
      meta: {},
      ...options.provenance,
    },
  };
}

export function createNumberColumn(name: string, values: readonly (number | null)[]): Column {
  return {
    kind: 'number',
    name,
    path: [name],
    values: Float64Array.from(values, value => value ?? NaN),
    gaps: Uint8Array.from(values, value => (value === null ? 1 : 0)),
  };
}

export function createTextColumn(name: string, values: readonly string[]): Column {
  return { kind: 'text', name, path: [name], texts: { codes: Uint32Array.from(values.keys()), entries: values } };
}

function countRows([first]: readonly Column[]): number {
  if (!first) return 0;
  return first.kind === 'text' || first.kind === 'nested' ? first.texts.codes.length : first.values.length;
}
