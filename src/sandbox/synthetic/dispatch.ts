import { interpolate, clamp, type Curve, type LocalHour, toLocalHour } from './localHour.ts';
import {
  computeCoalCapacity,
  computeExports,
  computeGas,
  computeHydro,
  computeImports,
  computeNuclear,
  computePumped,
  computePumping,
} from './fleet.ts';
import { getHoursSinceStart, type Noise, streams, type YearlyEvent } from './noise.ts';
import { computeRenewables } from './renewables.ts';

/** One hour of the synthetic grid in MW, unrounded. Supply equals demand: see `residualDemand`. */
export interface Dispatch {
  /** Equals thermal + nuclear + gas + ocgt + ippOcgt + hydro + pumped − pumping + imports + shed. Includes exports. */
  readonly residualDemand: number;
  readonly residualForecast: number;
  readonly thermal: number;
  readonly nuclear: number;
  readonly gas: number;
  readonly ocgt: number;
  readonly ippOcgt: number;
  readonly hydro: number;
  readonly pumped: number;
  readonly pumping: number;
  readonly wind: number;
  readonly pv: number;
  readonly totalRenewable: number;
  readonly imports: number;
  readonly exports: number;
  readonly shed: number;
}

// Open-cycle turbines burn diesel, so they come after coal in the merit order. They start when the reserve of coal falls
// below the operator's minimum, and their output rises with the shortfall. Demand that remains uncovered is shed. Eskom's
// turbines start before those of independent producers. The limits are the highest hours on the Eskom Data Portal.
const maxOcgt = 2_060;
const maxIppOcgt = 1_005;
const reserveMw = -800;
const turbinesPerShortMw = 0.5;
const ocgtShare = 0.69;
/** The minimum output for which turbines are started. */
const minTurbineOutput = 70;
const stageMw = 950;
/** The minimum output of coal plant. Shedding and diesel never push coal below it. */
const minCoal = 13_200;

/**
 * Once a year a large loss of supply makes all turbines start within an hour; they stop together some hours later. These
 * are by far the steepest ramps in the portal's hours.
 */
const fastStart: YearlyEvent = { stream: streams.turbineStart, firstDay: 60, days: 240, hourOfDay: 2, hours: 5 };
const fastStartMw = [0, 1_370, 1_395, 1_390, 0];

/** Computes one hour from the hour and the noise alone. */
export function computeDispatch(hour: number, noise: Noise): Dispatch {
  const base = computeBaseDispatch(hour, noise);
  const plannedShed = clamp(computePlannedStage(hour, noise) * stageMw, 0, Math.max(0, base.need - minCoal));
  const remainingNeed = base.need - plannedShed;
  const { ocgt, ippOcgt } = computeTurbines(base, Math.max(0, remainingNeed - minCoal), noise);
  const thermal = Math.min(remainingNeed - ocgt - ippOcgt, base.coal);
  const shed = plannedShed + (remainingNeed - ocgt - ippOcgt - thermal);
  const { localHour, residual, nuclear, gas, hydro, pumped, pumping, imports, renewables } = base;
  return {
    residualDemand: residual,
    residualForecast: residual - interpolate(forecastErrors, noise.persistent(streams.forecast, hour, 0.9)),
    thermal,
    nuclear,
    gas,
    ocgt,
    ippOcgt,
    hydro,
    pumped,
    pumping,
    wind: renewables.wind,
    pv: renewables.pv,
    totalRenewable: renewables.wind + renewables.pv + renewables.csp + renewables.other,
    imports,
    exports: computeExports(localHour, noise),
    shed,
  };
}

function computeTurbines(
  { localHour, need, coal }: ReturnType<typeof computeBaseDispatch>,
  maxOutput: number,
  noise: Noise,
): Pick<Dispatch, 'ocgt' | 'ippOcgt'> {
  const hoursSinceStart = getHoursSinceStart(fastStart, localHour, noise);
  if (hoursSinceStart !== undefined)
    return { ocgt: Math.min(maxOutput, fastStartMw[hoursSinceStart] ?? 0), ippOcgt: 0 };
  const shortfall = need - coal + reserveMw + 680 * noise.persistent(streams.turbines, localHour.hour, 0.9);
  const output = Math.min(maxOutput, turbinesPerShortMw * shortfall);
  if (output < minTurbineOutput) return { ocgt: 0, ippOcgt: 0 };
  const ocgt = Math.min(maxOcgt, output * ocgtShare);
  return { ocgt, ippOcgt: Math.min(maxIppOcgt, output - ocgt) };
}

/** Computes demand, the plant that does not follow demand, and `need`: the rest, for coal, turbines and load shedding. */
function computeBaseDispatch(hour: number, noise: Noise) {
  const localHour = toLocalHour(hour);
  const renewables = computeRenewables(localHour, noise);
  const residual =
    computeContractedDemand(localHour, noise) - renewables.wind - renewables.pv - renewables.csp - renewables.other;
  const nuclear = computeNuclear(localHour, noise);
  const gas = computeGas(localHour, noise);
  const hydro = computeHydro(localHour, noise);
  const pumped = computePumped(localHour, noise);
  const pumping = computePumping(localHour, noise);
  const imports = computeImports(localHour, noise);
  const need = residual - nuclear - gas - hydro - pumped + pumping - imports;
  return {
    localHour,
    residual,
    renewables,
    nuclear,
    gas,
    hydro,
    pumped,
    pumping,
    imports,
    need,
    coal: computeCoalCapacity(localHour, noise),
  };
}

