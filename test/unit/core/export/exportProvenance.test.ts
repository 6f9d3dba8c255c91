import assert from 'node:assert/strict';
import { computeCoverage } from '../../../../src/core/frame/coverage.ts';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
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
const frame = recordsToFrame([{ ts: '2023-05-01T00:00:00Z' }, { ts: '2023-05-01T03:00:00Z' }]);
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
    const exported = createExportProvenance(result, { frame }, options, { baseUrl: 'https://api.example.test' });
    assert.deepEqual(formatProvenanceLines(exported), [
      'source: Grid Data Inspector',
      'connection: Grid',
      'endpoint: https://api.example.test/api/v1/grid/system-state',
      ...['dataset: systemState', 'range: 2023-05-01 00:00 to 04:00'],
      ...['start: 2023-05-01T00:00:00Z', 'end: 2023-05-01T04:00:00Z', 'interval: 1h', 'zone: UTC'],
      ...['fetchedAt: 2023-05-01T04:00:00Z', 'rows: 2'],
      ...['steps expected: 4', 'steps present: 2', 'steps missing: 2', 'steps notPublished: 0', 'steps failed: 0'],
      ...['steps notRequested: 0', 'steps late: 0', 'missing: 2023-05-01T01:00:00Z/2023-05-01T03:00:00Z'],
    ]);
  });

  it('names the time zone of the range, and reads it back', () => {
    const days = { ...result, provenance: { ...provenance, range: '2023-05-01', timeZone: 'Africa/Johannesburg' } };
    const exported = createExportProvenance(days, { frame }, options);
    assert.equal(exported.timeZone, 'Africa/Johannesburg');
    const lines = formatProvenanceLines(exported);
    assert.ok(lines.includes('timeZone: Africa/Johannesburg'), lines.join('\n'));
    assert.equal(parseProvenanceLines(lines)?.timeZone, 'Africa/Johannesburg');
    assert.equal(parseProvenance(formatSidecar(exported))?.timeZone, 'Africa/Johannesburg');
    assert.ok(!('timeZone' in createExportProvenance(result, { frame }, options)));
  });

  it('lists the first missing intervals, and counts the rest', () => {
    const intervalCount = 1_000;
    const allIntervals = { start, end: start + intervalCount * hour };
    const everySecondHour = Array.from({ length: intervalCount / 2 }, (_, index) => ({
      ts: new Date(start + 2 * index * hour).toISOString(),
    }));
    const coverage = computeCoverage(recordsToFrame(everySecondHour), allIntervals, hour, { now: allIntervals.end });
    const resultWithHoles = { ...result, coverage, provenance: { ...provenance, ...allIntervals } };
    const against = { name: 'previous period', ...allIntervals, coverage };
    const exported = createExportProvenance(resultWithHoles, { frame }, options, { against: [against] });
    assert.deepEqual(
      [exported.coverage?.missing, exported.coverage?.missingRanges.length, exported.coverage?.moreMissingRanges],
      [500, 100, 400],
    );
    assert.equal(exported.coverage?.missingRanges[99], '2023-05-09T07:00:00Z/2023-05-09T08:00:00Z');
    const lines = formatProvenanceLines(exported);
    const [missing] = lines.filter(line => line.startsWith('missing: '));
    assert.match(missing ?? '', /^missing: 2023-05-01T01:00:00Z\/2023-05-01T02:00:00Z (\S+ ){19}and 480 more$/);
    assert.match(exported.comparedWith ?? '', / 500 of 1000 steps, missing (\S+ ){20}and 480 more$/);
    assert.ok(!lines.some(line => line.includes('moreMissingRanges')));
  });

  it('does not count intervals if the file has rows outside the requested range', () => {
    const origin = { provenance: createExportProvenance(result, { frame }, options), span, coverage: result.coverage };
    const month = { start: Date.parse('2023-04-01T00:00Z'), end: start };
    const part = createPartProvenance([origin], { rows: 1, rowsOfAll: 3, month });
    assert.deepEqual([part?.coverage?.expected, part?.coverage?.notRequested], [0, 0]);
  });

  it('names the compared range', () => {
    const comparedSpan = { start: start - 4 * hour, end: start };
    const coverage = computeCoverage(recordsToFrame([{ ts: '2023-04-30T20:00:00Z' }]), comparedSpan, hour, {
      now: span.end,
    });
    const formatCoverage = (knownCoverage: typeof coverage): string | undefined =>
      createExportProvenance(result, { frame }, options, {
        against: [{ name: 'previous period', ...comparedSpan, coverage: knownCoverage }],
      }).comparedWith;
    const range = 'previous period 2023-04-30T20:00:00Z/2023-05-01T00:00:00Z';
    assert.equal(formatCoverage(undefined), range);
    assert.equal(formatCoverage(coverage), `${range}, 1 of 4 steps, missing 2023-04-30T21:00:00Z/2023-05-01T00:00:00Z`);
    assert.ok(!('comparedWith' in createExportProvenance(result, { frame }, options)));
  });

  it('distinguishes sample and replayed hours from hours of a service', () => {
    const describeData = (meta: Record<string, unknown>): string | undefined =>
      createExportProvenance({ ...result, provenance: { ...provenance, meta } }, { frame }, options).data;
    assert.deepEqual(
      [
        describeData({ meta: { source: 'synthetic' } }),
        describeData({ source: 'replay', replayed_from: '2023.csv' }),
        describeData({ source: 'eskom' }),
        describeData({}),
      ],
      ['SAMPLE DATA (synthetic)', 'REPLAYED HOURS (2023.csv)', undefined, undefined],
    );
  });
});
