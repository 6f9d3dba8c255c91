import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { computeCoverage } from '../../src/core/frame/coverage.ts';
import { compareDays } from '../../src/core/bins/dayCheck.ts';
import { recordsToFrame } from '../../src/core/decode/decode.ts';
import { useVscodeSettings } from '../../src/host/configuration.ts';
import { settings } from '../../src/host/ids.ts';
import { formatDayCheckReport, describeDayCheck, type CheckedDays } from '../../src/host/panel/checkDays.ts';
import { displayZone, offeredZones, findOfferedZone } from '../../src/host/settings.ts';
import { connectionLabel } from '../../src/host/connections/connectionMessages.ts';
import { createHeader } from '../../src/host/panel/resultHeader.ts';
import { createResultState } from '../../src/host/panel/resultState.ts';
import { formatStress } from '../../src/host/watch/stressStatus.ts';
import { formatShortInstant, formatSpan, formatRowTime } from '../../src/host/messages/times.ts';
import { formatProgress } from '../../src/host/messages/waiting.ts';
import { createIntervalShape } from '../../src/shared/formatTime.ts';
import type { Coverage, Result } from '../../src/shared/result.ts';
import { CoverageFormatter } from '../../src/presentation/coverage/coverageFormatter.ts';

const utc = { timeZone: 'UTC', label: 'UTC' };
const sast = { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' };
const hour = 3_600_000;
const day = 24 * hour;

describe('the text of a missing interval', () => {
  const january3 = Date.UTC(2023, 0, 3, 2);

  it('omits the year of missing hours when the range lies within one, and shows it otherwise', () => {
    const january = createIntervalShape(Date.UTC(2023, 0, 1), hour, 744);
    assert.equal(formatRowTime(january3, utc, january), '3 Jan 02:00');
    const winter = createIntervalShape(Date.UTC(2022, 11, 1), hour, 2160);
    assert.equal(formatRowTime(january3, utc, winter), '3 Jan 2023 02:00');
    // In SAST, the last hours of this range are in the next year.
    const december = createIntervalShape(Date.UTC(2022, 11, 1), hour, 744);
    assert.equal(formatRowTime(Date.UTC(2022, 11, 2), utc, december), '2 Dec 00:00');
    assert.equal(formatRowTime(Date.UTC(2022, 11, 2), sast, december), '2 Dec 2022 02:00');
  });

  it('shows missing days as dates without a time', () => {
    const days = createIntervalShape(Date.UTC(2023, 0, 1), day, 31);
    assert.equal(formatRowTime(Date.UTC(2023, 0, 3), utc, days), '3 Jan');
    assert.equal(formatRowTime(Date.UTC(2023, 0, 3), sast, days), '3 Jan 02:00');
  });
});

describe('the time zone of the setting', () => {
  before(useVscodeSettings);
  const updateSetting = (name: string | undefined) =>
    vscode.workspace.getConfiguration().update(settings.timeZone, name, vscode.ConfigurationTarget.Global);
  afterEach(() => updateSetting(undefined));

  for (const [typed, shown, offered] of [
    ['Africa/Johannesburg', 'Africa/Johannesburg', ['UTC', 'Africa/Johannesburg']],
    ['sast', 'SAST (UTC+2)', ['UTC', 'SAST (UTC+2)']],
    ['asia/kolkata', 'Asia/Kolkata', ['UTC', 'SAST (UTC+2)', 'Asia/Kolkata']],
  ] as const)
    it(`offers the time zone of the setting: ${typed}`, async () => {
      await updateSetting(typed);
      assert.equal(displayZone().label, shown);
      const labels = offeredZones().map(({ label }) => label);
      assert.deepEqual(labels, offered);
      // The page identifies a zone by its id alone.
      const foundLabels = offeredZones().map(({ timeZone }) => findOfferedZone(timeZone)?.label);
      assert.deepEqual(foundLabels, labels);
    });
});

describe('an hour that the clocks repeat', () => {
  const berlin = { timeZone: 'Europe/Berlin', label: 'Europe/Berlin' };
  const firstHour = Date.UTC(2026, 9, 25, 0);

  it('distinguishes the two occurrences of a repeated hour', () => {
    assert.equal(
      formatSpan({ start: firstHour, end: firstHour + hour }, berlin),
      '25 Oct 2026 02:00 CEST – 25 Oct 2026 02:00 CET Europe/Berlin',
    );
    assert.equal(formatRowTime(firstHour, berlin, createIntervalShape(firstHour, hour, 2)), '25 Oct 02:00 CEST');
    assert.equal(formatShortInstant(firstHour + hour, berlin, firstHour + 3 * hour), '02:00 CET Europe/Berlin');
  });
});

describe('the count in the header', () => {
  const start = Date.UTC(2023, 4, 1);
  const end = start + 168 * hour;

  /** Formats the row count in the header and the summary of the coverage strip, for a week without the missing hours. */
  function formatCounts(
    missing: readonly number[],
    now = end,
    extraHours: readonly number[] = [],
  ): [header: string, strip: string] {
    const hours = [...Array(168).keys(), ...extraHours].filter(
      index => !missing.includes(index) && start + index * hour < now,
    );
    const frame = recordsToFrame(
      hours.sort((a, b) => a - b).map(index => ({ ts: new Date(start + index * hour).toISOString() })),
    );
    const coverage = computeCoverage(frame, { start, end }, hour, { now });
    assert.ok(coverage);
    const provenance = {
      connection: 'Power Signals',
      dataset: 'systemState',
      start,
      end,
      interval: '1h',
      params: {},
      meta: {},
      nextPublication: end,
    };
    const result = { frame, coverage, provenance } as unknown as Result;
    const parts = createHeader(result, { zone: utc });
    const words = new CoverageFormatter({ start, intervalMs: hour, interval: '1h' }, 168, utc, 'en');
    return [parts.find(({ text }) => / rows|hours/.test(text))?.text ?? '', words.formatSummary(coverage)];
  }

  it('shows the same missing hours in the header as in the coverage strip', () => {
    assert.deepEqual(formatCounts([50]), Array(2).fill('167 of 168 hours, 1 missing: 3 May 02:00'));
    const [header, strip] = formatCounts([50, 51, 60, 61]);
    assert.equal(header, '164 of 168 hours, 4 missing');
    assert.ok(strip.startsWith(`${header}: `), strip);
  });

  it('shows the same unpublished hours in the header as in the coverage strip', () => {
    assert.deepEqual(formatCounts([], start + 5 * hour), Array(2).fill('5 of 168 hours, 163 not published yet'));
  });

  it('counts rows when every hour has one, and rows and hours when an hour has several', () => {
    assert.equal(formatCounts([])[0], '168 rows');
    assert.equal(formatCounts([50], end, [3])[0], '168 rows, 167 of 168 hours, 1 missing: 3 May 02:00');
  });
});

describe('the progress of a run', () => {
  const partialResult = { frame: { rowCount: 719, columns: [] } } as unknown as Result;

  it('distinguishes requesting the missing rows from requesting all rows again', () => {
    const progress = { done: 0, total: 1 };
    assert.equal(formatProgress(partialResult, progress, false), '719 rows from the archive; requesting the rest…');
    assert.equal(formatProgress(partialResult, progress, true), '719 rows from the archive; requesting them again…');
    assert.equal(formatProgress(partialResult, { done: 1, total: 3 }, true), '1 of 3 parts, 719 rows so far.');
  });
});

describe('the label of Sample Data', () => {
  const provenance = {
    dataset: 'systemState',
    datasetTitle: 'System state',
    range: 'today',
    start: 0,
    end: day,
    interval: '1h',
    params: {},
    fetchedAt: 0,
    nextPublication: day,
    requestsSpent: 1,
    archivedIntervals: 0,
    rowsOutside: 0,
    incomplete: false,
    meta: {},
  };
  const headerTexts = (more: Partial<Result['provenance']> & { connection: string }): string[] => {
    const result: Result = {
      frame: undefined,
      bodies: [],
      coverage: undefined,
      provenance: { ...provenance, ...more },
    };
    return createHeader(result, { zone: utc }).map(({ text }) => text);
  };

  it("names today if it is missing from a range of the service's days up to now, and only then", () => {
    const now = Date.UTC(2026, 10, 23, 9);
    const today = Date.UTC(2026, 10, 23);
    const texts = (more: Partial<Result['provenance']>) => {
      const dailyRange = { range: '2026-11-17..', interval: '1d', start: Date.UTC(2026, 10, 17), end: today };
      const texts = headerTexts({ connection: 'Ours', nextPublication: now + hour, ...dailyRange, ...more });
      return texts.filter(text => text.startsWith('without'));
    };
    for (const range of ['2026-11-17..', 'month to date', 'last 7 days'])
      assert.deepEqual(texts({ range }), ['without 23 Nov, which has not ended']);
    assert.deepEqual(texts({ range: '2026-11-17..2026-11-22' }), []);
    assert.deepEqual(texts({ range: 'today', start: today, end: today + day }), []);
    assert.deepEqual(texts({ interval: '1h', end: now }), []);
    assert.deepEqual(texts({ interval: '1d@UTC', days: utc, end: today + day }), []);
  });

  it('labels the header of each sandbox result once, as Sample Data or replayed hours', () => {
    assert.deepEqual(headerTexts({ connection: 'Sample Data', sample: true }).slice(0, 2), [
      'Sample Data',
      'System state',
    ]);
    for (const [meta, label] of [
      [{ source: 'synthetic' }, 'Sample Data'],
      [{ source: 'replay', replayed_from: 'a.csv' }, 'Replayed Hours'],
      [
        { source: 'replay', replayed_from: 'a.csv; its times are moved 3 weeks later' },
        'Replayed Hours, Shifted in Time',
      ],
    ] as const)
      assert.deepEqual(headerTexts({ connection: 'Local', meta: { meta } }).slice(0, 3), [
        ...['Local', label, 'System state'],
      ]);
    assert.deepEqual(headerTexts({ connection: 'Ours' }).slice(0, 2), ['Ours', 'System state']);
  });

  it('shows the available range if the replayed hours are outside the requested one', () => {
    const meta = { source: 'replay', available_from: '1970-02-01T00:00:00Z', available_to: '1970-02-03T00:00:00Z' };
    const toolbarTexts = { range: 'today', interval: 'hourly' };
    const readSentence = (metadata: Record<string, unknown>): string => {
      const frame = { rowCount: 0, columns: [] };
      const replayProvenance = { ...provenance, connection: 'Local', meta: { meta: metadata } };
      const state = createResultState(
        { frame, bodies: [], coverage: undefined, provenance: replayProvenance },
        { title: '', toolbarTexts, zone: utc },
      );
      return state.view === 'empty' ? state.sentence : state.view;
    };
    assert.equal(
      readSentence(meta),
      'No rows for 1 Jan 00:00 – 2 Jan 00:00 UTC. The service has rows for 1 Feb 1970 00:00 – 3 Feb 1970 00:00 UTC.',
    );
    assert.match(readSentence({ source: 'synthetic' }), /^The service has no rows for /);
  });

  it("labels Sample Data in the connection's name and the pinned stress", () => {
    assert.equal(connectionLabel({ name: 'Sample Data', service: 'sandbox' }), 'Sample Data');
    assert.equal(connectionLabel({ name: 'Mine', service: 'sandbox' }), 'Mine, Sample Data');
    const connection = {
      id: 'x',
      name: 'Mine',
      service: 'sandbox',
      baseUrl: '',
      keyPrefix: '',
      state: 'works',
    } as const;
    const field = { label: 'Local stress', meaning: '' };
    const latest = { hour: 0, end: hour, value: 0.72, band: 'high', field } as const;
    assert.match(formatStress({ connection, latest, error: undefined }, hour, utc), /^Local stress 0\.72 high$/);
  });
});

describe('the result of Check Days', () => {
  it('shows the largest difference, and which days are skipped and why', () => {
    const start = Date.UTC(2023, 4, 1);
    const rows = (intervalMs: number, count: number, value: (index: number) => number): Record<string, unknown>[] =>
      Array.from({ length: count }, (_, index) => ({
        ts: new Date(start + index * intervalMs).toISOString(),
        wind_mw: value(index),
      }));
    const hours = recordsToFrame(rows(hour, 96, index => index * index));
    const mean = (dayIndex: number): number =>
      Array.from({ length: 24 }, (_, index) => (dayIndex * 24 + index) ** 2).reduce((sum, value) => sum + value) / 24;
    const check = (dailyValue: (dayIndex: number) => number, hourlyRows = hours): CheckedDays => ({
      dataset: 'systemState',
      check: compareDays(hourlyRows, recordsToFrame(rows(day, 4, dailyValue))),
      start,
      coverage: { expected: 5, states: Uint8Array.of(0, 0, 0, 0, 1) } as Coverage,
    });
    const best = 'Days of UTC fit the daily values best.';
    assert.equal(describeDayCheck(check(mean)), `${best} No difference over 4 of 5 days.`);
    const withOneDifference = (dayIndex: number) => mean(dayIndex) + Number(dayIndex === 2);
    assert.equal(
      describeDayCheck(check(withOneDifference)),
      `${best} Largest difference over 4 of 5 days: 1 (Wind, 2023-05-03).`,
    );
    assert.match(formatDayCheckReport(check(mean)), /\n\nWind: 4 of 5 days, no difference\n/);
    assert.match(
      describeDayCheck(check(dayIndex => mean(dayIndex) + Number(dayIndex === 2) / 2048)),
      /: 0\.000488 \(Wind, 2023-05-03\)\.$/,
    );
    const hoursWithGap = recordsToFrame(
      rows(hour, 96, index => index * index).filter((_, index) => index < 24 || index > 26),
    );
    assert.equal(
      formatDayCheckReport(check(withOneDifference, hoursWithGap)),
      [
        'Mean of the 24 hours of each day of UTC, and the daily value of the service:',
        ...['', 'Wind: 3 of 5 days, largest difference 1 (2023-05-03)', '', 'Skipped:', ''],
        ...['2023-05-02: 21 of 24 hours', '2023-05-05: no daily value', ''],
      ].join('\n'),
    );
  });
});
