import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compareFrames, type CompareOptions } from '../../../../src/core/compare/compareFrames.ts';
import { findDataset } from '../../../../src/core/query/catalogue.ts';
import { describeFields, getResponseFields } from '../../../../src/core/frame/describeFields.ts';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import type { JsonObject } from '../../../../src/core/decode/envelope.ts';
import { generateRecords } from '../../../../src/core/frame/records.ts';
import { systemStateFields } from '../../../../src/shared/fields.ts';
import { fillIn } from '../../../l10n/fillIn.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const hour = 3_600_000;
const day = 24 * hour;
const may = Date.parse('2023-05-01T00:00Z');
const april = Date.parse('2023-04-01T00:00Z');
const toIso = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');

const months: CompareOptions = {
  align: 'position',
  base: { start: may, end: may + 31 * day },
  other: { start: april, end: may },
  intervalMs: hour,
  timeZone: 'UTC',
  comparedWith: 'previous period',
  translate: fillIn,
};

function compareRecords(
  base: readonly JsonObject[],
  other: readonly JsonObject[],
  options: Partial<CompareOptions> = {},
) {
  const described = (records: readonly JsonObject[]) => describeFields(recordsToFrame(records), new Map());
  const frame = compareFrames(described(base), described(other), { ...months, ...options });
  return [...generateRecords(frame)];
}

/** Returns the instant with which each base instant is compared. */
function listPairs(instants: readonly string[], options: CompareOptions): (string | null)[] {
  const frame = compareFrames(recordsToFrame(instants.map(ts => ({ ts }))), recordsToFrame([]), options);
  return [...generateRecords(frame)].map(row => (row['ts · compared'] as string | undefined) ?? null);
}

describe('compareFrames', () => {
  it('adds the compared value, the difference and the percentage after each number', () => {
    const base = [{ ts: toIso(may), a_mw: 23581.8, text: 'x' }];
    const otherRecords = [{ ts: toIso(april), a_mw: 23420.1, text: 'y' }];
    assert.deepEqual(compareRecords(base, otherRecords), [
      {
        ts: toIso(may),
        'ts · compared': toIso(april),
        a_mw: 23581.8,
        'a_mw · compared': 23420.1,
        'a_mw · difference': 161.7,
        'a_mw · percent': (161.7 / 23420.1) * 100,
        text: 'x',
      },
    ]);
  });

  it('keeps nulls and all rows, and returns no percentage of 0', () => {
    const base = [
      { ts: toIso(may), a_mw: null },
      { ts: toIso(may + hour), a_mw: 5 },
      { ts: toIso(may + 2 * hour), a_mw: 5 },
      { ts: toIso(may + 3 * hour), a_mw: 5 },
    ];
    const otherRecords = [
      { ts: toIso(april), a_mw: 1 },
      { ts: toIso(april + hour), a_mw: null },
      { ts: toIso(april + 2 * hour), a_mw: 0 },
    ];
    const [first, second, third, fourth] = compareRecords(base, otherRecords);
    const listValues = (row: typeof first): unknown[] => [
      row?.['a_mw · compared'],
      row?.['a_mw · difference'],
      row?.['a_mw · percent'],
    ];
    assert.deepEqual(listValues(first), [1, null, null]);
    assert.deepEqual(listValues(second), [null, null, null]);
    assert.deepEqual(listValues(third), [0, 5, null]);
    assert.deepEqual(listValues(fourth), [undefined, undefined, undefined]);
    assert.equal(fourth?.['ts · compared'], toIso(april + 3 * hour));
  });

  it('uses the last of several compared rows with the same instant', () => {
    const otherRecords = [5, 6, 7].map(a => ({ ts: toIso(april), a_mw: a }));
    const [row] = compareRecords([{ ts: toIso(may), a_mw: 10 }], otherRecords);
    assert.deepEqual([row?.['a_mw · compared'], row?.['a_mw · difference']], [7, 3]);
  });

  it('divides by the absolute compared value, so that the percentage has the sign of the difference', () => {
    const [row] = compareRecords([{ ts: toIso(may), a_mw: -50 }], [{ ts: toIso(april), a_mw: -100 }]);
    assert.deepEqual([row?.['a_mw · difference'], row?.['a_mw · percent']], [50, 50]);
  });

  it('describes each new column', () => {
    const createFrame = (ms: number) =>
      describeFields(
        recordsToFrame([{ ts: toIso(ms), residual_demand_mw: 1, renewable_share_pct: 2 }]),
        systemStateFields,
      );
    const { columns } = compareFrames(createFrame(may), createFrame(april), months);
    assert.deepEqual(
      columns.map(({ name, field }) => [name, field?.label, field?.unit?.text]),
      [
        ['ts', 'Hour', undefined],
        ['ts · compared', 'Hour, previous period', undefined],
        ['residual_demand_mw', 'Residual demand', 'MW'],
        ['residual_demand_mw · compared', 'Residual demand, previous period', 'MW'],
        ['residual_demand_mw · difference', 'Residual demand, difference', 'MW'],
        ['residual_demand_mw · percent', 'Residual demand, change', '%'],
        ['renewable_share_pct', 'Renewable share', '%'],
        ['renewable_share_pct · compared', 'Renewable share, previous period', '%'],
        ['renewable_share_pct · difference', 'Renewable share, difference', 'pp'],
      ],
    );
    assert.ok(columns.every(({ field }) => field?.meaning));
  });

  it('labels the compared times like the rows: hours, days, or neither', () => {
    const state = findDataset('systemState') ?? assert.fail();
    const formatTimeLabels = (interval: string) => {
      const createFrame = (ms: number) =>
        describeFields(recordsToFrame([{ ts: toIso(ms) }]), getResponseFields(state, { interval, meta: {} }));
      return compareFrames(createFrame(may), createFrame(april), months).columns[1]?.field?.label;
    };
    assert.equal(formatTimeLabels('1h'), 'Hour, previous period');
    assert.equal(formatTimeLabels('1d'), 'Day, previous period');
    assert.equal(formatTimeLabels('15m'), 'Time, previous period');
  });

  it('returns a percentage only for quantities, not for an extreme, a share, an index or an unknown unit', () => {
    const record = { a_mwh: 1, a_mw: 1, a_max_mw: 1, a_pct: 1, value: 1, cost: 1 };
    const [row] = compareRecords([{ ts: toIso(may), ...record }], [{ ts: toIso(april), ...record }]);
    const changes = Object.keys(row ?? {}).filter(name => name.endsWith('percent'));
    assert.deepEqual(changes, ['a_mwh · percent', 'a_mw · percent']);
  });

  it('keeps every field name, and the columns that only the base has', () => {
    const base = [{ ts: toIso(may), a: 1, 'a · compared': 2, only: 3, nested: [1] }];
    const frame = compareFrames(recordsToFrame(base), recordsToFrame([{ ts: toIso(april), a: 1, other: 4 }]), months);
    const names = frame.columns.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(names, [
      ...['ts', 'ts · compared', 'a', 'a · compared 2', 'a · difference'],
      ...['a · compared', 'only', 'nested'],
    ]);
  });

  it('leaves compared cells empty if the compared frame has no row or no time', () => {
    const base = [{ ts: toIso(may), a_mw: 1 }];
    assert.deepEqual(compareRecords(base, []), [{ ts: toIso(may), 'ts · compared': toIso(april), a_mw: 1 }]);
    assert.deepEqual(compareRecords([{ a: 1 }], [{ ts: toIso(april), a_mw: 1 }]), [{ a: 1 }]);
  });
});

