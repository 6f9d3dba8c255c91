import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compareFrames, type CompareOptions } from '../../../../src/core/compare/compareFrames.ts';
import { findDataset } from '../../../../src/core/query/catalogue.ts';
import { describeFields, getResponseFields } from '../../../../src/core/frame/describeFields.ts';
import { frameOf } from '../../../../src/core/decode/decode.ts';
import type { JsonObject } from '../../../../src/core/decode/envelope.ts';
import { generateRecords } from '../../../../src/core/frame/records.ts';
import { systemStateFields } from '../../../../src/shared/fields.ts';
import { fillIn } from '../../../l10n/fillIn.ts';
import { manyRuns } from '../../../support/manyRuns.ts';

const hour = 3_600_000;
const day = 24 * hour;
const may = Date.parse('2023-05-01T00:00Z');
const april = Date.parse('2023-04-01T00:00Z');
const iso = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');

const months: CompareOptions = {
  align: 'position',
  base: { start: may, end: may + 31 * day },
  other: { start: april, end: may },
  intervalMs: hour,
  timeZone: 'UTC',
  comparedWith: 'previous period',
  translate: fillIn,
};

function compared(base: readonly JsonObject[], other: readonly JsonObject[], options: Partial<CompareOptions> = {}) {
  const described = (records: readonly JsonObject[]) => describeFields(frameOf(records), new Map());
  const frame = compareFrames(described(base), described(other), { ...months, ...options });
  return [...generateRecords(frame)];
}

/** Returns the instant that each base instant is compared with. */
function pairs(instants: readonly string[], options: CompareOptions): (string | null)[] {
  const frame = compareFrames(frameOf(instants.map(ts => ({ ts }))), frameOf([]), options);
  return [...generateRecords(frame)].map(row => (row['ts · compared'] as string | undefined) ?? null);
}

