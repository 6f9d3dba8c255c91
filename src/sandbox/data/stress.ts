import { type GridHour, type GridReading, round, sumOf } from './gridHour.ts';

const weights = { residual_demand: 0.35, ocgt_ramp: 0.15, reserve_margin: 0.35, renewable_shortfall: 0.15 } as const;

/** How the index is computed, in a sentence for people: the service does not publish its formula. */
export const stressNote =
  'The stress index is a formula of this sandbox, not of the service: 0.35 × residual demand + 0.15 × OCGT ramp + 0.35 × reserve margin + 0.15 × renewable shortfall, ' +
  'where residual demand = (residual_demand_mw − 18000) ÷ 14000, OCGT ramp = ocgt_ramp_mw ÷ 1500, reserve margin = load shed by hand in MW ÷ 5000 ' +
  'and renewable shortfall = 1 − renewable_share_pct ÷ 25, each held between 0 and 1.';

type Components = Readonly<Record<keyof typeof weights, GridReading>>;

/** A grid-stress record; `components` only where requested. All numbers are from 0 to 1. */
interface StressRecord {
  readonly ts: string;
  readonly value: GridReading;
  readonly version: 'v1';
  readonly components?: Components;
}

/**
 * The stress index of one hour. A component whose reading is null is null, and so is the index. That includes the ramp, which is null
 * where the hour before is missing (the specification does not mention it).
 */
export function stressOf(hour: GridHour, withComponents: boolean): StressRecord {
  const { record, shedMw } = hour;
  const components: Components = {
    residual_demand: scaled(record.residual_demand_mw, demand => (demand - 18_000) / 14_000),
    // A fall counts as 0.
    ocgt_ramp: scaled(record.ocgt_ramp_mw, ramp => ramp / 1_500),
    reserve_margin: scaled(shedMw, shed => shed / 5_000),
    renewable_shortfall: scaled(record.renewable_share_pct, share => 1 - share / 25),
  };
  return {
    ts: record.ts,
    value: weigh(components),
    version: 'v1',
    ...(withComponents && { components }),
  };
}

function weigh(components: Components): GridReading {
  const shares: number[] = [];
  for (const name of Object.keys(weights) as (keyof typeof weights)[]) {
    const component = components[name];
    if (component === null) return null;
    shares.push(component * weights[name]);
  }
  return clamp(sumOf(shares));
}

function scaled(reading: GridReading, scale: (reading: number) => number): GridReading {
  return reading === null ? null : clamp(scale(reading));
}

function clamp(value: number): number {
  return round(Math.min(1, Math.max(0, value)), 4);
}