// Load shedding is announced for parts of the day (SAST hours). The stage of a part is the one that its typical hour needs
// after the turbines have run at `turbinesMw`.
const dayParts = [
  { from: 5, typical: 10, turbinesMw: 950 },
  { from: 16, typical: 19, turbinesMw: 1_750 },
  { from: 22, typical: 25, turbinesMw: 500 },
] as const;

/** Computes the stage, 0 to 8, which is constant over a part of the day. An episode lasts from hours to many days. */
export function computePlannedStage(hour: number, noise: Noise): number {
  const hoursSinceFive = hour + 2 - 5;
  const dayStart = Math.floor(hoursSinceFive / 24) * 24 - 2;
  const hourOfDay = hoursSinceFive - Math.floor(hoursSinceFive / 24) * 24 + 5;
  const part = dayParts.findLast(({ from }) => hourOfDay >= from) ?? dayParts[0];
  const typical = computeBaseDispatch(dayStart + part.typical, noise);
  const shortfall = typical.need - typical.coal - part.turbinesMw;
  return clamp(Math.ceil(shortfall / stageMw), 0, 8);
}

// Mean contracted demand in GW by SAST hour on the Eskom Data Portal, 2022-06 to 2024-03. There are two peaks; the evening
// peak is sharp in winter.
const winterWork = [
  21.8, 21.3, 21.2, 21.6, 23.1, 25.9, 27.6, 28.2, 28.9, 29.4, 29.0, 28.5, 28.1, 27.8, 27.9, 28.5, 29.5, 30.4, 31.9,
  31.3, 29.5, 27.1, 24.8, 23.1,
];
const winterRest = [
  21.8, 21.1, 20.8, 20.9, 21.3, 21.9, 23.3, 25.8, 27.7, 28.2, 27.9, 27.3, 26.9, 26.5, 26.2, 26.4, 27.2, 28.7, 30.3,
  29.3, 27.6, 25.5, 23.6, 22.1,
];
const summerWork = [
  22.1, 21.7, 21.6, 21.8, 22.9, 25.1, 26.0, 26.2, 27.1, 27.2, 27.3, 27.3, 27.2, 27.1, 27.3, 27.7, 28.0, 28.2, 28.5,
  29.1, 28.0, 25.9, 24.2, 23.0,
];
const summerRest = [
  22.0, 21.5, 21.3, 21.2, 21.6, 22.1, 23.2, 24.7, 25.9, 26.2, 26.1, 26.0, 25.9, 25.6, 25.4, 25.4, 25.7, 26.0, 26.6,
  27.3, 26.4, 24.7, 23.2, 22.1,
];

// The factor for industry's summer break, by the elapsed part of the year.
const summerBreak: Curve = [
  [0, 0.89],
  [0.012, 0.91],
  [0.035, 0.985],
  [0.06, 1],
  [0.945, 1],
  [0.965, 0.96],
  [0.98, 0.905],
];

/** Computes demand before renewables in MW, including shed load. */
function computeContractedDemand(localHour: LocalHour, noise: Noise): number {
  const { hour, hourOfDay, dayKind, year, winter } = localHour;
  const isRestDay = dayKind !== 'work';
  // The tables are means of four months each, so their full difference is reached inside those months.
  const towardsWinter = clamp((winter - 0.15) / 0.7, -0.1, 1.1);
  const summerGw = (isRestDay ? summerRest : summerWork)[hourOfDay] ?? 0;
  const winterGw = (isRestDay ? winterRest : winterWork)[hourOfDay] ?? 0;
  const dayFactor = { work: 1, saturday: 1.012, sunday: 0.988 }[dayKind];
  const typical = 1000 * (summerGw + (winterGw - summerGw) * towardsWinter) * dayFactor;
  const weather =
    560 * noise.smooth(streams.demandWeather, hour / 96) +
    330 * noise.smooth(streams.demandDay, hour / 20) +
    130 * noise.smooth(streams.demandHour, hour / 2.5);
  return 0.992 * typical * interpolate(summerBreak, year - Math.floor(year)) + weather;
}

// The forecast error (residual demand minus forecast) in MW by normal deviate. The tails are heavier than normal.
const forecastErrors: Curve = [
  [-3.4, -3_120],
  [-2.85, -2_760],
  [-2.58, -1_660],
  [-2.05, -1_240],
  [-1.64, -905],
  [-1.28, -655],
  [-0.84, -398],
  [-0.52, -230],
  [0, 26],
  [0.52, 257],
  [0.84, 402],
  [1.28, 623],
  [1.64, 825],
  [2.05, 1_095],
  [2.58, 1_605],
  [2.85, 2_220],
  [3.4, 2_520],
];
