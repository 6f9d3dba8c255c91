import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { NumberColumn } from '../../../../src/shared/frame.ts';
import { getMixDerivedColumns } from '../../../../src/core/frame/mixColumns.ts';
import { createMix } from '../../../../src/presentation/chart/mix.ts';
import { findSharedFile } from '../../../support/sharedFiles.ts';
import { createFrame, numbers } from './chartWorld.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

type Cells = Readonly<Record<string, readonly (number | null)[]>>;

const sources = ['thermal_mw', 'nuclear_mw', 'eskom_gas_mw', 'eskom_ocgt_mw', 'hydro_water_mw'];
const hour: Cells = {
  thermal_mw: [18_000],
  nuclear_mw: [1_800],
  eskom_gas_mw: [0],
  eskom_ocgt_mw: [500.5],
  hydro_water_mw: [200],
  wind_mw: [1_000.25],
  pv_mw: [500],
  total_re_mw: [2_000.3],
  imports_mw: [1_000],
  exports_mw: [1_500],
  // The total is 24,000 MW, of which 1,498.95 MW are not published as a column.
  renewable_share_pct: [8.335],
  residual_demand_mw: [21_000.5],
};

const buildFrame = (cells: Cells) => createFrame(Object.entries(cells).map(([name, values]) => numbers(name, values)));
const listValues = (column: NumberColumn | undefined): (number | null)[] =>
  Array.from(column?.values ?? [], (value, row) => (column?.gaps?.[row] ? null : value));
const listParts = (cells: Cells, hidden: readonly string[] = []): [string, (number | null)[]][] =>
  createMix(buildFrame(cells), hidden).parts.map(part => [part.field?.label ?? part.name, listValues(part)]);
function omitColumns(...names: string[]): Cells {
  return Object.fromEntries(Object.entries(hour).filter(([name]) => !names.includes(name)));
}

