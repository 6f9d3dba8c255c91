import assert from 'node:assert/strict';
import { createFileResult } from '../../../../src/core/dataFile/fileResult.ts';
import { parseProvenanceLines, parseProvenance } from '../../../../src/core/dataFile/fileProvenance.ts';
import type { FileProvenance, FileTable } from '../../../../src/core/dataFile/fileTable.ts';
import { formatProvenanceLines } from '../../../../src/core/export/exportProvenance.ts';
import type { ExportProvenance } from '../../../../src/shared/exportOptions.ts';
import { intervalState } from '../../../../src/shared/result.ts';

const hourMs = 3_600_000;
const start = Date.UTC(2026, 4, 1);

/** A table with a row at each of these hours. */
function tableOf(hours: readonly number[], provenance?: FileProvenance): FileTable {
  const values = Float64Array.from(hours, hour => start + hour * hourMs);
  const frame = { rowCount: hours.length, columns: [{ kind: 'time' as const, name: 'ts', path: ['ts'], values }] };
  return { frame, rowsOfFile: hours.length, leftOut: [], zone: { source: 'file' }, provenance, notes: [], text: '{}' };
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
    notAsked: 1,
    late: 0,
    missingStretches: ['2026-05-01T01:00:00Z/2026-05-01T03:00:00Z'],
  },
};

describe('the result of a file', () => {
  it('has the most frequent distance of its rows as interval, in any order, and each hour without a row as missing', () => {
    const { result, intervalFrom } = createFileResult(tableOf([5, 0, 1, 2, 4]), 'a.csv');
    assert.deepEqual([result.provenance.interval, intervalFrom], ['1h', 'rows']);
    assert.deepEqual([result.coverage?.expected, result.coverage?.missing], [6, 1]);
    assert.deepEqual(result.coverage?.missingStretches, [[start + 3 * hourMs, start + 4 * hourMs]]);
  });

  it('has no interval where distances differ, and no coverage of a span without end', () => {
    assert.equal(createFileResult(tableOf([0, 1, 3, 7, 12]), 'a.csv').result.provenance.interval, '');
    assert.equal(createFileResult(tableOf([0, 1, 2, 70_000_000]), 'a.csv').result.coverage, undefined);
  });

  it('counts the rows whose time another has, in any order', () => {
    assert.equal(createFileResult(tableOf([1, 0, 1, 2, 2, 2]), 'a.csv').duplicates, 3);
    assert.equal(createFileResult(tableOf([2, 0, 1]), 'a.csv').duplicates, 0);
    const bins = parseProvenance(JSON.stringify({ ...provenance, resampled: 'days' }));
    assert.equal(createFileResult(tableOf([0, 0], bins), 'a.csv').duplicates, 0);
  });

  it('knows the fields of its dataset, and in any file those of system state', () => {
    const labels = (dataset?: string): unknown[] => {
      const table = tableOf([0, 1], dataset === undefined ? undefined : { source: provenance.source, dataset });
      const number = (name: string) => ({ kind: 'number', name, path: [name], values: Float64Array.of(1, 2) }) as const;
      const columns = [...(table.frame?.columns ?? []), number('wind_mw'), number('value'), number('version')];
      const { result } = createFileResult({ ...table, frame: { rowCount: 2, columns } }, 'gridStress.csv');
      return result.frame?.columns.slice(1).map(({ field }) => field?.label) ?? [];
    };
    assert.deepEqual(labels(), ['Wind', undefined, undefined]);
    assert.deepEqual(labels('gridStress').slice(1), ['Stress', 'Version']);
  });

  it('has the missing hours of its provenance; others were not over, or are not in the file', () => {
    const read = parseProvenance(JSON.stringify(provenance));
    const { result, intervalFrom } = createFileResult(tableOf([0, 3, 4, 6], read), 'a.parquet');
    const { present, missing, notPublished, notAsked } = intervalState;
    assert.equal(intervalFrom, 'provenance');
    assert.deepEqual(
      [...(result.coverage?.states ?? [])],
      [present, missing, missing, present, present, notAsked, present, notPublished],
    );
    assert.equal(result.provenance.connection, 'a.parquet (Acme: live)');
  });

  it('takes no interval from the provenance of rows that were computed from others', () => {
    const read = parseProvenance(JSON.stringify({ ...provenance, resampled: 'days of UTC' }));
    assert.equal(createFileResult(tableOf([0, 24, 48], read), 'a.parquet').result.provenance.interval, '1d');
  });
});

describe('the provenance of a file', () => {
  it('is the same from its metadata and from the comment lines of an export', () => {
    const kept: Partial<ExportProvenance> = { ...provenance };
    for (const name of ['zone', 'params'] as const) Reflect.deleteProperty(kept, name);
    const { coverage, ...read } = parseProvenanceLines(formatProvenanceLines(provenance)) ?? assert.fail();
    const { coverage: written, ...rest } = kept;
    assert.deepEqual(read, rest);
    assert.deepEqual(coverage, written);
    assert.deepEqual(parseProvenance(JSON.stringify(provenance)), kept);
  });

  it('has the view of the panel that it was exported from, where that is one', () => {
    const analysis = { resample: 'day' } as const;
    const view = { analysis, display: { tab: 'chart', zone: 'Africa/Johannesburg', later: [{ a: 1 }] } };
    assert.deepEqual(parseProvenance(JSON.stringify({ ...provenance, view }))?.view, view);
    assert.ok(!formatProvenanceLines({ ...provenance, view }).some(line => line.startsWith('view')));
    for (const display of ['chart', [view], { x: 'y'.repeat(30_000) }, { x: [[[[[[['deep']]]]]]] }]) {
      const bad = { analysis: { resample: 'decade' }, display };
      const read = parseProvenance(JSON.stringify({ ...provenance, view: bad })) ?? assert.fail();
      assert.ok(!read.view && read.interval === '1h');
    }
    const odd = parseProvenance(JSON.stringify({ ...provenance, view: 'chart' }));
    assert.deepEqual([odd?.view, odd?.interval], [undefined, '1h']);
  });

  it('is none of other programs, and leaves out what is not as we write it', () => {
    assert.equal(parseProvenance('{"source":"another"}'), undefined);
    assert.equal(parseProvenance('{'), undefined);
    const odd = parseProvenance(JSON.stringify({ ...provenance, range: 5, coverage: { missingStretches: 'all' } }));
    assert.equal(odd?.range, undefined);
    assert.equal(odd?.coverage, undefined);
    assert.equal(odd?.interval, '1h');
  });
});
