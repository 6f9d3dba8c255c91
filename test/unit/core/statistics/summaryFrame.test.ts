import assert from 'node:assert/strict';
import { formatEnglish } from '../../../../src/core/bins/binSums.ts';
import { resampleFrame } from '../../../../src/core/bins/resampleFrame.ts';
import { compareFrames } from '../../../../src/core/compare/compareFrames.ts';
import {
  listSummarizedColumns,
  summaryFrame,
  type SummaryInput,
} from '../../../../src/core/statistics/summaryFrame.ts';
import { systemStateFields } from '../../../../src/shared/fields.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import { inferUnit } from '../../../../src/shared/units.ts';
import { summaryFigures, type SummaryFigure } from '../../../../src/shared/summaryFigures.ts';
import { createFrame, numberColumn, timeColumn } from '../filter/columns.ts';
import { readRows, type Cell } from '../snippets/panelRows.ts';

const hourMs = 3_600_000;
const start = Date.UTC(2026, 10, 16);

type Cells = readonly (number | null)[];

/** Creates hours of system state. */
function createHours(columns: Readonly<Record<string, Cells>>, from = start): Frame {
  const [first = []] = Object.values(columns);
  const times = first.map((_, row) => from + row * hourMs);
  const numbers = Object.entries(columns).map(([name, cells]) => {
    const field = systemStateFields.get(name);
    return { ...numberColumn(name, cells), ...(field && { field }) };
  });
  return createFrame(timeColumn('ts', times), ...numbers);
}

function summarize(input: SummaryInput, figures: readonly SummaryFigure[] = summaryFigures) {
  const rows = readRows(summaryFrame(input, figures, formatEnglish));
  return (field: string): Record<string, Cell> => rows.find(row => row['field'] === field) ?? assert.fail(field);
}

/** Three hours of a complete mix: 100 MW of each source, of which 200 MW are renewable and 50 MW unpublished. */
const mix = {
  residual_demand_mw: [550, 600, 650],
  thermal_mw: [100, 100, 100],
  nuclear_mw: [100, 100, 100],
  eskom_gas_mw: [100, 100, 100],
  eskom_ocgt_mw: [100, 100, 100],
  hydro_water_mw: [100, 100, 100],
  wind_mw: [100, 150, 50],
  pv_mw: [100, 50, 150],
  total_re_mw: [200, 200, 200],
  renewable_share_pct: [25, 25, 25],
} as const;

