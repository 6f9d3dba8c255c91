import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compareFrames, listComparedPairs } from '../../../../src/core/compare/compareFrames.ts';
import { resampleFrame } from '../../../../src/core/bins/resampleFrame.ts';
import { translateField, findShareParts, aggregateShareOfRows } from '../../../../src/core/bins/binSums.ts';
import { findHourCounts } from '../../../../src/core/bins/binFrame.ts';
import { systemStateFields } from '../../../../src/shared/fields.ts';
import { cellState, getCellState, getText, type Column, type Frame } from '../../../../src/shared/frame.ts';
import { binSizes, cycles, type Resampling } from '../../../../src/shared/resampling.ts';
import { fillIn } from '../../../l10n/fillIn.ts';
import { manyRuns } from '../../../support/manyRuns.ts';
import { binOf, type By } from '../bins/clockBins.ts';
import { numberColumn, timeColumn } from '../filter/columns.ts';

const hourMs = 3_600_000;
type Cell = number | null;
interface Hour {
  readonly at: number;
  /** Total renewable in MW, and the power that it is a part of. */
  readonly part: Cell;
  readonly whole: Cell;
}

const described = (column: Column): Column => {
  const field = systemStateFields.get(column.name);
  return { ...column, ...(field && { field }) };
};

const shareOf = ({ part, whole }: Hour): Cell => (part === null || whole === null ? null : (100 * part) / whole);

function frameOf(hours: readonly Hour[]): Frame {
  const columns = [
    timeColumn(
      'ts',
      hours.map(({ at }) => at),
    ),
    described(
      numberColumn(
        'total_re_mw',
        hours.map(({ part }) => part),
      ),
    ),
    described(numberColumn('renewable_share_pct', hours.map(shareOf))),
  ];
  return { rowCount: hours.length, columns };
}

interface Asked {
  readonly base: number;
  readonly other: number;
  readonly hours: number;
  readonly align: 'position' | 'hourOfWeek';
  readonly timeZone: string;
}

function comparisonOf(own: readonly Hour[], others: readonly Hour[], { base, other, hours, ...rest }: Asked): Frame {
  return compareFrames(frameOf(own), frameOf(others), {
    ...rest,
    intervalMs: hourMs,
    comparedWith: 'previous period',
    translate: fillIn,
    base: { start: base, end: base + hours * hourMs },
    other: { start: other, end: other + hours * hourMs },
  });
}

function resampled(frame: Frame, by: By, { base, hours, timeZone }: Asked): Frame {
  const names = Array.from({ length: 24 }, (_, bin) => String(bin));
  const range = { start: base, end: base + hours * hourMs, stepMs: hourMs };
  const resampling: Resampling = { by, timeZone, label: timeZone, ...range, names };
  return resampleFrame(frame, resampling);
}

const columnOf = ({ columns }: Frame, name: string): Column =>
  columns.find(column => column.name === name) ?? assert.fail(`no column ${name}`);

function cellOf(frame: Frame, name: string, row: number): Cell {
  const column = columnOf(frame, name);
  assert.ok(column.kind === 'number');
  return getCellState(column, row) === cellState.value ? (column.values[row] ?? NaN) : null;
}

/** Models the figures of some hours by the rules. */
function figuresOf(hours: readonly Hour[]) {
  const parts = hours.flatMap(({ part }) => part ?? []);
  const energy = parts.length === 0 ? null : parts.reduce((sum, part) => sum + part, 0);
  const known = hours.filter(hour => shareOf(hour) !== null);
  const [part, whole] = [known, known].map((list, at) =>
    list.reduce((sum, hour) => sum + ((at === 0 ? hour.part : hour.whole) ?? 0), 0),
  );
  const isUnknown = known.some(hour => shareOf(hour) === 0) && part !== 0;
  const share = known.length === 0 || isUnknown ? null : (100 * (part ?? NaN)) / (whole ?? NaN);
  return {
    total_re_mw: energy === null ? null : energy / parts.length,
    total_re_mwh: energy,
    renewable_share_pct: share,
  };
}

const starts = ['2023-03-25', '2023-10-28', '2022-11-05', '2023-12-28', '2023-05-01'];
const zones = ['UTC', 'Africa/Johannesburg', 'Europe/Berlin', 'America/New_York'];

