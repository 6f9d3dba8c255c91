import { along, clamp } from './curve.ts';
import type { Curve } from './curve.ts';
import type { Moment } from './moment.ts';
import { streams } from './noise.ts';
import type { Noise } from './noise.ts';

// MW of coal plant that can run. 2022–2024 fitted to the Eskom Data Portal's hours; before and after roughly by
// Eskom's published energy availability.
const coal: Curve = [
  [2018, 27_300],
  [2019.2, 25_600],
  [2020.2, 24_600],
  [2021, 24_000],
  [2022, 22_600],
  [2022.5, 22_300],
  [2022.75, 19_900],
  [2022.95, 17_400],
  [2023.1, 18_100],
  [2023.35, 19_100],
  [2023.6, 20_600],
  [2023.85, 20_000],
  [2024.05, 18_700],
  [2024.25, 20_300],
  [2024.5, 22_600],
  [2026, 22_900],
];

export function coalAvailable({ hour, year }: Moment, noise: Noise): number {
  return (
    along(coal, year) +
    650 * noise.smooth(streams.coalWeek, hour / 220) +
    430 * noise.smooth(streams.coalDay, hour / 30) +
    140 * noise.smooth(streams.coalHour, hour / 6)
  );
}

const unitMw = 920;
// Koeberg's long outages as widely reported; further refuelling stops are a rough pattern.
const nuclearOutages: readonly (readonly [unit: 0 | 1, from: number, to: number])[] = [
  [0, 2018.2, 2018.45],
  [1, 2018.7, 2018.9],
  [0, 2019.7, 2019.95],
  [1, 2020.05, 2020.3],
  [0, 2021.02, 2021.4],
  [1, 2022.05, 2022.6],
  [0, 2022.94, 2023.88],
  [1, 2023.94, 2024.99],
];
const daysPerTripDraw = 15;

/** Two units, each running flat out or standing: refuelling, and now and then a trip of hours to days. */
export function nuclearOutput(moment: Moment, noise: Noise): number {
  return unitOutput(0, moment, noise) + unitOutput(1, moment, noise);
}

function unitOutput(unit: 0 | 1, { hour, year, day }: Moment, noise: Noise): number {
  if (nuclearOutages.some(([stopped, from, to]) => stopped === unit && year >= from && year < to)) return 0;
  // From 2025 each unit refuels every 18 months for some 70 days, half a cycle apart.
  if (year >= 2025.2 && (year - 2025.2 + unit * 0.75) % 1.5 < 0.19) return 0;
  const draw = Math.floor(day / daysPerTripDraw) * 2 + unit;
  const luck = noise.uniform(streams.unitTrip, draw);
  if (luck < 0.06) {
    const hoursIn = hour + 2 - Math.floor(day / daysPerTripDraw) * daysPerTripDraw * 24;
    // Small luck: the unit trips later and stands longer, from 20 to 140 hours.
    if (hoursIn >= 100 * luck && hoursIn < 100 * luck + 20 + 2_000 * (0.06 - luck)) return 0;
  }
  return unitMw + 5 * noise.smooth(streams.unitOutput, hour / 50 + unit * 100_000);
}

/** Mostly the line from Cahora Bassa, which now and then runs on one pole. */
export function importsAt({ hour }: Moment, noise: Noise): number {
  const halfLine = noise.smooth(streams.importLine, hour / 90) > 1.35;
  return Math.max(0, 1_310 + 95 * noise.smooth(streams.imports, hour / 30) - (halfLine ? 620 : 0));
}

export function exportsAt({ hour, hourOfDay }: Moment, noise: Noise): number {
  return 1_290 - 85 * Math.cos((2 * Math.PI * (hourOfDay - 3)) / 24) + 115 * noise.smooth(streams.exports, hour / 60);
}

// By SAST hour, 1 at the evening peak.
const hydroPeaks = [
  0, 0, 0, 0, 0.02, 0.2, 0.5, 0.65, 0.4, 0.28, 0.16, 0.1, 0.08, 0.07, 0.07, 0.07, 0.11, 0.35, 0.95, 0.85, 0.35, 0.06, 0,
  0,
];

/** Two stations on the Orange River, 600 MW: round the clock in a wet summer, for the peaks otherwise. */
export function hydroAt({ hour, hourOfDay, winter }: Moment, noise: Noise): number {
  const river = clamp(0.6 * (1 - winter) - 0.24 + 0.42 * noise.smooth(streams.hydroSeason, hour / 1_000), 0, 0.85);
  const peaks = (hydroPeaks[hourOfDay] ?? 0) * clamp(0.7 + 0.3 * noise.smooth(streams.hydroDay, hour / 40), 0, 1);
  return 602 * clamp(river + peaks, 0, 1);
}

// Pumped storage by SAST hour, means of the Eskom Data Portal in MW: what is pumped at night runs at the peaks.
const pumpingByHour = [
  1875, 2006, 2001, 1976, 1445, 677, 353, 151, 72, 83, 92, 116, 134, 181, 177, 133, 122, 64, 24, 21, 90, 609, 1255,
  1755,
];
const pumpedByHour = [
  0, 0, 0, 0, 9, 425, 699, 539, 810, 731, 649, 544, 501, 403, 496, 693, 613, 867, 1338, 1340, 799, 156, 38, 2,
];

export function pumpingAt({ hour, hourOfDay }: Moment, noise: Noise): number {
  return (pumpingByHour[hourOfDay] ?? 0) * clamp(1 + 0.22 * noise.smooth(streams.pumping, hour / 15), 0, 1.4);
}

export function pumpedAt({ hour, hourOfDay }: Moment, noise: Noise): number {
  return (pumpedByHour[hourOfDay] ?? 0) * clamp(1 + 0.45 * noise.smooth(streams.pumped, hour / 9), 0, 2.1);
}
