import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findShareParts } from '../../../../src/core/bins/binSums.ts';
import { resampleFrame } from '../../../../src/core/bins/resampleFrame.ts';
import { deriveColumns } from '../../../../src/core/formula/deriveColumns.ts';
import { systemStateFields } from '../../../../src/shared/fields.ts';
import { cellState, getCellState, type Frame, type NumberColumn } from '../../../../src/shared/frame.ts';
import { scaleRunCount } from '../../../support/runCount.ts';
import { computeSelectionStats } from '../../../../src/webview/rows/selectionStats.ts';
import { frameOf, numberColumn, timeColumn } from '../../core/filter/columns.ts';
import { columnStatistics, hourMs } from './columns.ts';

const start = Date.UTC(2023, 4, 1);

interface Hour {
  readonly part: number | null | undefined;
  /** The percentage of a received share, or the whole of a derived one in MW. */
  readonly other: number | null | undefined;
  /** Whether it is filtered out. */
  readonly isOut: boolean;
}

/** Computes the share from the energies of the rows with part and whole; undefined if a whole is unknown, unless its part is 0. */
function model(hours: readonly Hour[], isDerived: boolean): number | undefined {
  const known = hours.flatMap(({ part, other, isOut }) =>
    isOut || part == null || other == null ? [] : [{ part, other }],
  );
  const parts = known.reduce((sum, { part }) => sum + part, 0);
  const wholes = known.map(({ part, other }) => (isDerived ? other : other === 0 ? undefined : (100 * part) / other));
  if (wholes.length > 0 && wholes.every(whole => whole === undefined)) return parts === 0 ? 0 : undefined;
  if (wholes.includes(undefined)) return undefined;
  const sum = wholes.reduce<number>((all, whole) => all + (whole ?? NaN), 0);
  return sum === 0 ? undefined : (100 * parts) / sum;
}

function columnNamed({ columns }: Frame, name: string): NumberColumn {
  const column = columns.find(one => one.name === name);
  return column?.kind === 'number' ? column : assert.fail(name);
}

const megawatts = fc.oneof(fc.integer({ min: 0, max: 90_000 }), fc.constant(0)).map(tenths => tenths / 10);
const gap = fc.constantFrom(null, undefined);
const hourOf = (other: fc.Arbitrary<number>): fc.Arbitrary<Hour> =>
  fc.record({
    part: fc.oneof({ weight: 5, arbitrary: megawatts }, gap),
    other: fc.oneof({ weight: 5, arbitrary: other }, gap),
    isOut: fc.integer({ min: 0, max: 3 }).map(one => one === 0),
  });

describe('the mean of a share', () => {
  for (const [what, isDerived, hour] of [
    ['received', false, hourOf(fc.integer({ min: 1, max: 9900 }).map(share => share / 100))],
    ['received, with hours of 0 %', false, hourOf(fc.integer({ min: 0, max: 9 }).map(share => share * 5))],
    ['derived', true, hourOf(megawatts)],
  ] as const)
    it(`is the ratio of the energies in Statistics, footer and a month: ${what}`, () => {
      fc.assert(
        fc.property(fc.array(hour, { minLength: 1, maxLength: 40 }), hours => {
          const described = (name: string, cells: readonly (number | null | undefined)[]): NumberColumn => {
            const field = systemStateFields.get(name);
            return { ...numberColumn(name, cells), ...(field && { field }) };
          };
          const received = frameOf(
            timeColumn(
              'ts',
              hours.map((_, at) => start + at * hourMs),
            ),
            described(
              'total_re_mw',
              hours.map(({ part }) => part),
            ),
            described(
              isDerived ? 'residual_demand_mw' : 'renewable_share_pct',
              hours.map(({ other }) => other),
            ),
          );
          const name = isDerived ? 'own' : 'renewable_share_pct';
          const columns = isDerived ? [{ name, formula: 'share(total_re_mw, residual_demand_mw)' }] : [];
          const { frame } = deriveColumns(received, { columns, intervalMs: hourMs });
          const column = columnNamed(frame, name);
          const rows = Uint32Array.from(hours.keys()).filter(row => hours[row]?.isOut === false);
          const parts = findShareParts(frame, column) ?? assert.fail('no parts');
          const expected = model(hours, isDerived);
          const { summary, share } = columnStatistics(column, undefined, rows, parts);
          const { figures } = computeSelectionStats([column], rows, hourMs, parts);
          // There is no figure without a value.
          if (summary) assertNear(share, expected, 'Statistics');
          if (figures) assertNear(figures.share, expected, 'footer');
          const month = { by: 'month', timeZone: 'UTC', label: 'UTC', names: [], rows } as const;
          const end = start + hours.length * hourMs;
          const longer = resampleFrame(frame, { ...month, start, end, intervalMs: hourMs });
          if (longer.rowCount === 0) return;
          const resampled = columnNamed(longer, name);
          const ofMonth = getCellState(resampled, 0) === cellState.value ? resampled.values[0] : undefined;
          assertNear(ofMonth, expected, 'month');
          if (summary) assert.equal(share, ofMonth);
        }),
        { numRuns: scaleRunCount(300) },
      );
    });

  it('is the plain mean of the hours if no energy is known', () => {
    const column = numberColumn('load_factor_pct', [50, 70]);
    assert.equal(findShareParts(frameOf(timeColumn('ts', [start, start + hourMs]), column), column), undefined);
    const { summary, share } = columnStatistics(column);
    assert.deepEqual([summary?.mean, share], [60, undefined]);
    assert.equal(computeSelectionStats([column], [0, 1]).figures?.share, undefined);
  });
});

function assertNear(actual: number | undefined, expected: number | undefined, where: string): void {
  if (actual === undefined || expected === undefined) assert.equal(actual, expected, where);
  else
    assert.ok(
      Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected)),
      `${where}: ${actual}, not ${expected}`,
    );
}
