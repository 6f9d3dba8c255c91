import assert from 'node:assert/strict';
import { createFileResult } from '../../../../src/core/dataFile/fileResult.ts';
import { parseProvenanceLines, parseProvenance } from '../../../../src/core/dataFile/fileProvenance.ts';
import type { FileProvenance, FileTable } from '../../../../src/core/dataFile/fileTable.ts';
import { formatProvenanceLines } from '../../../../src/core/export/exportProvenance.ts';
import type { ExportProvenance } from '../../../../src/shared/exportOptions.ts';
import { intervalState } from '../../../../src/shared/result.ts';

const hourMs = 3_600_000;
const start = Date.UTC(2026, 4, 1);

/** Creates a table with a row at each of these hours. */
function createTable(hours: readonly number[], provenance?: FileProvenance): FileTable {
  const values = Float64Array.from(hours, hour => start + hour * hourMs);
  const frame = { rowCount: hours.length, columns: [{ kind: 'time' as const, name: 'ts', path: ['ts'], values }] };
  return {
    frame,
    fileRowCount: hours.length,
    omitted: [],
    zone: { source: 'file' },
    provenance,
    notes: [],
    text: '{}',
  };
}

const provenance: ExportProvenance = {
  source: 'Grid Data Inspector',
  connection: 'Acme: live',
  dataset: 'systemState',
  range: 'last 8 hours',
  start: '2026-05-01T00:00:00Z',
  end: '2026-05-01T08:00:00Z',
  interval: '1h',
  params: { a: 'b' },
  zone: 'UTC',
  fetchedAt: '2026-05-01T07:10:00Z',
  rows: 4,
  coverage: {
    expected: 8,
    present: 4,
    missing: 2,
    notPublished: 1,
    failed: 0,
    notRequested: 1,
    late: 0,
    missingRanges: ['2026-05-01T01:00:00Z/2026-05-01T03:00:00Z'],
  },
};

describe('the result of a file', () => {
  it('uses the most frequent distance of its rows as interval, and reports hours without a row as missing', () => {
    const { result, intervalFrom } = createFileResult(createTable([5, 0, 1, 2, 4]), 'a.csv');
    assert.deepEqual([result.provenance.interval, intervalFrom], ['1h', 'rows']);
    assert.deepEqual([result.coverage?.expected, result.coverage?.missing], [6, 1]);
    assert.deepEqual(result.coverage?.missingRanges, [[start + 3 * hourMs, start + 4 * hourMs]]);
  });

  it('returns no interval if distances differ, and no coverage for a range without an end', () => {
    assert.equal(createFileResult(createTable([0, 1, 3, 7, 12]), 'a.csv').result.provenance.interval, '');
    assert.equal(createFileResult(createTable([0, 1, 2, 70_000_000]), 'a.csv').result.coverage, undefined);
  });

  it('counts the rows with a duplicate time, in any order', () => {
    assert.equal(createFileResult(createTable([1, 0, 1, 2, 2, 2]), 'a.csv').duplicates, 3);
    assert.equal(createFileResult(createTable([2, 0, 1]), 'a.csv').duplicates, 0);
    const bins = parseProvenance(JSON.stringify({ ...provenance, resampled: 'days' }));
    assert.equal(createFileResult(createTable([0, 0], bins), 'a.csv').duplicates, 0);
  });

  it('describes the fields of its dataset, or of system state if the dataset is unknown', () => {
    const listLabels = (dataset?: string): unknown[] => {
      const table = createTable([0, 1], dataset === undefined ? undefined : { source: provenance.source, dataset });
      const createNumberColumn = (name: string) =>
        ({ kind: 'number', name, path: [name], values: Float64Array.of(1, 2) }) as const;
      const columns = [
        ...(table.frame?.columns ?? []),
        createNumberColumn('wind_mw'),
        createNumberColumn('value'),
        createNumberColumn('version'),
      ];
      const { result } = createFileResult({ ...table, frame: { rowCount: 2, columns } }, 'gridStress.csv');
      return result.frame?.columns.slice(1).map(({ field }) => field?.label) ?? [];
    };
    assert.deepEqual(listLabels(), ['Wind', undefined, undefined]);
    assert.deepEqual(listLabels('gridStress').slice(1), ['Stress', 'Version']);
  });

  it('takes the missing hours from its provenance, and treats other absent hours as unpublished or not requested', () => {
    const parsed = parseProvenance(JSON.stringify(provenance));
    const { result, intervalFrom } = createFileResult(createTable([0, 3, 4, 6], parsed), 'a.parquet');
    const { present, missing, notPublished, notRequested } = intervalState;
    assert.equal(intervalFrom, 'provenance');
    assert.deepEqual(
      [...(result.coverage?.states ?? [])],
      [present, missing, missing, present, present, notRequested, present, notPublished],
    );
    assert.equal(result.provenance.connection, 'a.parquet (Acme: live)');
  });

  it('ignores the interval in the provenance if the rows were computed from others', () => {
    const parsed = parseProvenance(JSON.stringify({ ...provenance, resampled: 'days of UTC' }));
    assert.equal(createFileResult(createTable([0, 24, 48], parsed), 'a.parquet').result.provenance.interval, '1d');
  });
});

describe('the provenance of a file', () => {
  it('returns the same provenance from metadata as from the comment lines of an export', () => {
    const stored: Partial<ExportProvenance> = { ...provenance };
    for (const name of ['zone', 'params'] as const) Reflect.deleteProperty(stored, name);
    const { coverage, ...read } = parseProvenanceLines(formatProvenanceLines(provenance)) ?? assert.fail();
    const { coverage: writtenCoverage, ...withoutCoverage } = stored;
    assert.deepEqual(read, withoutCoverage);
    assert.deepEqual(coverage, writtenCoverage);
    assert.deepEqual(parseProvenance(JSON.stringify(provenance)), stored);
  });

  it('includes the view of the exported panel, if it is valid', () => {
    const analysis = { resample: 'day' } as const;
    const view = { analysis, display: { tab: 'chart', zone: 'Africa/Johannesburg', later: [{ a: 1 }] } };
    assert.deepEqual(parseProvenance(JSON.stringify({ ...provenance, view }))?.view, view);
    assert.ok(!formatProvenanceLines({ ...provenance, view }).some(line => line.startsWith('view')));
    for (const display of ['chart', [view], { x: 'y'.repeat(30_000) }, { x: [[[[[[['deep']]]]]]] }]) {
      const invalidView = { analysis: { resample: 'decade' }, display };
      const parsed = parseProvenance(JSON.stringify({ ...provenance, view: invalidView })) ?? assert.fail();
      assert.ok(!parsed.view && parsed.interval === '1h');
    }
    const withoutView = parseProvenance(JSON.stringify({ ...provenance, view: 'chart' }));
    assert.deepEqual([withoutView?.view, withoutView?.interval], [undefined, '1h']);
  });

  it('returns undefined for files of other programs, and omits invalid fields', () => {
    assert.equal(parseProvenance('{"source":"another"}'), undefined);
    assert.equal(parseProvenance('{'), undefined);
    const withoutInvalidFields = parseProvenance(
      JSON.stringify({ ...provenance, range: 5, coverage: { missingRanges: 'all' } }),
    );
    assert.equal(withoutInvalidFields?.range, undefined);
    assert.equal(withoutInvalidFields?.coverage, undefined);
    assert.equal(withoutInvalidFields?.interval, '1h');
  });
});