describe('summaryFrame', () => {
  it('returns a row for each numeric column and each series of the mix, with the requested figures', () => {
    const frame = createHours(mix);
    assert.deepEqual(
      listSummarizedColumns(frame).map(({ name }) => name),
      [...Object.keys(mix), '=other_renewable', '=unpublished', '=demand', '=generation'],
    );
    const listNames = (figures: readonly SummaryFigure[]) =>
      summaryFrame({ frame, intervalMs: hourMs }, figures, formatEnglish).columns.map(({ name }) => name);
    assert.deepEqual(listNames(['extremes']), ['column', 'unit', 'min', 'min_at', 'max', 'max_at', 'values', 'field']);
    assert.deepEqual(listNames([]), ['column', 'unit', 'values', 'field']);
    const demand = summarize({ frame, intervalMs: hourMs })('residual_demand_mw');
    assert.deepEqual(demand, {
      column: 'Residual demand',
      unit: 'MW',
      energy_mwh: 1800,
      share_pct: null,
      energy_hours: 3,
      mean: 600,
      load_factor_pct: (100 * 600) / 650,
      min: 550,
      min_at: start,
      max: 650,
      max_at: start + 2 * hourMs,
      p5: 555,
      median: 600,
      p95: 645,
      deviation: 50,
      null: 0,
      absent: 0,
      values: 3,
      field: 'residual_demand_mw',
    });
  });

  it('gives energies of columns in kW and kWh in MWh', () => {
    const columns = ['meter_kw', 'meter_kwh'].map(name => numberColumn(name, [400, null, 600], inferUnit(name)));
    const times = [0, 1, 2].map(row => start + row * hourMs);
    const row = summarize({ frame: createFrame(timeColumn('ts', times), ...columns), intervalMs: hourMs });
    for (const name of ['meter_kw', 'meter_kwh']) assert.equal(row(name)['energy_mwh'], 1, name);
  });

  it('calculates shares of the energy of total generation, over the hours for which it is known', () => {
    const row = summarize({ frame: createHours(mix), intervalMs: hourMs });
    const shares = ['thermal_mw', 'wind_mw', '=unpublished', 'total_re_mw', '=generation'].map(
      name => row(name)['share_pct'],
    );
    assert.deepEqual(shares, [12.5, 12.5, 12.5, 25, 100]);
    assert.equal(row('=generation')['energy_mwh'], 2400);
    // Without nuclear, the second hour has no total, so that 100 MWh of each other source do not count.
    const withGaps = summarize({ frame: createHours({ ...mix, nuclear_mw: [100, null, 100] }), intervalMs: hourMs });
    assert.equal(withGaps('wind_mw')['share_pct'], (100 * 150) / 1600);
    assert.deepEqual([withGaps('wind_mw')['energy_mwh'], withGaps('=generation')['energy_hours']], [300, 2]);
  });

  it('calculates shares from energies, and does not treat a ramp or index as power', () => {
    const frame = createHours({ ...mix, total_re_mw: [100, 300, 200], renewable_share_pct: [10, 50, 25] });
    // The share is 600 MWh of 1,000 + 600 + 800.
    assert.equal(summarize({ frame, intervalMs: hourMs })('renewable_share_pct')['mean'], 25);
    const ramp = summarize({ frame: createHours({ ocgt_ramp_mw: [5, -3, null] }), intervalMs: hourMs })('ocgt_ramp_mw');
    assert.deepEqual(
      ['energy_mwh', 'energy_hours', 'load_factor_pct', 'mean', 'null', 'values'].map(name => ramp[name] ?? null),
      [null, null, null, 1, 1, 2],
    );
  });

  it('summarizes only the given rows, without energies if their length is unknown', () => {
    const frame = createHours(mix);
    const selectedRows = summarize({ frame, rows: Uint32Array.of(2, 0), intervalMs: hourMs })('wind_mw');
    assert.deepEqual(
      [selectedRows['energy_mwh'], selectedRows['max'], selectedRows['max_at'], selectedRows['values']],
      [150, 100, start, 2],
    );
    const unknown = summarize({ frame, intervalMs: undefined })('wind_mw');
    assert.deepEqual([unknown['energy_mwh'], unknown['energy_hours'], unknown['mean']], [null, null, 100]);
  });

  describe('the summary of a comparison', () => {
    const comparedStart = start - 168 * hourMs;
    const comparedRange = {
      ...mix,
      residual_demand_mw: [500, 500, 500],
      thermal_mw: [50, 100, 150],
      renewable_share_pct: [20, 25, 25],
    };
    const compareColumns = (
      baseColumns: Readonly<Record<string, Cells>>,
      otherColumns: Readonly<Record<string, Cells>>,
    ): Frame =>
      compareFrames(createHours(baseColumns), createHours(otherColumns, comparedStart), {
        align: 'position',
        base: { start, end: start + 3 * hourMs },
        other: { start: comparedStart, end: comparedStart + 3 * hourMs },
        intervalMs: hourMs,
        timeZone: 'UTC',
        comparedWith: 'previous period',
        translate: formatEnglish,
      });

    it('adds each figure of the other period with its times, the difference and the change of energies', () => {
      const row = summarize({ frame: compareColumns(mix, comparedRange), intervalMs: hourMs });
      const demand = row('residual_demand_mw');
      const readFigures = (name: string, figureRow = demand) =>
        ['', ' · compared', ' · difference', ' · percent'].map(as => figureRow[name + as] ?? null);
      assert.deepEqual(readFigures('energy_mwh'), [1800, 1500, 300, 20]);
      assert.deepEqual(readFigures('mean'), [600, 500, 100, null]);
      const thermal = row('thermal_mw');
      assert.deepEqual(readFigures('min', thermal), [100, 50, null, null]);
      assert.deepEqual(readFigures('min_at', thermal), [start, comparedStart, null, null]);
      assert.deepEqual(readFigures('max_at', thermal), [start, comparedStart + 2 * hourMs, null, null]);
    });

    it('compares the series of the mix too, and subtracts the displayed shares', () => {
      const row = summarize({ frame: compareColumns(mix, comparedRange), intervalMs: hourMs });
      const total = row('=generation');
      // The total is total renewable generation divided by its share: 1,000 + 800 + 800 MWh.
      assert.deepEqual(
        [total['energy_mwh'], total['energy_mwh · compared'], total['energy_mwh · difference']],
        [2400, 2600, -200],
      );
      const wind = row('wind_mw');
      const [baseShare, comparedShare] = [wind['share_pct'], wind['share_pct · compared']] as [number, number];
      assert.deepEqual([baseShare, comparedShare], [12.5, (100 * 300) / 2600]);
      assert.ok(Math.abs((wind['share_pct · difference'] as number) - (baseShare - comparedShare)) < 1e-12);
    });

    it('compares the series of the mix by hour of the day', () => {
      const binning = { by: 'hourOfDay', timeZone: 'UTC', label: 'UTC', names: [] } as const;
      const span = { start, end: start + 3 * hourMs, intervalMs: hourMs };
      const frame = resampleFrame(compareColumns(mix, comparedRange), { ...binning, ...span });
      const total = summarize({ frame, intervalMs: undefined })('=generation');
      assert.deepEqual([total['energy_mwh'], total['energy_mwh · compared']], [2400, 2600]);
    });

    it('calculates differences over the hours that both periods have', () => {
      const frame = compareColumns({ ...mix, wind_mw: [100, null, 50] }, comparedRange);
      const wind = summarize({ frame, intervalMs: hourMs })('wind_mw');
      const figures = ['energy_mwh', 'energy_mwh · compared', 'energy_mwh · difference', 'energy_mwh · percent'];
      assert.deepEqual(
        figures.map(name => wind[name]),
        [150, 300, 0, 0],
      );
      assert.deepEqual([wind['energy_hours'], wind['energy_hours · compared']], [2, 3]);
    });
  });
});