describe('a comparison that is resampled', () => {
  it('bins each period by itself and compares the bins, as an independent model does, with holes, nulls, zeros and clock changes', () => {
    const part = fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 1, max: 4000 }) },
      { weight: 2, arbitrary: fc.constantFrom(null, 0) },
    );
    const whole = fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: 5000, max: 30_000 }) },
      { weight: 1, arbitrary: fc.constant(null) },
    );
    const hour = fc.option(fc.record({ part, whole }), { freq: 5, nil: undefined });
    const asked = fc.record({
      base: fc.constantFrom(...starts).map(day => Date.parse(day)),
      back: fc.constantFrom(24, 168, 337, 8736),
      align: fc.constantFrom('position', 'hourOfWeek'),
      timeZone: fc.constantFrom(...zones),
    });
    const list = fc.array(fc.tuple(hour, hour), { minLength: 3, maxLength: 200 });
    let compared = 0;
    fc.assert(
      fc.property(asked, list, fc.constantFrom<By>(...binSizes, ...cycles), ({ back, base, ...rest }, all, by) => {
        const other = base - back * hourMs;
        const question: Asked = { ...rest, base, other, hours: all.length };
        const hoursOf = (from: number, side: 0 | 1): Hour[] =>
          all.flatMap((pair, at) => (pair[side] ? [{ at: from + at * hourMs, ...pair[side] }] : []));
        const [own, others] = [hoursOf(base, 0), hoursOf(other, 1)];
        fc.pre(own.length > 0);
        const frame = comparisonOf(own, others, question);
        const made = resampled(frame, by, question);
        const times = columnOf(frame, 'ts · compared');
        assert.ok(times.kind === 'time');
        const [key] = made.columns;
        for (let row = 0; row < made.rowCount; row++) {
          const bin =
            key?.kind === 'time'
              ? binOf(key.values[row] ?? NaN, by, rest.timeZone)
              : key?.kind === 'text'
                ? getText(key.texts, row)
                : assert.fail();
          const rows = [...own.keys()].filter(at => binOf(own[at]?.at ?? NaN, by, rest.timeZone) === bin);
          const paired = rows.filter(at => getCellState(times, at) === cellState.value);
          // A cycle has the hours of the other period by their own local times, whichever hours they are paired with.
          const isOwn = (cycles as readonly By[]).includes(by);
          const all = [...own.keys()]
            .filter(at => getCellState(times, at) === cellState.value)
            .map(at => times.values[at] ?? NaN);
          const instants = isOwn
            ? new Set(all.filter(at => binOf(at, by, rest.timeZone) === bin))
            : new Set(paired.map(at => times.values[at] ?? NaN));
          const [ofBase, ofOther] = [rows.flatMap(at => own[at] ?? []), others.filter(({ at }) => instants.has(at))];
          const near = (name: string, expected: Cell): void => {
            const found = cellOf(made, name, row);
            const isNear =
              found === null || expected === null
                ? found === expected
                : Math.abs(found - expected) <= 1e-9 * Math.max(1, Math.abs(expected));
            assert.ok(isNear, `${name} of ${bin}: ${found}, not ${expected}`);
          };
          near('hours', ofBase.length);
          // An interval of the base without a row counts for both.
          const steps = isOwn
            ? (cellOf(made, 'of_hours · compared', row) ?? 0)
            : (cellOf(made, 'of_hours', row) ?? NaN) - rows.length + instants.size;
          assert.ok(steps >= instants.size, `${steps} hours, of which ${instants.size} are paired`);
          near('hours · compared', steps === 0 ? null : ofOther.length);
          near('of_hours · compared', steps === 0 ? null : steps);
          const [one, two] = [figuresOf(ofBase), figuresOf(ofOther)];
          for (const name of ['total_re_mw', 'total_re_mwh', 'renewable_share_pct'] as const) {
            const [a, b] = [one[name], two[name]];
            near(name, a);
            near(`${name} · compared`, b);
            near(`${name} · difference`, a === null || b === null ? null : a - b);
            if (name === 'total_re_mwh')
              near(`${name} · percent`, a === null || b === null || b === 0 ? null : (100 * (a - b)) / b);
            else assert.ok(made.columns.every(column => column.name !== `${name} · percent`));
            if (a !== null && b !== null) compared++;
          }
        }
      }),
      { numRuns: manyRuns(300) },
    );
    assert.ok(compared > 100);
  });

  const may = { base: Date.parse('2023-05-01'), other: Date.parse('2023-03-31'), hours: 744 } as const;
  const months: Asked = { ...may, align: 'position', timeZone: 'UTC' };
  const hours = (from: number, count: number): Hour[] =>
    Array.from({ length: count }, (_, at) => ({ at: from + at * hourMs, part: 100 + at, whole: 1000 }));

  it('reports the hours with data of each period, and keeps its pairs', () => {
    const frame = comparisonOf(hours(may.base, 744), hours(may.other, 504), months);
    const made = resampled(frame, 'month', months);
    const counts = [false, true].map(isCompared => findHourCounts(made, isCompared)?.map(({ values }) => values[0]));
    assert.deepEqual(counts, [
      [744, 744],
      [504, 744],
    ]);
    const first = columnOf(made, 'ts · compared');
    assert.deepEqual(first.kind === 'time' && [...first.values], [may.other]);
    const pairs = listComparedPairs(made);
    assert.deepEqual(pairs.slice(0, 4), [
      ['hours', 'hours · compared'],
      ['of_hours', 'of_hours · compared'],
      ['total_re_mw', 'total_re_mw · compared'],
      ['renewable_share_pct', 'renewable_share_pct · compared'],
    ]);
    assert.ok(pairs.some(([own]) => own === 'total_re_mwh'));
    // The energy is unknown, because the two are means over different hours.
    assert.equal(columnOf(made, 'total_re_mw · difference').field?.unit?.mwhPerHour, undefined);
  });

  it('reports the times of the lowest and the highest hour of the compared period', () => {
    const frame = comparisonOf(hours(may.base, 744), hours(may.other, 744), months);
    const made = resampled(frame, 'month', months);
    const timesOf = (name: string) => {
      const column = columnOf(made, name);
      return column.kind === 'number' && column.extremeAt?.[0];
    };
    assert.equal(timesOf('total_re_min_mw · compared'), may.other);
    assert.equal(timesOf('total_re_max_mw · compared'), may.other + 743 * hourMs);
    assert.equal(timesOf('total_re_max_mw'), may.base + 743 * hourMs);
  });

  it('calculates change and difference of shares over several bins from their energies', () => {
    const asked: Asked = { base: may.base, other: may.other, hours: 72, align: 'position', timeZone: 'UTC' };
    const others = hours(may.other, 72).map((hour, at) => ({ ...hour, part: at < 60 ? 50 : 900, whole: 1000 + at }));
    const made = resampled(comparisonOf(hours(may.base, 72), others, asked), 'day', asked);
    const shareOfAll = (name: string) => {
      const column = columnOf(made, name);
      const parts = column.kind === 'number' ? findShareParts(made, column) : undefined;
      return parts && aggregateShareOfRows(parts);
    };
    const sum = (list: readonly Hour[], of: 'part' | 'whole') => list.reduce((all, hour) => all + (hour[of] ?? 0), 0);
    const [own, other] = [sum(hours(may.base, 72), 'part'), sum(others, 'part')];
    const expected = (100 * own) / 72_000 - (100 * other) / sum(others, 'whole');
    assert.ok(Math.abs((shareOfAll('renewable_share_pct · difference') ?? NaN) - expected) < 1e-9);
    assert.ok(Math.abs((shareOfAll('total_re_mwh · percent') ?? NaN) - (100 * (own - other)) / other) < 1e-9);
  });

  it('compares weekdays with the same weekdays, also where an hour is paired with one of another day', () => {
    // October 2026 begins on a Thursday, September on a Tuesday; one hour has no row.
    const [base, other] = [Date.parse('2026-10-01'), Date.parse('2026-09-01')];
    const asked = { base, other, hours: 720, align: 'position', timeZone: 'UTC' } as const;
    const all = hours(other, 720);
    const made = resampled(comparisonOf(hours(base, 720).toSpliced(50, 1), all, asked), 'weekday', asked);
    for (let weekday = 0; weekday < 7; weekday++) {
      const same = all.filter(({ at }) => (new Date(at).getUTCDay() + 6) % 7 === weekday && at !== other + 50 * hourMs);
      const mean = same.reduce((sum, { part }) => sum + (part ?? 0), 0) / same.length;
      assert.ok(Math.abs((cellOf(made, 'total_re_mw · compared', weekday) ?? NaN) - mean) < 1e-9, String(weekday));
      const isOfGap = new Date(other + 50 * hourMs).getUTCDay() === (weekday + 1) % 7;
      assert.equal(cellOf(made, 'of_hours · compared', weekday), same.length + Number(isOfGap));
    }
  });

  it('names the figure and its comparison only once', () => {
    const made = resampled(comparisonOf(hours(may.base, 744), hours(may.other, 744), months), 'month', months);
    const wordsOf = (name: string) => {
      const { field } = columnOf(made, name);
      const once = field && translateField(field);
      assert.deepEqual(once && translateField(once), once);
      return [once?.label, once?.meaning];
    };
    const { label, meaning } = systemStateFields.get('total_re_mw') ?? assert.fail();
    assert.deepEqual(wordsOf('total_re_mwh · compared'), [
      `${label}, energy, previous period`,
      `${meaning || label}. Energy of the hours that have a value, in the previous period`,
    ]);
    assert.deepEqual(wordsOf('total_re_mwh · percent'), [
      `${label}, energy, change`,
      `${label}, energy minus that of the previous period, as a percentage of the latter's absolute value. Each covers the hours of its own period, which may differ`,
    ]);
    assert.deepEqual(wordsOf('hours · compared')[0], 'Hours, previous period');
    assert.deepEqual(wordsOf('ts · compared')[0], 'Month, previous period');
  });
});
