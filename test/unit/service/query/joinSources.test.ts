import assert from 'node:assert/strict';
import { GridError } from '../../../../src/core/errors.ts';
import { joinSources, type SourceLoader } from '../../../../src/service/query/joinSources.ts';
import type { FileSource, JoinSource } from '../../../../src/shared/analysis.ts';
import type { Frame, NumberColumn } from '../../../../src/shared/frame.ts';
import type { Provenance, Result } from '../../../../src/shared/result.ts';
import { energy, power, type Unit } from '../../../../src/shared/units.ts';

const hourMs = 3_600_000;
const start = Date.UTC(2024, 0, 1);

function createFrame(name: string, unit: Unit, values: readonly number[], rowMs = hourMs): Frame {
  const number: NumberColumn = {
    kind: 'number',
    name,
    path: [name],
    values: Float64Array.from(values),
    field: { label: name, unit, meaning: '' },
  };
  const times = Float64Array.from(values, (_, row) => start + row * rowMs);
  return { rowCount: values.length, columns: [{ kind: 'time', name: 'ts', path: ['ts'], values: times }, number] };
}

function createResult(frame: Frame | undefined, provenance: Partial<Provenance> = {}): Result {
  return {
    frame,
    bodies: [],
    coverage: undefined,
    provenance: {
      connection: 'Grid',
      dataset: 'systemState',
      datasetTitle: 'System state',
      range: '2024-01-01',
      start,
      end: start + 24 * hourMs,
      interval: '1h',
      params: {},
      fetchedAt: undefined,
      requestsSpent: 1,
      archivedIntervals: 0,
      nextPublication: start,
      rowsOutside: 0,
      incomplete: false,
      meta: {},
      ...provenance,
    },
  };
}

const hours = Array.from({ length: 24 }, (_, hour) => hour);
const base = createResult(createFrame('wind_mw', power, hours));
const file: FileSource = { kind: 'file', path: 'meters/plant.csv', sha256: 'a'.repeat(64) };
const query: JoinSource = {
  kind: 'query',
  name: 'Other',
  dataset: 'systemState',
  interval: '1h',
  params: {},
  connection: 'Grid',
};
const loader: SourceLoader = {
  loadFile: async source =>
    Promise.resolve({
      result: createResult(createFrame('plant_mwh', energy, hours)),
      source: { ...source, sha256: 'a'.repeat(64) },
      remarks: [],
    }),
  runQuery: async () => Promise.resolve(createResult(createFrame('pv_mw', power, hours), { requestsSpent: 2 })),
};
const listColumns = ({ frame }: Result): readonly string[] => frame?.columns.map(({ name }) => name) ?? [];

describe('joining the sources of a query', () => {
  it('returns the result itself without sources', async () => {
    assert.equal(await joinSources(base, [], loader), base);
  });

  it('adds the columns of a file, of another query and of the table of installed capacity', async () => {
    const result = await joinSources(base, [file, query, { kind: 'installedCapacity' }], loader);
    assert.deepEqual(listColumns(result).slice(0, 5), ['ts', 'wind_mw', 'plant_mwh', 'pv_mw', 'wind_installed_mw']);
    assert.deepEqual(
      result.joined?.map(({ pairing, error }) => [pairing, error]),
      [
        ['sameInstant', undefined],
        ['sameInstant', undefined],
        ['asOf', undefined],
      ],
    );
    // A file costs no request.
    assert.equal(result.provenance.requestsSpent, 3);
  });

  it('computes the derived columns of a query before it joins them', async () => {
    const derive = [{ name: 'double_mw', formula: 'pv_mw * 2' }];
    const { frame } = await joinSources(base, [{ ...query, derive }], loader);
    const derived = frame?.columns.find(({ name }) => name === 'double_mw');
    assert.deepEqual(
      derived?.kind === 'number' && [...derived.values],
      hours.map(hour => hour * 2),
    );
  });

  it('reports a file whose content is another, and uses it', async () => {
    const { joined, ...result } = await joinSources(base, [{ ...file, sha256: 'b'.repeat(64) }], loader);
    assert.deepEqual(joined?.[0]?.changedTo, file);
    assert.ok(listColumns(result).includes('plant_mwh'));
  });

  it('keeps the other columns if a source fails, and counts its requests', async () => {
    const failing: SourceLoader = {
      loadFile: async () => Promise.reject(new GridError('fileMissing', { file: 'plant.csv' })),
      runQuery: async () => Promise.reject(new GridError('timeout', { requestsSpent: 4 })),
    };
    const result = await joinSources(base, [file, query, { kind: 'installedCapacity' }], failing);
    assert.deepEqual(
      result.joined?.map(({ error }) => error?.reason),
      ['fileMissing', 'timeout', undefined],
    );
    assert.deepEqual(listColumns(result).slice(0, 3), ['ts', 'wind_mw', 'wind_installed_mw']);
    assert.equal(result.provenance.requestsSpent, 5);
  });

  it('joins nothing to a response that is not a table, and says so', async () => {
    const { joined, frame } = await joinSources(createResult(undefined), [file], loader);
    assert.equal(frame, undefined);
    assert.ok(joined?.[0]?.error);
  });

  it('ends without a result if the user cancels or an error is a bug', async () => {
    for (const error of [new GridError('cancelled'), new TypeError('bug')])
      await assert.rejects(
        joinSources(base, [query], { ...loader, runQuery: async () => Promise.reject(error) }),
        error,
      );
  });
});