describe('compareFrames', () => {
  it('adds the compared value, the difference and the percentage beside each number', () => {
    const base = [{ ts: iso(may), a_mw: 23581.8, text: 'x' }];
    const other = [{ ts: iso(april), a_mw: 23420.1, text: 'y' }];
    assert.deepEqual(compared(base, other), [
      {
        ts: iso(may),
        'ts · compared': iso(april),
        a_mw: 23581.8,
        'a_mw · compared': 23420.1,
        'a_mw · difference': 161.7,
        'a_mw · percent': (161.7 / 23420.1) * 100,
        text: 'x',
      },
    ]);
  });

  it('never invents a number: null stays null, no row is absent, percent of 0 is null', () => {
    const base = [
      { ts: iso(may), a_mw: null },
      { ts: iso(may + hour), a_mw: 5 },
      { ts: iso(may + 2 * hour), a_mw: 5 },
      { ts: iso(may + 3 * hour), a_mw: 5 },
    ];
    const other = [
      { ts: iso(april), a_mw: 1 },
      { ts: iso(april + hour), a_mw: null },
      { ts: iso(april + 2 * hour), a_mw: 0 },
    ];
    const [first, second, third, fourth] = compared(base, other);
    const values = (row: typeof first): unknown[] => [
      row?.['a_mw · compared'],
      row?.['a_mw · difference'],
      row?.['a_mw · percent'],
    ];
    assert.deepEqual(values(first), [1, null, null]);
    assert.deepEqual(values(second), [null, null, null]);
    assert.deepEqual(values(third), [0, 5, null]);
    assert.deepEqual(values(fourth), [undefined, undefined, undefined]);
    assert.equal(fourth?.['ts · compared'], iso(april + 3 * hour));
  });

  it('takes the last of several compared rows of one instant', () => {
    const other = [5, 6, 7].map(a => ({ ts: iso(april), a_mw: a }));
    const [row] = compared([{ ts: iso(may), a_mw: 10 }], other);
    assert.deepEqual([row?.['a_mw · compared'], row?.['a_mw · difference']], [7, 3]);
  });

  it('takes the percentage of the size of the compared value, so that its sign is that of the difference', () => {
    const [row] = compared([{ ts: iso(may), a_mw: -50 }], [{ ts: iso(april), a_mw: -100 }]);
    assert.deepEqual([row?.['a_mw · difference'], row?.['a_mw · percent']], [50, 50]);
  });

  it('describes each new column', () => {
    const frame = (ms: number) =>
      describeFields(frameOf([{ ts: iso(ms), residual_demand_mw: 1, renewable_share_pct: 2 }]), systemStateFields);
    const { columns } = compareFrames(frame(may), frame(april), months);
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

  it('calls the times beside as the rows are called: hours, days, or neither', () => {
    const state = findDataset('systemState') ?? assert.fail();
    const named = (interval: string) => {
      const frame = (ms: number) =>
        describeFields(frameOf([{ ts: iso(ms) }]), getResponseFields(state, { interval, meta: {} }));
      return compareFrames(frame(may), frame(april), months).columns[1]?.field?.label;
    };
    assert.equal(named('1h'), 'Hour, previous period');
    assert.equal(named('1d'), 'Day, previous period');
    assert.equal(named('15m'), 'Time, previous period');
  });

  it('has a change in percent only for energies, not for an extreme, a share, an index or an unknown unit', () => {
    const record = { a_mwh: 1, a_mw: 1, a_max_mw: 1, a_pct: 1, value: 1, cost: 1 };
    const [row] = compared([{ ts: iso(may), ...record }], [{ ts: iso(april), ...record }]);
    const changes = Object.keys(row ?? {}).filter(name => name.endsWith('percent'));
    assert.deepEqual(changes, ['a_mwh · percent', 'a_mw · percent']);
  });

  it('keeps every field name, and columns that only the base has', () => {
    const base = [{ ts: iso(may), a: 1, 'a · compared': 2, only: 3, nested: [1] }];
    const frame = compareFrames(frameOf(base), frameOf([{ ts: iso(april), a: 1, other: 4 }]), months);
    const names = frame.columns.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(names, [
      ...['ts', 'ts · compared', 'a', 'a · compared 2', 'a · difference'],
      ...['a · compared', 'only', 'nested'],
    ]);
  });

  it('compares with nothing when there is no other row or no time', () => {
    const base = [{ ts: iso(may), a_mw: 1 }];
    assert.deepEqual(compared(base, []), [{ ts: iso(may), 'ts · compared': iso(april), a_mw: 1 }]);
    assert.deepEqual(compared([{ a: 1 }], [{ ts: iso(april), a_mw: 1 }]), [{ a: 1 }]);
  });
});

describe('alignment', () => {
  it('aligns by position from the start of each range; rows beyond the other range have no partner', () => {
    assert.deepEqual(pairs([iso(may + 5 * hour), iso(may + 29 * day), iso(may + 30 * day)], months), [
      iso(april + 5 * hour),
      iso(april + 29 * day),
      null,
    ]);
  });

  it('aligns by a fixed shift', () => {
    const options = { ...months, align: { shiftMs: 31 * day } } as const;
    assert.deepEqual(pairs([iso(may), iso(may + day)], options), [null, iso(april)]);
  });

  it('aligns by hour of week, the whole weeks back that are nearest to the distance of the ranges', () => {
    // 1 May 2023 is a Monday, 1 April a Saturday: Mondays are paired with Mondays from 3 April on.
    const options = { ...months, align: 'hourOfWeek' } as const;
    const instants = [iso(may), iso(may + 26 * day + 5 * hour), iso(may + 30 * day)];
    assert.deepEqual(pairs(instants, options), ['2023-04-03T00:00:00Z', '2023-04-29T05:00:00Z', null]);
  });

  it('keeps the wall-clock hour over a clock change when aligned by hour of week', () => {
    // Berlin changed from UTC+1 to UTC+2 on 26 March 2023: noon is 10:00 UTC after it and 11:00 UTC before.
    const options = berlin('2023-03-27T00:00+02:00', '2023-04-03T00:00+02:00', 7);
    assert.deepEqual(pairs(['2023-03-27T10:00:00Z'], options), ['2023-03-20T11:00:00Z']);
  });

  it('leaves an hour without partner when the other day skipped it', () => {
    const options = berlin('2023-04-02T00:00+02:00', '2023-04-03T00:00+02:00', 7);
    // 01:30, 02:30 and 03:30 local time; on 26 March 02:30 did not exist.
    const instants = ['2023-04-01T23:30:00Z', '2023-04-02T00:30:00Z', '2023-04-02T01:30:00Z'];
    assert.deepEqual(pairs(instants, { ...options, intervalMs: hour / 2 }), [
      '2023-03-26T00:30:00Z',
      null,
      '2023-03-26T01:30:00Z',
    ]);
  });

  it('pairs the first of a repeated hour, and both with a repeated hour of the base', () => {
    // 30 October 2022 and 29 October 2023 had 02:00 twice.
    const after = berlin('2023-11-05T00:00+01:00', '2023-11-06T00:00+01:00', 7);
    assert.deepEqual(pairs(['2023-11-05T01:00:00Z'], after), ['2023-10-29T00:00:00Z']);
    const at = berlin('2023-10-29T00:00+02:00', '2023-10-30T00:00+01:00', 7);
    assert.deepEqual(pairs(['2023-10-29T00:00:00Z', '2023-10-29T01:00:00Z'], at), [
      '2023-10-22T00:00:00Z',
      '2023-10-22T00:00:00Z',
    ]);
    const both = berlin('2023-10-29T00:00+02:00', '2023-10-30T00:00+01:00', 364);
    assert.deepEqual(pairs(['2023-10-29T00:00:00Z', '2023-10-29T01:00:00Z'], both), [
      '2022-10-30T00:00:00Z',
      '2022-10-30T01:00:00Z',
    ]);
  });

  it('pairs UTC days with UTC days, on whole steps', () => {
    const options = { ...berlin('2023-03-27T00:00Z', '2023-04-10T00:00Z', 14), intervalMs: day };
    assert.deepEqual(pairs(['2023-03-27T00:00:00Z', '2023-04-09T00:00:00Z'], options), [
      '2023-03-13T00:00:00Z',
      '2023-03-26T00:00:00Z',
    ]);
    // Lord Howe changed its clocks by half an hour, on 2 April 2023.
    const howe = { ...berlin('2023-04-03T13:30Z', '2023-04-10T13:30Z', 7), timeZone: 'Australia/Lord_Howe' };
    const [pair] = pairs(['2023-04-04T00:00:00Z'], howe);
    assert.equal(Date.parse(String(pair)) % hour, 0);
  });

  it('finds the same weekday and wall-clock time as Intl', () => {
    const zones = fc.constantFrom('UTC', 'Africa/Johannesburg', 'Europe/Berlin', 'America/Havana', 'Pacific/Auckland');
    const starts = fc.integer({ min: Date.UTC(2015, 0, 1) / hour, max: Date.UTC(2025, 0, 1) / hour });
    fc.assert(
      fc.property(zones, starts, fc.integer({ min: 1, max: 400 }), fc.nat(2000), (timeZone, at, back, offset) => {
        const base = { start: at * hour, end: (at + 2001) * hour };
        const other = { start: base.start - back * day, end: base.end - back * day };
        const options: CompareOptions = { ...months, align: 'hourOfWeek', base, other, timeZone };
        const instant = base.start + offset * hour;
        const [partner] = pairs([iso(instant)], options);
        if (partner == null) return;
        const format = new Intl.DateTimeFormat('en', { timeZone, weekday: 'long', hour: 'numeric', minute: 'numeric' });
        assert.equal(format.format(Date.parse(partner)), format.format(instant));
        assert.ok(Math.abs(instant - Date.parse(partner) - back * day) < 5 * day);
      }),
      { numRuns: manyRuns(300) },
    );
  });

  it('returns only zero differences for a range compared with itself', () => {
    const value = fc.option(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer()));
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 50 }), values => {
        // A final number makes the column numeric.
        const records = [...values, 1].map((a, step) => ({ ts: iso(may + step * hour), a_mw: a }));
        for (const align of ['position', 'hourOfWeek', { shiftMs: 0 }] as const) {
          for (const row of compared(records, records, { align, other: months.base })) {
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
    const tenths = fc.integer({ min: -500_000, max: 500_000 });
    fc.assert(
      fc.property(tenths, tenths, (a, b) => {
        const [row] = compared([{ ts: iso(may), a_mw: a / 10 }], [{ ts: iso(april), a_mw: b / 10 }]);
        assert.equal(row?.['a_mw · difference'], (a - b) / 10);
      }),
    );
  });
});

/** About a week in Berlin, compared with the same local days that many days before. */
function berlin(start: string, end: string, daysBack: number): CompareOptions {
  const base = { start: Date.parse(start), end: Date.parse(end) };
  const other = { start: base.start - daysBack * day - 2 * hour, end: base.end - daysBack * day + 2 * hour };
  return { ...months, align: 'hourOfWeek', base, other, timeZone: 'Europe/Berlin' };
}
