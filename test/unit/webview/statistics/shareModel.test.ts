import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findShareParts } from '../../../../src/core/bins/binSums.ts';
import { resampleFrame } from '../../../../src/core/bins/resampleFrame.ts';
import { deriveColumns } from '../../../../src/core/formula/deriveColumns.ts';
import { systemStateFields } from '../../../../src/shared/fields.ts';
import { cellState, getCellState, type Frame, type NumberColumn } from '../../../../src/shared/frame.ts';
import { scaleRunCount } from '../../../support/runCount.ts';
import { computeSelectionStats } from '../../../../src/webview/rows/selectionStats.ts';
import { createFrame, numberColumn, timeColumn } from '../../core/filter/columns.ts';
import { columnStatistics, hourMs } from './columns.ts';

const start = Date.UTC(2023, 4, 1);

interface Hour {
  readonly part: number | null | undefined;
  /** The share in percent if it is received, or the whole in MW if the share is derived. */
  readonly other: number | null | undefined;
  /** Whether the row is filtered out. */
  readonly isOut: boolean;
}

/** Returns the share computed from energies, or undefined if a whole is unknown. If all wholes are unknown and all parts are 0, it is 0. */
function computeExpected(hours: readonly Hour[], isDerived: boolean): number | undefined {
  const known = hours.flatMap(({ part, other, isOut }) =>
    isOut || part == null || other == null ? [] : [{ part, other }],
  );
  const parts = known.reduce((sum, { part }) => sum + part, 0);
  const wholes = known.map(({ part, other }) => (isDerived ? other : other === 0 ? undefined : (100 * part) / other));
  if (wholes.length > 0 && wholes.every(whole => whole === undefined)) return parts === 0 ? 0 : undefined;
  if (wholes.includes(undefined)) return undefined;
  const sum = wholes.reduce<number>((total, whole) => total + (whole ?? NaN), 0);
  return sum === 0 ? undefined : (100 * parts) / sum;
}

function findColumn({ columns }: Frame, name: string): NumberColumn {
  const column = columns.find(candidate => candidate.name === name);
  return column?.kind === 'number' ? column : assert.fail(name);
}

const megawatts = fc.oneof(fc.integer({ min: 0, max: 90_000 }), fc.constant(0)).map(tenths => tenths / 10);
const gap = fc.constantFrom(null, undefined);
const createHour = (other: fc.Arbitrary<number>): fc.Arbitrary<Hour> =>
  fc.record({
    part: fc.oneof({ weight: 5, arbitrary: megawatts }, gap),
    other: fc.oneof({ weight: 5, arbitrary: other }, gap),
    isOut: fc.integer({ min: 0, max: 3 }).map(random => random === 0),
  });

describe('the mean of a share', () => {
  for (const [label, isDerived, hour] of [
    ['received', false, createHour(fc.integer({ min: 1, max: 9900 }).map(share => share / 100))],
    ['received, with hours of 0 %', false, createHour(fc.integer({ min: 0, max: 9 }).map(share => share * 5))],
    ['derived', true, createHour(megawatts)],
  ] as const)
    it(`is the ratio of the energies in Statistics, the footer and monthly rows: ${label}`, () => {
      fc.assert(
        fc.property(fc.array(hour, { minLength: 1, maxLength: 40 }), hours => {
          const createColumn = (name: string, cells: readonly (number | null | undefined)[]): NumberColumn => {
            const field = systemStateFields.get(name);
            return { ...numberColumn(name, cells), ...(field && { field }) };
          };
          const received = createFrame(
            timeColumn(
              'ts',
              hours.map((_, index) => start + index * hourMs),
            ),
            createColumn(
              'total_re_mw',
              hours.map(({ part }) => part),
            ),
            createColumn(
              isDerived ? 'residual_demand_mw' : 'renewable_share_pct',
              hours.map(({ other }) => other),
            ),
          );
          const name = isDerived ? 'derived' : 'renewable_share_pct';
          const columns = isDerived ? [{ name, formula: 'share(total_re_mw, residual_demand_mw)' }] : [];
          const { frame } = deriveColumns(received, { columns, intervalMs: hourMs });
          const column = findColumn(frame, name);
          const rows = Uint32Array.from(hours.keys()).filter(row => hours[row]?.isOut === false);
          const parts = findShareParts(frame, column) ?? assert.fail('no parts');
          const expected = computeExpected(hours, isDerived);
          const { summary, share } = columnStatistics(column, undefined, rows, parts);
          const { figures } = computeSelectionStats([column], rows, hourMs, parts);
          // Without a value, there is no figure.
          if (summary) assertNear(share, expected, 'Statistics');
          if (figures) assertNear(figures.share, expected, 'footer');
          const month = { by: 'month', timeZone: 'UTC', label: 'UTC', names: [], rows } as const;
          const end = start + hours.length * hourMs;
          const monthly = resampleFrame(frame, { ...month, start, end, intervalMs: hourMs });
          if (monthly.rowCount === 0) return;
          const resampled = findColumn(monthly, name);
          const monthlyShare = getCellState(resampled, 0) === cellState.value ? resampled.values[0] : undefined;
          assertNear(monthlyShare, expected, 'month');
          if (summary) assert.equal(share, monthlyShare);
        }),
        { numRuns: scaleRunCount(300) },
      );
    });

  it('is the plain mean of the hours if no energy is known', () => {
    const column = numberColumn('load_factor_pct', [50, 70]);
    assert.equal(findShareParts(createFrame(timeColumn('ts', [start, start + hourMs]), column), column), undefined);
    const { summary, share } = columnStatistics(column);
    assert.deepEqual([summary?.mean, share], [60, undefined]);
    assert.equal(computeSelectionStats([column], [0, 1]).figures?.share, undefined);
  });
});

function assertNear(actual: number | undefined, expected: number | undefined, label: string): void {
  if (actual === undefined || expected === undefined) assert.equal(actual, expected, label);
  else
    assert.ok(
      Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected)),
      `${label} is ${actual}, not ${expected}`,
    );
}
