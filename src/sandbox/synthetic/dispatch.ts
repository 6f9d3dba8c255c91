import { clamp, momentOf } from './moment.ts';
import { contractedDemand, forecastMiss } from './demand.ts';
import { coalAvailable, exportsAt, gasAt, hydroAt, importsAt, nuclearOutput, pumpedAt, pumpingAt } from './fleet.ts';
import { hoursInto, type YearlyEvent, streams, type Noise } from './noise.ts';
import { renewablesAt } from './renewables.ts';

/** One hour of the made-up grid, MW, unrounded. Supply and demand meet: see `residualDemand`. */
export interface Dispatch {
  /** = thermal + nuclear + gas + ocgt + ippOcgt + hydro + pumped − pumping + imports + shed. Exports are part of it. */
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

// Open-cycle turbines burn diesel, so they come after coal in the merit order: they are started when coal's reserve falls
// below what the operator keeps, and take the more the shorter it gets; what nothing can cover is shed. Eskom's own come
// before the independent producers'. Limits as the highest hours on the Eskom Data Portal.
const ocgtMax = 2_060;
const ippOcgtMax = 1_005;
const reserveMw = -800;
const turbinesPerShortMw = 0.5;
const ocgtShare = 0.69;
/** Below this no turbine is started. */
const smallestStart = 70;
const stageMw = 950;
/** Nobody sheds load or burns diesel while coal plant could give more: it cannot be turned down further than this. */
const coalMin = 13_200;

/**
 * Once a year much is lost at once: the turbines are off, all start within an hour, and all stop again. These are the
 * steepest ramps of the portal's hours; no others come near.
 */
const fastStart: YearlyEvent = { stream: streams.turbineStart, firstDay: 60, days: 240, hourOfDay: 2, hours: 5 };
const fastStartMw = [0, 1_370, 1_395, 1_390, 0];

/** Everything of one hour; a function of the hour and the noise alone. */
export function dispatchAt(hour: number, noise: Noise): Dispatch {
  const known = beforeCoal(hour, noise);
  const shedFirst = clamp(plannedStage(hour, noise) * stageMw, 0, Math.max(0, known.need - coalMin));
  const wanted = known.need - shedFirst;
  const { ocgt, ippOcgt } = turbinesAt(known, Math.max(0, wanted - coalMin), noise);
  const thermal = Math.min(wanted - ocgt - ippOcgt, known.coal);
  const shed = shedFirst + (wanted - ocgt - ippOcgt - thermal);
  const { moment, residual, nuclear, gas, hydro, pumped, pumping, imports, renewables } = known;
  return {
    residualDemand: residual,
    residualForecast: residual - forecastMiss(moment, noise),
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
    exports: exportsAt(moment, noise),
    shed,
  };
}

function turbinesAt(
  { moment, need, coal }: ReturnType<typeof beforeCoal>,
  most: number,
  noise: Noise,
): Pick<Dispatch, 'ocgt' | 'ippOcgt'> {
  const into = hoursInto(fastStart, moment, noise);
  if (into !== undefined) return { ocgt: Math.min(most, fastStartMw[into] ?? 0), ippOcgt: 0 };
  const short = need - coal + reserveMw + 680 * noise.persistent(streams.turbines, moment.hour, 0.9);
  const called = Math.min(most, turbinesPerShortMw * short);
  if (called < smallestStart) return { ocgt: 0, ippOcgt: 0 };
  const ocgt = Math.min(ocgtMax, called * ocgtShare);
  return { ocgt, ippOcgt: Math.min(ippOcgtMax, called - ocgt) };
}

/** Demand, what runs in any case, and `need`: what is left to coal, turbines and load shedding. */
function beforeCoal(hour: number, noise: Noise) {
  const moment = momentOf(hour);
  const renewables = renewablesAt(moment, noise);
  const residual =
    contractedDemand(moment, noise) - renewables.wind - renewables.pv - renewables.csp - renewables.other;
  const nuclear = nuclearOutput(moment, noise);
  const gas = gasAt(moment, noise);
  const hydro = hydroAt(moment, noise);
  const pumped = pumpedAt(moment, noise);
  const pumping = pumpingAt(moment, noise);
  const imports = importsAt(moment, noise);
  const need = residual - nuclear - gas - hydro - pumped + pumping - imports;
  return {
    moment,
    residual,
    renewables,
    nuclear,
    gas,
    hydro,
    pumped,
    pumping,
    imports,
    need,
    coal: coalAvailable(moment, noise),
  };
}

// Load shedding is announced for parts of the day (SAST hours): each part takes the stage its typical hour needs, after
// what the turbines may burn.
const parts = [
  { from: 5, typical: 10, turbinesMw: 950 },
  { from: 16, typical: 19, turbinesMw: 1_750 },
  { from: 22, typical: 25, turbinesMw: 500 },
] as const;

/** 0…8. It holds over a part of the day, so an episode lasts from hours to many days. */
export function plannedStage(hour: number, noise: Noise): number {
  const local = hour + 2 - 5;
  const dayStart = Math.floor(local / 24) * 24 - 2;
  const hourOfDay = local - Math.floor(local / 24) * 24 + 5;
  const part = parts.findLast(({ from }) => hourOfDay >= from) ?? parts[0];
  const typical = beforeCoal(dayStart + part.typical, noise);
  const short = typical.need - typical.coal - part.turbinesMw;
  return clamp(Math.ceil(short / stageMw), 0, 8);
}
