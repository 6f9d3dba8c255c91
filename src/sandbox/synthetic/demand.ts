import { along, clamp, type Curve, type Moment } from './moment.ts';
import { streams, type Noise } from './noise.ts';

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
export function contractedDemand(moment: Moment, noise: Noise): number {
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

/** By how much demand comes out over the day-ahead forecast, in MW. */
export function forecastMiss({ hour }: Moment, noise: Noise): number {
  return along(miss, noise.persistent(streams.forecast, hour, 0.9));
}