describe('alignment', () => {
  it('aligns by position from the start of each range, and does not pair rows beyond the other range', () => {
    assert.deepEqual(listPairs([toIso(may + 5 * hour), toIso(may + 29 * day), toIso(may + 30 * day)], months), [
      toIso(april + 5 * hour),
      toIso(april + 29 * day),
      null,
    ]);
  });

  it('aligns by a fixed shift', () => {
    const options = { ...months, align: { shiftMs: 31 * day } } as const;
    assert.deepEqual(listPairs([toIso(may), toIso(may + day)], options), [null, toIso(april)]);
  });

  it('aligns by hour of week, shifted by the number of whole weeks nearest to the distance of the ranges', () => {
    // 1 May 2023 is a Monday and 1 April a Saturday, so Mondays are paired with Mondays from 3 April.
    const options = { ...months, align: 'hourOfWeek' } as const;
    const instants = [toIso(may), toIso(may + 26 * day + 5 * hour), toIso(may + 30 * day)];
    assert.deepEqual(listPairs(instants, options), ['2023-04-03T00:00:00Z', '2023-04-29T05:00:00Z', null]);
  });

  it('keeps the local hour across a clock change when aligned by hour of week', () => {
    // Berlin changed from UTC+1 to UTC+2 on 26 March 2023: noon is 10:00 UTC after it and 11:00 UTC before.
    const options = createBerlinOptions('2023-03-27T00:00+02:00', '2023-04-03T00:00+02:00', 7);
    assert.deepEqual(listPairs(['2023-03-27T10:00:00Z'], options), ['2023-03-20T11:00:00Z']);
  });

  it('does not pair an hour that the other day skipped', () => {
    const options = createBerlinOptions('2023-04-02T00:00+02:00', '2023-04-03T00:00+02:00', 7);
    // The local times are 01:30, 02:30 and 03:30. On 26 March, 02:30 did not exist.
    const instants = ['2023-04-01T23:30:00Z', '2023-04-02T00:30:00Z', '2023-04-02T01:30:00Z'];
    assert.deepEqual(listPairs(instants, { ...options, intervalMs: hour / 2 }), [
      '2023-03-26T00:30:00Z',
      null,
      '2023-03-26T01:30:00Z',
    ]);
  });

  it('pairs the first occurrence of a repeated hour, or both if the base also repeats the hour', () => {
    // 30 October 2022 and 29 October 2023 had 02:00 twice.
    const optionsAfter = createBerlinOptions('2023-11-05T00:00+01:00', '2023-11-06T00:00+01:00', 7);
    assert.deepEqual(listPairs(['2023-11-05T01:00:00Z'], optionsAfter), ['2023-10-29T00:00:00Z']);
    const instants = createBerlinOptions('2023-10-29T00:00+02:00', '2023-10-30T00:00+01:00', 7);
    assert.deepEqual(listPairs(['2023-10-29T00:00:00Z', '2023-10-29T01:00:00Z'], instants), [
      '2023-10-22T00:00:00Z',
      '2023-10-22T00:00:00Z',
    ]);
    const bothYears = createBerlinOptions('2023-10-29T00:00+02:00', '2023-10-30T00:00+01:00', 364);
    assert.deepEqual(listPairs(['2023-10-29T00:00:00Z', '2023-10-29T01:00:00Z'], bothYears), [
      '2022-10-30T00:00:00Z',
      '2022-10-30T01:00:00Z',
    ]);
  });

  it('pairs UTC days with UTC days, on whole intervals', () => {
    const options = { ...createBerlinOptions('2023-03-27T00:00Z', '2023-04-10T00:00Z', 14), intervalMs: day };
    assert.deepEqual(listPairs(['2023-03-27T00:00:00Z', '2023-04-09T00:00:00Z'], options), [
      '2023-03-13T00:00:00Z',
      '2023-03-26T00:00:00Z',
    ]);
    // Lord Howe Island changed its clocks by half an hour on 2 April 2023.
    const lordHowe = {
      ...createBerlinOptions('2023-04-03T13:30Z', '2023-04-10T13:30Z', 7),
      timeZone: 'Australia/Lord_Howe',
    };
    const [pair] = listPairs(['2023-04-04T00:00:00Z'], lordHowe);
    assert.equal(Date.parse(String(pair)) % hour, 0);
  });

  it('finds the same weekday and local time as Intl', () => {
    const zones = fc.constantFrom('UTC', 'Africa/Johannesburg', 'Europe/Berlin', 'America/Havana', 'Pacific/Auckland');
    const starts = fc.integer({ min: Date.UTC(2015, 0, 1) / hour, max: Date.UTC(2025, 0, 1) / hour });
    fc.assert(
      fc.property(
        zones,
        starts,
        fc.integer({ min: 1, max: 400 }),
        fc.nat(2000),
        (timeZone, start, daysBack, offset) => {
          const base = { start: start * hour, end: (start + 2001) * hour };
          const comparedSpan = { start: base.start - daysBack * day, end: base.end - daysBack * day };
          const options: CompareOptions = { ...months, align: 'hourOfWeek', base, other: comparedSpan, timeZone };
          const instant = base.start + offset * hour;
          const [partner] = listPairs([toIso(instant)], options);
          if (partner == null) return;
          const format = new Intl.DateTimeFormat('en', {
            timeZone,
            weekday: 'long',
            hour: 'numeric',
            minute: 'numeric',
          });
          assert.equal(format.format(Date.parse(partner)), format.format(instant));
          assert.ok(Math.abs(instant - Date.parse(partner) - daysBack * day) < 5 * day);
        },
      ),
      { numRuns: scaleRunCount(300) },
    );
  });

  it('returns only zero differences for a range compared with itself', () => {
    const value = fc.option(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer()));
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 50 }), values => {
        // The number at the end makes the column numeric.
        const records = [...values, 1].map((a, hourIndex) => ({ ts: toIso(may + hourIndex * hour), a_mw: a }));
        for (const align of ['position', 'hourOfWeek', { shiftMs: 0 }] as const) {
          for (const row of compareRecords(records, records, { align, other: months.base })) {
            assert.equal(row['a_mw · compared'], row['a_mw']);
            assert.equal(row['a_mw · difference'], row['a_mw'] === null ? null : 0);
            const percent = row['a_mw'] === null || Object.is(Math.abs(Number(row['a_mw'])), 0) ? null : 0;
            assert.equal(row['a_mw · percent'], percent);
          }
        }
      }),
    );
  });

  it('returns exact differences for numbers of one decimal', () => {
    const toTenths = fc.integer({ min: -500_000, max: 500_000 });
    fc.assert(
      fc.property(toTenths, toTenths, (a, b) => {
        const [row] = compareRecords([{ ts: toIso(may), a_mw: a / 10 }], [{ ts: toIso(april), a_mw: b / 10 }]);
        assert.equal(row?.['a_mw · difference'], (a - b) / 10);
      }),
    );
  });
});

/** Creates the options for about a week in Berlin, compared with the same local days that many days before. */
function createBerlinOptions(start: string, end: string, daysBack: number): CompareOptions {
  const base = { start: Date.parse(start), end: Date.parse(end) };
  const other = { start: base.start - daysBack * day - 2 * hour, end: base.end - daysBack * day + 2 * hour };
  return { ...months, align: 'hourOfWeek', base, other, timeZone: 'Europe/Berlin' };
}