describe('the generation mix', () => {
  it('sums to the total: published sources, unpublished remainder, other renewables and net import', () => {
    assert.deepEqual(listParts(hour), [
      ['Thermal', [18_000]],
      ['Nuclear', [1_800]],
      ['Gas', [0]],
      ['OCGT', [500.5]],
      ['Hydro', [200]],
      ['Not published', [1_498]],
      ['PV', [500]],
      ['Wind', [1_000.25]],
      ['Other renewables', [500.05]],
      ['Net import', [-500]],
    ]);
    const { totalLabel, caption } = createMix(buildFrame(hour), []);
    assert.equal(totalLabel, 'Total generation and net import');
    assert.match(
      caption,
      /^Not published \(hatched\) is total generation \(total renewable ÷ renewable share\) less the other sources\./,
    );
    assert.match(caption, /It is accurate to a few MW, since the share is rounded/);
    assert.match(caption, / Other renewables is total renewable less wind and PV: concentrated solar, /);
  });

  it('draws total demand over the mix, and residual demand when no renewable source is visible', () => {
    const frame = buildFrame(hour);
    const { demand, caption } = createMix(frame, []);
    assert.deepEqual([demand?.field?.label, listValues(demand)], ['Total demand', [23_000.8]]);
    assert.match(caption, /It includes shed load, so it may exceed generation\.$/);
    const hidden = createMix(frame, ['wind_mw', 'pv_mw', '=other_renewable']);
    assert.deepEqual([hidden.demand?.name, hidden.totalLabel], ['residual_demand_mw', 'Sum of the values shown']);
    assert.match(hidden.caption, /Residual demand is the demand left to sources that are not renewable\./);
    assert.equal(createMix(buildFrame(omitColumns('total_re_mw')), []).demand, undefined);
  });

  it('lists missing sources when the total is unknown', () => {
    for (const name of ['renewable_share_pct', 'total_re_mw', 'hydro_water_mw']) {
      const { parts, totalLabel, caption, unpublishedName } = createMix(buildFrame(omitColumns(name)), []);
      assert.deepEqual(
        [unpublishedName, parts.some(part => part.name === '=unpublished'), totalLabel],
        [undefined, false, 'Sum of the values shown'],
      );
      assert.match(caption, /^Only sources that are published individually; without pumped storage/);
    }
    for (const cells of [omitColumns('wind_mw'), { ...hour, pv_mw: [null] }]) {
      assert.ok(!listParts(cells).some(([label]) => label === 'Other renewables'));
      assert.equal(createMix(buildFrame(cells), []).totalLabel, 'Sum of the values shown');
    }
  });

  it('uses the published net import, else computes it, else shows imports', () => {
    assert.deepEqual(listParts({ ...hour, net_import_mw: [-499.5] }).at(-1), ['Net import', [-499.5]]);
    assert.deepEqual(listParts(omitColumns('exports_mw')).at(-1), ['Imports', [1_000]]);
    assert.equal(createMix(buildFrame(omitColumns('exports_mw')), []).totalLabel, 'Total generation and imports');
  });

  it('draws nothing for null or a zero share', () => {
    const cells = { ...hour, wind_mw: [null], renewable_share_pct: [0] };
    const parts = new Map(listParts({ ...cells, pv_mw: [500] }));
    // A column without any value is ignored.
    assert.deepEqual(
      [parts.has('Wind'), parts.has('Other renewables'), parts.get('Not published')],
      [false, false, [null]],
    );
  });

  it('derives every series that responses lack for the statistics, including totals', () => {
    const listDerived = (cells: Cells) =>
      getMixDerivedColumns(buildFrame(cells)).map(column => [column.field?.label, listValues(column)]);
    const parts = [
      ['Other renewables', [500.05]],
      ['Not published', [1_498]],
      ['Net import', [-500]],
      ['Total demand', [23_000.8]],
    ];
    assert.deepEqual(listDerived(hour), [
      ...parts,
      ['Total generation', [23_998.8]],
      ['Total generation and net import', [23_498.8]],
    ]);
    assert.deepEqual(listDerived({ ...hour, nuclear_mw: [null] }), [parts[0], parts[2], parts[3]]);
    assert.deepEqual(listDerived(omitColumns('exports_mw')).at(-1), ['Total generation and imports', [24_998.8]]);
    assert.deepEqual(listDerived({ wind_mw: [1], pv_mw: [2], total_re_mw: [4] }), []);
  });

  it('derives no series from means over different hours of a day', () => {
    const days = Object.entries(hour).map(([name, cells]): NumberColumn => {
      const hours = Float64Array.from([24, name === 'wind_mw' ? 23 : 24]);
      return { ...numbers(name, [...cells, ...cells]), hours };
    });
    for (const column of getMixDerivedColumns(createFrame(days))) {
      const needsWind = !['=unpublished', '=net_import', '=demand'].includes(column.name);
      assert.equal(listValues(column)[1] === null, needsWind, column.name);
      assert.deepEqual([column.hours?.[0], listValues(column)[0] === null], [24, false]);
    }
  });

  it('derives monthly means although one column lacks a few hours', () => {
    const month = Object.entries(hour).map(([name, cells]): NumberColumn => {
      const hours = Float64Array.from([name === 'wind_mw' ? 740 : 744, name === 'wind_mw' ? 700 : 744]);
      return { ...numbers(name, [...cells, ...cells]), hours };
    });
    const derived = getMixDerivedColumns(createFrame(month));
    const otherRenewables = derived.find(({ name }) => name === '=other_renewable') ?? assert.fail();
    assert.deepEqual(
      listValues(otherRenewables).map(value => value !== null),
      [true, false],
    );
    // Its energy covers only the hours for which every column has a value.
    assert.deepEqual([...(otherRenewables.hours ?? [])], [740, 700]);
  });

  it('has no remainder if a wrong reading makes the sources exceed the total', () => {
    const cells = Object.fromEntries(
      Object.entries(hour).map(([name, [value = null]]) => [name, [value, value, value]]),
    );
    const frame = buildFrame({ ...cells, thermal_mw: [18_000, 19_510, 21_000] });
    const mix = createMix(frame, []);
    const unpublished = mix.parts.find(({ name }) => name === mix.unpublishedName);
    // Idle storage still consumes some MW.
    assert.deepEqual(listValues(unpublished), [1_498, -12, null]);
    assert.deepEqual(listValues(mix.remainder), [1_498, -12, -1_502]);
    assert.deepEqual(listValues(getMixDerivedColumns(frame).find(({ name }) => name === '=generation')), [
      23_998.8,
      23_998.8,
      null,
    ]);
  });

  it('treats a remainder within rounding as zero', () => {
    // 2,000.3 ÷ 8.3 % is between 23,955 and 24,245 MW, so the remainder may be zero.
    const cells = { ...hour, renewable_share_pct: [8.9], thermal_mw: [17_950] };
    assert.deepEqual(new Map(listParts(cells)).get('Not published'), [0]);
  });
});

/** Computes the mix by plain sums, independently of the product. */
function computeExpected(row: Readonly<Record<string, number | null>>) {
  const get = (name: string): number | null => row[name] ?? null;
  const getAll = (...names: string[]): number[] | null => {
    const values = names.map(get);
    return values.includes(null) ? null : (values as number[]);
  };
  const renewables = getAll('total_re_mw', 'wind_mw', 'pv_mw');
  const demand = getAll('residual_demand_mw', 'total_re_mw');
  const generation = getAll('total_re_mw', 'renewable_share_pct', ...sources);
  const [renewable = 0, share = 0, ...otherSources] = generation ?? [];
  return {
    otherRenewables: renewables && (renewables[0] ?? 0) - (renewables[1] ?? 0) - (renewables[2] ?? 0),
    demand: demand && (demand[0] ?? 0) + (demand[1] ?? 0),
    unpublished:
      generation && share > 0 ? (renewable * 100) / share - renewable - otherSources.reduce((a, b) => a + b, 0) : null,
  };
}

