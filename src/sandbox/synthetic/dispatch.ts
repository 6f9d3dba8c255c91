import { along, clamp, type Curve, type Moment, momentOf } from './moment.ts';
import { coalAvailable, exportsAt, gasAt, hydroAt, importsAt, nuclearOutput, pumpedAt, pumpingAt } from './fleet.ts';
import { hoursInto, type Noise, streams, type YearlyEvent } from './noise.ts';
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
    residualForecast: residual - along(miss, noise.persistent(streams.forecast, hour, 0.9)),
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

// Shape: mean contracted demand by SAST hour on the Eskom Data Portal, 2022-06 to 2024-03, in GW; two peaks, the evening
// one sharp in winter.
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

// Industry's summer break, by the part of the year.
const summerBreak: Curve = [
  [0, 0.89],
  [0.012, 0.91],
  [0.035, 0.985],
  [0.06, 1],
  [0.945, 1],
  [0.965, 0.96],
  [0.98, 0.905],
];

/** Demand before renewables, in MW, load that was shed included. */
function contractedDemand(moment: Moment, noise: Noise): number {
  const { hour, hourOfDay, dayKind, year, winter } = moment;
  const rest = dayKind !== 'work';
  // The tables are means of four months each, so their full difference is reached inside those months.
  const towardsWinter = clamp((winter - 0.15) / 0.7, -0.1, 1.1);
  const summerGw = (rest ? summerRest : summerWork)[hourOfDay] ?? 0;
  const winterGw = (rest ? winterRest : winterWork)[hourOfDay] ?? 0;
  const dayFactor = { work: 1, saturday: 1.012, sunday: 0.988 }[dayKind];
  const typical = 1000 * (summerGw + (winterGw - summerGw) * towardsWinter) * dayFactor;
  const weather =
    560 * noise.smooth(streams.demandWeather, hour / 96) +
    330 * noise.smooth(streams.demandDay, hour / 20) +
    130 * noise.smooth(streams.demandHour, hour / 2.5);
  return 0.992 * typical * along(summerBreak, year - Math.floor(year)) + weather;
}

// Residual demand less its forecast by the normal deviate of its share of the hours, in MW; the tails are heavy.
const miss: Curve = [
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
