import { gridStressFields, systemStateFields } from '../../../src/shared/fields.ts';
import type { FieldCatalogue } from '../../../src/shared/fields.ts';
import type { Frame, NumberColumn } from '../../../src/shared/frame.ts';
import { timeColumn } from './frames.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const start = Date.UTC(2026, 4, 1);

type Wave = (hour: number) => number | null;

const day = (hour: number, peak: number): number => Math.cos(((hour - peak) / 24) * 2 * Math.PI);
const noise = (hour: number, seed: number): number => Math.sin(hour * 1.7 + seed) * Math.cos(hour * 0.37 * seed);
const tenth = (value: number): number => Math.round(value * 10) / 10;

const sun = (hour: number): number => Math.max(0, day(hour, 10)) ** 1.3 * 4200;
const wind = (hour: number): number => 1800 + 900 * Math.sin(hour / 31) + 220 * noise(hour, 2);
const ocgt = (hour: number): number => Math.max(0, 900 * day(hour, 16.5) - 250 + 260 * noise(hour, 3));

/** Curves roughly like those of South Africa's grid. Residual demand has a run of nulls, and imports are negative at times. */
const system: Readonly<Record<string, Wave>> = {
  residual_demand_mw: hour => (hour >= 40 && hour < 46 ? null : 23_500 + 2600 * day(hour, 17) + 500 * noise(hour, 1)),
  residual_forecast_mw: hour => 23_600 + 2500 * day(hour, 17),
  thermal_mw: hour => 17_900 + 1500 * day(hour, 17) + 200 * noise(hour, 5),
  nuclear_mw: () => 1842,
  eskom_gas_mw: hour => 120 + 40 * noise(hour, 4),
  eskom_ocgt_mw: ocgt,
  hydro_water_mw: hour => 600 + 500 * Math.max(0, day(hour, 18)),
  wind_mw: wind,
  pv_mw: sun,
  imports_mw: hour => 700 + 900 * day(hour, 20),
  renewable_share_pct: hour => ((sun(hour) + wind(hour)) / 27_000) * 100,
  ocgt_ramp_mw: hour => ocgt(hour) - ocgt(hour - 1),
};

const stress: Readonly<Record<string, Wave>> = {
  value: hour => (hour >= 70 && hour < 74 ? null : 0.48 + 0.36 * day(hour, 17) + 0.14 * Math.sin(hour / 40)),
  'components.residual_demand': hour => 0.5 + 0.3 * day(hour, 17),
  'components.ocgt_ramp': hour => Math.abs(0.5 * noise(hour, 3)),
};

function createFrame(
  waves: Readonly<Record<string, Wave>>,
  fields: FieldCatalogue,
  hours: number[],
  round = tenth,
): Frame {
  const time = timeColumn(hours.length);
  const columns = Object.entries(waves).map(([name, wave]): NumberColumn => {
    const cells = hours.map(hour => wave(hour));
    const values = Float64Array.from(cells, cell => (cell === null ? 0 : round(cell)));
    const gaps = cells.includes(null) ? Uint8Array.from(cells, cell => (cell === null ? 1 : 0)) : undefined;
    const field = fields.get(name);
    return { kind: 'number', name, path: [name], values, ...(field && { field }), ...(gaps && { gaps }) };
  });
  return {
    rowCount: hours.length,
    columns: [{ ...time, values: Float64Array.from(hours, hour => start + hour * hourMs) }, ...columns],
  };
}

const hoursFrom = (from: number, count: number, each = 1): number[] =>
  Array.from({ length: count }, (_, index) => from + index * each);
const thousandth = (value: number): number => Math.round(value * 1000) / 1000;

/** Five columns of a million hours, computed from integers because that is fast. */
function million(): Frame {
  const rows = 1_000_000;
  const columns = [1, 2, 3, 4, 5].map((seed): NumberColumn => {
    const values = new Float64Array(rows);
    for (let row = 0; row < rows; row++) values[row] = ((row * 7919 * seed) % 1009) + 2000 * seed + (row % 8760) / 8;
    return { kind: 'number', name: `feeder_${seed}`, path: [`feeder_${seed}`], values };
  });
  return { rowCount: rows, columns: [timeColumn(rows, start - 100 * 365 * dayMs), ...columns] };
}