function assertMatchesModel(rows: readonly Readonly<Record<string, number | null>>[]): void {
  const names = Object.keys(rows[0] ?? {});
  const frame = buildFrame(Object.fromEntries(names.map(name => [name, rows.map(row => row[name] ?? null)])));
  const { parts, demand: demandLine } = createMix(frame, []);
  const findValues = (name: string): (number | null)[] => listValues(parts.find(part => part.name === name));
  const otherRenewables = findValues('=other_renewable');
  const unpublished = findValues('=unpublished');
  const demand = listValues(demandLine);
  const hasRenewables = rows.some(row => row['wind_mw'] != null || row['pv_mw'] != null);
  rows.forEach((row, index) => {
    const expectedRow = computeExpected(row);
    const assertNear = (value: number | null | undefined, expected: number | null, tolerance: number): void => {
      if (value === undefined) return;
      if (expected === null || value === null) assert.equal(value, expected);
      else assert.ok(Math.abs(value - expected) <= tolerance, `${value} is not ${expected}`);
    };
    assertNear(otherRenewables[index], expectedRow.otherRenewables, 1e-6);
    assertNear(demand[index], hasRenewables ? expectedRow.demand : (row['residual_demand_mw'] ?? null), 1e-6);
    // The tolerance is half a MW of rounding plus the uncertainty of the rounded share.
    const tolerance = ((row['total_re_mw'] ?? 0) * 50) / 1000 / (row['renewable_share_pct'] ?? 1) ** 2;
    const remainder = unpublished[index] ?? null;
    assert.ok(remainder === null || remainder >= -100, `${remainder}`);
    const isContradicted =
      remainder === null && expectedRow.unpublished !== null && expectedRow.unpublished < -99.5 + tolerance;
    assertNear(unpublished[index], isContradicted ? null : expectedRow.unpublished, 0.5 + tolerance);
  });
}

describe('the generation mix compared with plain sums', () => {
  it('equals plain sums over any hours', () => {
    const reading = fc.option(
      fc.integer({ min: 0, max: 25_000_000 }).map(value => value / 1000),
      { nil: null, freq: 8 },
    );
    const share = fc.option(
      fc.integer({ min: 500, max: 60_000 }).map(value => value / 1000),
      { nil: null, freq: 8 },
    );
    const names = [...sources, 'wind_mw', 'pv_mw', 'total_re_mw', 'residual_demand_mw'];
    const row = fc.record({ ...Object.fromEntries(names.map(name => [name, reading])), renewable_share_pct: share });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 20 }), rows => assertMatchesModel(rows)),
      { numRuns: scaleRunCount(200) },
    );
  });

  it('attributes the remainder of real hours to pumped storage and independent turbines', function () {
    const file = findSharedFile('data', 'eskom-hourly-2022-06_2024-03.csv');
    if (!file) return this.skip();
    const [header = '', ...lines] = readFileSync(file, 'utf8').trim().split('\n');
    const titles = header.split(',');
    const rows = lines.map(text => {
      const cells = text.split(',');
      const getNumber = (title: string): number | null => {
        const cell = cells[titles.indexOf(title)] ?? '';
        return cell.trim() === '' ? null : Number(cell);
      };
      const published = {
        thermal_mw: getNumber('Thermal Generation'),
        nuclear_mw: getNumber('Nuclear Generation'),
        eskom_gas_mw: getNumber('Eskom Gas Generation'),
        eskom_ocgt_mw: getNumber('Eskom OCGT Generation'),
        hydro_water_mw: getNumber('Hydro Water Generation'),
        wind_mw: getNumber('Wind'),
        pv_mw: getNumber('PV'),
        total_re_mw: getNumber('Total RE'),
        residual_demand_mw: getNumber('Residual Demand'),
      };
      const hidden = [getNumber('Pumped Water Generation'), getNumber('Dispatchable IPP OCGT')];
      const allParts = [
        ...sources.map(name => published[name as keyof typeof published]),
        published.total_re_mw,
        ...hidden,
      ];
      const total = allParts.includes(null) ? null : (allParts as number[]).reduce((a, b) => a + b, 0);
      const share =
        total && published.total_re_mw !== null ? Math.round((published.total_re_mw / total) * 1e5) / 1e3 : null;
      return { published: { ...published, renewable_share_pct: share }, hidden };
    });
    assert.ok(rows.length > 15_000);
    assertMatchesModel(rows.map(({ published }) => published));
    const cells = Object.fromEntries(
      Object.keys(rows[0]?.published ?? {}).map(name => [
        name,
        rows.map(({ published }) => published[name as keyof typeof published]),
      ]),
    );
    const { parts } = createMix(buildFrame(cells), []);
    const unpublished = listValues(parts.find(({ name }) => name === '=unpublished'));
    rows.forEach(({ published, hidden: [pumped, turbines] }, index) => {
      const value = unpublished[index];
      if (value === null || value === undefined) return;
      const share = published.renewable_share_pct ?? 1;
      // The tolerance is half a MW of rounding plus the uncertainty of the share, twice if the remainder became zero.
      const tolerance = 0.5 + ((published.total_re_mw ?? 0) * 100) / 1000 / share ** 2;
      assert.ok(Math.abs(value - (pumped ?? 0) - (turbines ?? 0)) <= tolerance, `hour ${index}: ${value}`);
    });
  });
});
