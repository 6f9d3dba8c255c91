import assert from 'node:assert/strict';
import { computeCoverage } from '../../../../src/core/frame/coverage.ts';
import { frameOf } from '../../../../src/core/decode/decode.ts';
import { parseProvenanceLines, parseProvenance } from '../../../../src/core/dataFile/fileProvenance.ts';
import {
  createExportProvenance,
  createPartProvenance,
  formatProvenanceLines,
  formatSidecar,
} from '../../../../src/core/export/exportProvenance.ts';
import type { Provenance, Result } from '../../../../src/shared/result.ts';

const hour = 3_600_000;
const start = Date.parse('2023-05-01T00:00Z');
const span = { start, end: start + 4 * hour };
const frame = frameOf([{ ts: '2023-05-01T00:00:00Z' }, { ts: '2023-05-01T03:00:00Z' }]);
const provenance = {
  connection: 'Grid',
  dataset: 'systemState',
  range: '2023-05-01 00:00 to 04:00',
  ...span,
  interval: '1h',
  params: {},
  fetchedAt: span.end,
  meta: {},
} as unknown as Provenance;
const result: Result = {
  frame,
  bodies: [],
  coverage: computeCoverage(frame, span, hour, { now: span.end }),
  provenance,
};
const options = { format: 'csv', times: 'utc', zone: { timeZone: 'UTC', label: 'UTC' } } as const;

describe('provenance of exported rows', () => {
  it('names the address, the time zone and each missing interval', () => {
    const said = createExportProvenance(result, { frame }, options, { baseUrl: 'https://api.example.test' });
    assert.deepEqual(formatProvenanceLines(said), [
      'source: Grid Data Inspector',
      'connection: Grid',
      'endpoint: https://api.example.test/api/v1/grid/system-state',
      ...['dataset: systemState', 'range: 2023-05-01 00:00 to 04:00'],
      ...['start: 2023-05-01T00:00:00Z', 'end: 2023-05-01T04:00:00Z', 'interval: 1h', 'zone: UTC'],
      ...['fetchedAt: 2023-05-01T04:00:00Z', 'rows: 2'],
      ...['steps expected: 4', 'steps present: 2', 'steps missing: 2', 'steps notPublished: 0', 'steps failed: 0'],
      ...['steps notAsked: 0', 'steps late: 0', 'missing: 2023-05-01T01:00:00Z/2023-05-01T03:00:00Z'],
    ]);
  });

  it("names the zone of the range's days, and reads it back", () => {
    const days = { ...result, provenance: { ...provenance, range: '2023-05-01', timeZone: 'Africa/Johannesburg' } };
    const said = createExportProvenance(days, { frame }, options);
    assert.equal(said.timeZone, 'Africa/Johannesburg');
    const lines = formatProvenanceLines(said);
    assert.ok(lines.includes('timeZone: Africa/Johannesburg'), lines.join('\n'));
    assert.equal(parseProvenanceLines(lines)?.timeZone, 'Africa/Johannesburg');
    assert.equal(parseProvenance(formatSidecar(said))?.timeZone, 'Africa/Johannesburg');
    assert.ok(!('timeZone' in createExportProvenance(result, { frame }, options)));
  });

  it('lists the first missing intervals, and counts the rest', () => {
    const steps = 1_000;
    const every = { start, end: start + steps * hour };
    const other = Array.from({ length: steps / 2 }, (_, at) => ({ ts: new Date(start + 2 * at * hour).toISOString() }));
    const coverage = computeCoverage(frameOf(other), every, hour, { now: every.end });
    const holes = { ...result, coverage, provenance: { ...provenance, ...every } };
    const against = { name: 'previous period', ...every, coverage };
    const said = createExportProvenance(holes, { frame }, options, { against: [against] });
    assert.deepEqual(
      [said.coverage?.missing, said.coverage?.missingStretches.length, said.coverage?.moreMissingStretches],
      [500, 100, 400],
    );
    assert.equal(said.coverage?.missingStretches[99], '2023-05-09T07:00:00Z/2023-05-09T08:00:00Z');
    const lines = formatProvenanceLines(said);
    const [missing] = lines.filter(line => line.startsWith('missing: '));
    assert.match(missing ?? '', /^missing: 2023-05-01T01:00:00Z\/2023-05-01T02:00:00Z (\S+ ){19}and 480 more$/);
    assert.match(said.comparedWith ?? '', / 500 of 1000 steps, missing (\S+ ){20}and 480 more$/);
    assert.ok(!lines.some(line => line.includes('moreMissingStretches')));
  });

  it('counts no interval for a file of rows outside the requested range', () => {
    const origin = { provenance: createExportProvenance(result, { frame }, options), span, coverage: result.coverage };
    const month = { start: Date.parse('2023-04-01T00:00Z'), end: start };
    const part = createPartProvenance([origin], { rows: 1, rowsOfAll: 3, month });
    assert.deepEqual([part?.coverage?.expected, part?.coverage?.notAsked], [0, 0]);
  });

  it('names the other range of a comparison', () => {
    const before = { start: start - 4 * hour, end: start };
    const coverage = computeCoverage(frameOf([{ ts: '2023-04-30T20:00:00Z' }]), before, hour, { now: span.end });
    const said = (known: typeof coverage): string | undefined =>
      createExportProvenance(result, { frame }, options, {
        against: [{ name: 'previous period', ...before, coverage: known }],
      }).comparedWith;
    const range = 'previous period 2023-04-30T20:00:00Z/2023-05-01T00:00:00Z';
    assert.equal(said(undefined), range);
    assert.equal(said(coverage), `${range}, 1 of 4 steps, missing 2023-04-30T21:00:00Z/2023-05-01T00:00:00Z`);
    assert.ok(!('comparedWith' in createExportProvenance(result, { frame }, options)));
  });

  it('distinguishes sample and replayed hours from those of a service', () => {
    const dataOf = (meta: Record<string, unknown>): string | undefined =>
      createExportProvenance({ ...result, provenance: { ...provenance, meta } }, { frame }, options).data;
    assert.deepEqual(
      [
        dataOf({ meta: { source: 'synthetic' } }),
        dataOf({ source: 'replay', replayed_from: '2023.csv' }),
        dataOf({ source: 'eskom' }),
        dataOf({}),
      ],
      ['SAMPLE DATA (synthetic)', 'REPLAYED HOURS (2023.csv)', undefined, undefined],
    );
  });
});
