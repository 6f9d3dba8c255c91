import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { deriveColumns } from '../../../../src/core/formula/deriveColumns.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import { power } from '../../../../src/shared/units.ts';
import { scaleRunCount } from '../../../support/runCount.ts';
import { berlin, createFrame, hourMs, numbers, createPlot, sast, utc } from './chartWorld.ts';

type Cell = number | null;
interface Hour {
  readonly instant: number;
  readonly part: Cell;
  readonly whole: Cell;
}

const cell = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 30_000 }) },
  { weight: 2, arbitrary: fc.constantFrom(null, 0) },
);
const hours = fc
  .array(fc.option(fc.record({ part: cell, whole: cell }), { freq: 6, nil: undefined }), {
    minLength: 40,
    maxLength: 200,
  })
  .map(list =>
    // Clocks in Berlin go back on 26 October.
    list.flatMap((hour, index): Hour[] => (hour ? [{ instant: Date.UTC(2025, 9, 24) + index * hourMs, ...hour }] : [])),
  )
  .filter(list => list.length > 1);

function buildFrame(list: readonly Hour[]): Frame {
  const columns = (['part', 'whole'] as const).map(name =>
    numbers(
      `${name}_mw`,
      list.map(hour => hour[name]),
      power,
    ),
  );
  const frame = createFrame(
    columns,
    list.map(({ instant }) => instant),
  );
  const derivation = { columns: [{ name: 'part of all', formula: 'share(part_mw, whole_mw)' }], intervalMs: hourMs };
  return deriveColumns(frame, derivation).frame;
}

/** Computes the share from the energies of the hours that have both values. */
function computeShare(list: readonly Hour[]): Cell {
  let part = 0;
  let whole = 0;
  for (const hour of list) {
    if (hour.part === null || hour.whole === null) continue;
    part += hour.part;
    whole += hour.whole;
  }
  return whole === 0 ? null : (100 * part) / whole;
}

function assertNear(actual: number | undefined, expected: Cell, label: string): void {
  const isNear =
    actual === undefined || Number.isNaN(actual) || expected === null
      ? Number.isNaN(actual) && expected === null
      : Math.abs(actual - expected) <= 1e-9 * Math.max(1, expected);
  assert.ok(isNear, `${label} is ${actual}, not ${expected}`);
}

const getClock = (ms: number, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone);
const hasShare = ({ part, whole }: Hour): boolean => part !== null && whole !== null && whole !== 0;

describe('the mean share of several hours in the chart', () => {
  it('is the ratio of the energies in each heatmap cell, as in an independent model', () => {
    const across = fc.constantFrom('days', 'weekday', 'monthOfYear');
    fc.assert(
      fc.property(hours, fc.constantFrom(utc, sast, berlin), across, (list, zone, by) => {
        const picked = { 'heatmap.column': 'part of all', 'heatmap.across': by };
        const plot = createPlot(buildFrame(list), { mode: 'heatmap', picked }, { zone });
        const days = by === 'days' ? plot.timeline.x.length : by === 'weekday' ? 7 : 12;
        const first = getClock(list[0]?.instant ?? NaN, zone.timeZone).toPlainDate();
        const hoursByCell = Map.groupBy(list, ({ instant }) => {
          const clock = getClock(instant, zone.timeZone);
          const day = clock.toPlainDate().since(first).total('days');
          const column = { days: day, weekday: clock.dayOfWeek - 1, monthOfYear: clock.month - 1 }[by];
          return column * 24 + clock.hour;
        });
        for (let day = 0; day < days; day++)
          for (let hour = 0; hour < 24; hour++) {
            const cellHours = hoursByCell.get(day * 24 + hour) ?? [];
            // If only one hour has a share, the mean is that share.
            const known = cellHours.filter(hasShare);
            const expected =
              known.length === 1 ? computeShare(known) : known.length === 0 ? null : computeShare(cellHours);
            assertNear(plot.cells?.values[day * 24 + hour], expected, `${by} ${day}, ${hour} h`);
          }
      }),
      { numRuns: scaleRunCount(40) },
    );
  });

  it('is the ratio of the energies over the periods of an overlay', () => {
    fc.assert(
      fc.property(hours, fc.constantFrom(utc, sast), (list, zone) => {
        fc.pre(list.some(hasShare));
        const plot = createPlot(
          buildFrame(list),
          { mode: 'overlay', picked: { 'overlay.column': 'part of all', 'overlay.period': 'day' } },
          { zone },
        );
        const mean = plot.layers.find(({ column }) => column === 'mean');
        assert.match(mean?.label ?? '', /^Share of the energies of \d+$/);
        const hoursByClock = Map.groupBy(list.filter(hasShare), ({ instant }) => getClock(instant, zone.timeZone).hour);
        for (let hour = 0; hour < 24; hour++) {
          const cellHours = hoursByClock.get(hour) ?? [];
          assertNear(mean?.values[hour], computeShare(cellHours), `${hour} h`);
        }
      }),
      { numRuns: scaleRunCount(40) },
    );
  });
});
