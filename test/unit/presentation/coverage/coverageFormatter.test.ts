import assert from 'node:assert/strict';
import { computeCoverage } from '../../../../src/core/frame/coverage.ts';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import type { DisplayZone } from '../../../../src/shared/protocol.ts';
import { type Coverage, intervalState, partialDay } from '../../../../src/shared/result.ts';
import {
  CoverageFormatter,
  findSegmentIndex,
  listSegments,
} from '../../../../src/presentation/coverage/coverageFormatter.ts';
import fc from 'fast-check';

const hour = 3_600_000;
const day = 24 * hour;
const start = Date.parse('2023-05-01T00:00Z');
const utc: DisplayZone = { timeZone: 'UTC', label: 'UTC' };
const sast: DisplayZone = { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' };

/** Creates the coverage of a number of intervals. They are present unless `changedStates` has another state for their index. */
function createCoverage(
  intervals: number,
  changedStates: Readonly<Record<number, number>>,
  archivedCount = 0,
  intervalMs = hour,
): Coverage {
  const coverage = computeCoverage(recordsToFrame([]), { start, end: start + intervals * intervalMs }, intervalMs, {
    now: start,
  });
  assert.ok(coverage);
  const states = coverage.states.map((_, index) => changedStates[index] ?? intervalState.present);
  const count = (countedState: number): number => states.filter(state => state === countedState).length;
  return {
    ...coverage,
    states,
    archived: states.map((_, index) => Number(index < archivedCount)),
    present: count(intervalState.present),
    missing: count(intervalState.missing),
    notPublished: count(intervalState.notPublished),
    failed: count(intervalState.failed),
    notRequested: count(intervalState.notRequested),
    late: count(intervalState.late),
  };
}

function formatSummary(coverage: Coverage, zone = utc, locale = 'en', intervalMs = hour, interval = '1h'): string {
  return new CoverageFormatter({ start, intervalMs, interval }, coverage.expected, zone, locale).formatSummary(
    coverage,
  );
}

describe('the summary of the coverage', () => {
  it('shows the number of present hours, and the times of the missing ones', () => {
    assert.equal(formatSummary(createCoverage(168, {})), '168 of 168 hours');
    assert.equal(formatSummary(createCoverage(168, { 50: 1 })), '167 of 168 hours, 1 missing: 3 May 02:00');
    assert.equal(formatSummary(createCoverage(168, { 50: 1 }), sast), '167 of 168 hours, 1 missing: 3 May 04:00');
    assert.equal(formatSummary(createCoverage(1, { 0: 1 })), '0 of 1 hour, 1 missing: 1 May 00:00');
  });

  it('lists a limited number of missing intervals with their ends', () => {
    assert.equal(
      formatSummary(createCoverage(168, { 50: 1, 51: 1, 60: 1 })),
      '165 of 168 hours, 3 missing: 3 May 02:00 – 3 May 04:00, 3 May 12:00',
    );
    assert.equal(
      formatSummary(createCoverage(168, { 0: 1, 2: 1, 4: 1, 6: 1 })),
      '164 of 168 hours, 4 missing: 1 May 00:00, 1 May 02:00, 1 May 04:00 …',
    );
  });

  it('shows failed, missing, delayed, not requested and not published hours, with the most serious first', () => {
    const { missing, notPublished, failed, notRequested, late } = intervalState;
    assert.equal(
      formatSummary(createCoverage(24, { 1: missing, 2: failed, 3: notRequested, 4: late, 5: late, 23: notPublished })),
      '18 of 24 hours, 1 failed, 1 missing: 1 May 01:00, data delayed since 1 May 04:00, 1 not requested, 1 not published yet',
    );
  });

  it('shows how many hours came from the archive and from the service', () => {
    assert.equal(formatSummary(createCoverage(168, {}, 168)), '168 of 168 hours, all from the archive');
    assert.equal(
      formatSummary(createCoverage(168, {}, 144)),
      '168 of 168 hours, 144 from the archive, 24 from the service',
    );
    // An archived interval that is known to be missing is not counted as a row from the archive.
    assert.equal(formatSummary(createCoverage(2, { 0: 1 }, 1)), '1 of 2 hours, 1 missing: 1 May 00:00');
  });

  it('lists days by date, including the last day', () => {
    const days = createCoverage(31, { 2: 1, 3: 1 }, 0, day);
    assert.equal(formatSummary(days, utc, 'en', day, '1d'), '29 of 31 days, 2 missing: 3 May – 4 May');
    // The service returns UTC days, whatever zone is displayed.
    assert.equal(formatSummary(days, sast, 'en', day, '1d'), formatSummary(days, utc, 'en', day, '1d'));
  });

  it('formats numbers in the locale, names unusual intervals as requested, and includes the year if the range has two years', () => {
    assert.match(formatSummary(createCoverage(8760, {}), utc, 'de'), /^8\.760 of 8\.760 hours$/);
    const quarter = createCoverage(4, {}, 0, hour / 4);
    assert.equal(formatSummary(quarter, utc, 'en', hour / 4, '15m'), '4 of 4 × 15m');
    assert.match(formatSummary(createCoverage(8760, { 8000: 1 })), /1 missing: 29 Mar 2024 08:00$/);
  });
});

describe('the text of a coverage interval', () => {
  it('shows the start, end, state, length and source of an interval', () => {
    const coverage = createCoverage(
      24,
      { 3: intervalState.missing, 5: intervalState.failed, 6: intervalState.failed },
      2,
    );
    const formatter = new CoverageFormatter({ start, intervalMs: hour, interval: '1h' }, 24, utc, 'en');
    const formatSegment = (state: number, from: number, to: number): string =>
      formatter.formatSegment({ state, from, to }, coverage);
    assert.equal(formatSegment(intervalState.missing, 3, 4), '1 May 03:00 UTC: missing');
    assert.equal(formatSegment(intervalState.failed, 5, 7), '1 May 05:00 – 1 May 07:00 UTC: request failed, 2 hours');
    assert.equal(
      formatSegment(intervalState.present, 0, 3),
      '1 May 00:00 – 1 May 03:00 UTC: present, 3 hours, 2 from the archive',
    );
    assert.equal(
      formatSegment(intervalState.present, 0, 2),
      '1 May 00:00 – 1 May 02:00 UTC: present, 2 hours, from the archive',
    );
  });
});

describe('listSegments', () => {
  it('joins adjacent intervals with the same state', () => {
    assert.deepEqual(listSegments(Uint8Array.of(0, 0, 1, 2, 2, 0)), [
      { state: 0, from: 0, to: 2 },
      { state: 1, from: 2, to: 3 },
      { state: 2, from: 3, to: 5 },
      { state: 0, from: 5, to: 6 },
    ]);
    assert.deepEqual(listSegments(new Uint8Array()), []);
  });

  it('returns segments that cover each interval once, so that findSegmentIndex finds the segment of each interval', () => {
    fc.assert(
      fc.property(fc.uint8Array({ min: 0, max: 2, minLength: 1 }), states => {
        const segments = listSegments(states);
        states.forEach((state, interval) => {
          const { from, to, ...segment } = segments[findSegmentIndex(segments, interval)] ?? {
            from: 0,
            to: 0,
            state: -1,
          };
          assert.ok(from <= interval && interval < to);
          assert.equal(segment.state, state);
        });
        segments.slice(1).forEach((segment, index) => {
          assert.equal(segment.from, segments[index]?.to);
          assert.notEqual(segment.state, segments[index]?.state);
        });
      }),
    );
  });

  it('findSegmentIndex returns the nearest segment for an index outside the range', () => {
    const segments = listSegments(Uint8Array.of(0, 1));
    assert.deepEqual(
      [findSegmentIndex(segments, -5), findSegmentIndex(segments, 9), findSegmentIndex([], 3)],
      [0, 1, 0],
    );
  });
});

describe('the coverage of joined datasets', () => {
  const { missing, failed } = intervalState;
  const state = createCoverage(8, { 6: missing });
  const stress = createCoverage(8, { 2: missing, 3: missing, 4: failed, 6: missing });
  const joined: Coverage = {
    ...stress,
    parts: [
      { title: 'System state', coverage: state },
      { title: 'Grid stress', coverage: stress },
    ],
  };

  it('summarizes each dataset of a joined result separately', () => {
    assert.equal(
      formatSummary(joined),
      'System state: 7 of 8 hours, 1 missing: 1 May 06:00; Grid stress: 4 of 8 hours, 1 failed, 3 missing: 1 May 02:00 – 1 May 04:00, 1 May 06:00',
    );
  });

  it('names the datasets in which an interval is missing, and starts a new segment when these datasets change', () => {
    const formatter = new CoverageFormatter({ start, intervalMs: hour, interval: '1h' }, 8, utc, 'en');
    const segments = listSegments(joined.states, joined.parts);
    assert.deepEqual(
      segments.map(segment => formatter.formatSegment(segment, joined)),
      [
        '1 May 00:00 – 1 May 02:00 UTC: present, 2 hours',
        '1 May 02:00 – 1 May 04:00 UTC: missing in Grid stress, 2 hours',
        '1 May 04:00 UTC: request failed in Grid stress',
        '1 May 05:00 UTC: present',
        '1 May 06:00 UTC: missing in System state, missing in Grid stress',
        '1 May 07:00 UTC: present',
      ],
    );
    const singlePart = { ...joined, parts: [{ title: 'System state', coverage: createCoverage(8, { 3: missing }) }] };
    assert.deepEqual(listSegments(singlePart.states, singlePart.parts)[1], { state: missing, from: 2, to: 3 });
  });

  it('counts the hours of a day that another source lacks', () => {
    const day = createCoverage(1, {});
    const hours = { present: Uint8Array.of(14), expected: Uint8Array.of(24) };
    const parts = [
      { title: 'System state', coverage: { ...day, hours } },
      { title: 'plant.csv', coverage: createCoverage(1, { 0: missing }) },
    ];
    const formatter = new CoverageFormatter({ start, intervalMs: 24 * hour, interval: '1d@UTC' }, 1, utc, 'en');
    assert.equal(
      formatter.formatSegment({ state: partialDay, from: 0, to: 1 }, { ...day, hours, parts }),
      '1 May UTC: 14 of 24 h, missing in plant.csv',
    );
  });
});