/** Frames by name. */
export const chartFrames = {
  /** A month of hours, two of which are incomplete. */
  month: () =>
    createFrame(
      { ...system, wind_mw: hour => (hour % 300 === 200 ? null : wind(hour)) },
      systemStateFields,
      hoursFrom(0, 744),
    ),
  /** A week of hours without the rows 100 to 106. */
  week: () => createFrame(system, systemStateFields, [...hoursFrom(0, 100), ...hoursFrom(107, 61)]),
  /** A complete generation mix: also 300 MW of other renewables, and up to 2,000 MW of unpublished generation in the evening. */
  whole: (): Frame => {
    const renewable: Wave = hour => tenth(sun(hour)) + tenth(wind(hour)) + 300;
    const hidden: Wave = hour => Math.max(0, 2_000 * day(hour, 18));
    const sources = ['thermal_mw', 'nuclear_mw', 'eskom_gas_mw', 'eskom_ocgt_mw', 'hydro_water_mw'];
    const total = (hour: number): number =>
      [...sources.map(name => system[name]), renewable, hidden].reduce((sum, wave) => sum + (wave?.(hour) ?? 0), 0);
    const share: Wave = hour => ((renewable(hour) ?? 0) / total(hour)) * 100;
    const waves = { ...system, total_re_mw: renewable, renewable_share_pct: share };
    return createFrame(waves, systemStateFields, hoursFrom(0, 168), thousandth);
  },
  /** The complete mix with a wrong share in three hours, in which total generation is below that of the published sources. */
  contradicted: (): Frame => {
    const wholeFrame = chartFrames.whole();
    const columns = wholeFrame.columns.map(column => {
      if (column.kind !== 'number' || column.name !== 'renewable_share_pct') return column;
      return { ...column, values: column.values.map((value, hour) => (hour >= 60 && hour < 63 ? value * 1.5 : value)) };
    });
    return { ...wholeFrame, columns };
  },
  /** More than eleven years. */
  decade: () => createFrame(system, systemStateFields, hoursFrom(0, 100_000)),
  year: () => createFrame(system, systemStateFields, hoursFrom(0, 8760)),
  /** A year of hours. From day 40 to 70 only every fifth day is present, and later two of three days lack the nights. */
  thin: () => {
    const isPresent = (hour: number): boolean => {
      const day = Math.floor(hour / 24);
      if (day < 40) return true;
      return day < 70 ? day % 5 === 0 : day % 3 === 0 || hour % 24 > 6;
    };
    return createFrame(system, systemStateFields, hoursFrom(0, 8760).filter(isPresent));
  },
  /** A week without wind values in one hour and in six others, and without PV in one of these. */
  incomplete: () =>
    createFrame(
      {
        ...system,
        wind_mw: hour => (hour === 50 || (hour >= 90 && hour < 96) ? null : wind(hour)),
        pv_mw: hour => (hour === 92 ? null : sun(hour)),
      },
      systemStateFields,
      hoursFrom(0, 168),
    ),
  stress: () => createFrame(stress, gridStressFields, hoursFrom(0, 168), thousandth),
  daily: () => createFrame(system, systemStateFields, hoursFrom(0, 60, 24)),
  /** Three days around the end of summer time in Berlin, 25 October 2026. */
  autumn: () => createFrame(system, systemStateFields, hoursFrom((Date.UTC(2026, 9, 24) - start) / hourMs, 72)),
  threeUnits: () => {
    const frame = createFrame(system, systemStateFields, hoursFrom(0, 48));
    const kilovolts = { label: 'Voltage', unit: { kind: 'none', text: 'kV' } as const, meaning: 'Voltage' };
    const columns = frame.columns.map(column =>
      column.name === 'imports_mw' ? { ...column, name: 'voltage_kv', field: kilovolts } : column,
    );
    return { ...frame, columns };
  },
  single: () => createFrame(system, systemStateFields, [5]),
  none: () => createFrame(system, systemStateFields, []),
  untimed: () => {
    const { rowCount, columns } = createFrame(system, systemStateFields, hoursFrom(0, 24));
    return { rowCount, columns: columns.slice(1) };
  },
  texts: () => ({ rowCount: 24, columns: [timeColumn(24)] }),
  million,
} as const;

export type ChartFrameName = keyof typeof chartFrames;

export function getIntervalMs(name: ChartFrameName): number {
  return name === 'daily' ? dayMs : hourMs;
}
