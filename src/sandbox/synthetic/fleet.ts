import { interpolate, clamp, type Curve, type LocalHour } from './localHour.ts';
import { getHoursSinceStart, type YearlyEvent, streams, type Noise } from './noise.ts';

// The available coal capacity in MW by the elapsed part of the year. Planned maintenance is in summer, when demand is low.
const coalByYear: Curve = [
  [0, 17_700],
  [0.1, 18_400],
  [0.2, 19_500],
  [0.3, 19_400],
  [0.4, 20_300],
  [0.48, 21_800],
  [0.62, 21_950],
  [0.7, 20_400],
  [0.85, 19_900],
  [0.93, 18_700],
  [1, 17_700],
];

export function computeCoalCapacity({ hour, year }: LocalHour, noise: Noise): number {
  return (
    interpolate(coalByYear, year - Math.floor(year)) +
    660 * noise.smooth(streams.coalWeek, hour / 150) +
    520 * noise.smooth(streams.coalDay, hour / 30) +
    140 * noise.smooth(streams.coalHour, hour / 6)
  );
}

// Koeberg from 2022-06 to 2024-03: one of its two units was out nearly all the time for new steam generators; both ran for
// some seven weeks of spring. Once a year the running unit trips, and once it runs at two thirds.
const unitMw = 920;
const houseLoadMw = 35.3;
const bothUnitsRun: YearlyEvent = { stream: streams.bothUnits, firstDay: 255, days: 45, hourOfDay: 6, hours: 48 * 24 };
const trip: YearlyEvent = { stream: streams.unitTrip, firstDay: 30, days: 90, hourOfDay: 13, hours: 46 };
const reducedOutput: YearlyEvent = { stream: streams.unitHalf, firstDay: 150, days: 60, hourOfDay: 8, hours: 150 };

/** Computes the net output of the nuclear station, which is slightly negative while both units are off. */
export function computeNuclear(localHour: LocalHour, noise: Noise): number {
  if (getHoursSinceStart(trip, localHour, noise) !== undefined) return -houseLoadMw;
  if (getHoursSinceStart(reducedOutput, localHour, noise) !== undefined) return 626;
  const units = getHoursSinceStart(bothUnitsRun, localHour, noise) === undefined ? 1 : 2;
  return units * Math.min(unitMw, unitMw - 8 + 8 * noise.smooth(streams.unitOutput, localHour.hour / 50));
}

// Imports in MW, from Cahora Bassa and the neighbors, by normal deviate. The line from Cahora Bassa sometimes runs on one
// of its poles. In September it is out for maintenance over a weekend.
const importsByDeviate: Curve = [
  [-2.58, 350],
  [-2.33, 500],
  [-2.05, 700],
  [-1.64, 770],
  [-1.28, 860],
  [-0.84, 1_113],
  [-0.52, 1_167],
  [0, 1_313],
  [0.52, 1_368],
  [0.84, 1_398],
  [1.28, 1_443],
  [1.64, 1_485],
  [2.05, 1_530],
  [2.58, 1_586],
  [3.09, 1_635],
  [3.6, 1_685],
];
const importOutage: YearlyEvent = { stream: streams.importOutage, firstDay: 247, days: 20, hourOfDay: 10, hours: 46 };

export function computeImports(localHour: LocalHour, noise: Noise): number {
  const hoursSinceStart = getHoursSinceStart(importOutage, localHour, noise);
  if (hoursSinceStart !== undefined) return 27 + 1.5 * Math.abs(hoursSinceStart - 18);
  return interpolate(importsByDeviate, noise.persistent(streams.imports, localHour.hour, 0.95));
}

// Exports to the neighbors in MW, by normal deviate.
const exportsByDeviate: Curve = [
  [-3.4, 770],
  [-2.33, 858],
  [-2.05, 1_005],
  [-1.64, 1_069],
  [-1.28, 1_116],
  [-0.52, 1_221],
  [0, 1_295],
  [0.52, 1_371],
  [1.28, 1_481],
  [1.64, 1_536],
  [2.33, 1_639],
  [2.9, 1_745],
  [3.4, 1_900],
];

/** Computes exports, which are higher by day and in spring. */
export function computeExports({ hour, hourOfDay, year }: LocalHour, noise: Noise): number {
  const day = -0.6 * Math.cos((2 * Math.PI * (hourOfDay - 3)) / 24);
  const season = 0.35 * Math.cos(2 * Math.PI * (year - 0.75));
  return interpolate(exportsByDeviate, day + season + 0.87 * noise.persistent(streams.exports, hour, 0.88));
}

// The gas turbines at Acacia and Port Rex support the network. On the Eskom Data Portal they ran in some 30 hours a year,
// mostly in the evening, independently of the open-cycle turbines.
const gasRunOutput = [148, 162, 155];
const longestGasRun = [295, 328, 312, 154];

export function computeGas(localHour: LocalHour, noise: Noise): number {
  const runIndex = Math.floor((localHour.hourOfYear / 24 - 2) / 36);
  if (localHour.hourOfDay < 17 || runIndex < 0 || runIndex >= 10) return 0;
  const output = runIndex === 5 ? longestGasRun : gasRunOutput;
  const event = { stream: streams.gasRun, firstDay: 2 + runIndex * 36, days: 34, hourOfDay: 17, hours: output.length };
  const hoursSinceStart = getHoursSinceStart(event, localHour, noise);
  return hoursSinceStart === undefined ? 0 : (output[hoursSinceStart] ?? 0);
}

// The relative output at the peaks by SAST hour.
const hydroByHour = [
  0, 0, 0, 0, 0.02, 0.2, 0.5, 0.65, 0.4, 0.28, 0.16, 0.1, 0.08, 0.07, 0.07, 0.07, 0.11, 0.35, 0.95, 0.85, 0.35, 0.06, 0,
  0,
];

/** Computes the output of the two stations on the Orange River, 600 MW. They run all day in a wet summer, otherwise at the peaks. */
export function computeHydro({ hour, hourOfDay, winter }: LocalHour, noise: Noise): number {
  const river = clamp(4.2 * (1 - winter) - 2.97 + 0.33 * noise.smooth(streams.hydroSeason, hour / 150), 0, 1);
  const peaks = (hydroByHour[hourOfDay] ?? 0) * clamp(0.7 + 0.3 * noise.smooth(streams.hydroDay, hour / 40), 0, 1);
  return 606 * clamp(river + peaks, 0, 1);
}

// Mean pumped storage in MW by SAST hour on the Eskom Data Portal. It pumps at night and generates at the peaks.
const pumpingByHour = [
  1875, 2006, 2001, 1976, 1445, 677, 353, 151, 72, 83, 92, 116, 134, 181, 177, 133, 122, 64, 24, 21, 90, 609, 1255,
  1755,
];
const pumpedByHour = [
  0, 0, 0, 0, 9, 425, 699, 539, 810, 731, 649, 544, 501, 403, 496, 693, 613, 867, 1338, 1340, 799, 156, 38, 2,
];

export function computePumping({ hour, hourOfDay }: LocalHour, noise: Noise): number {
  return (pumpingByHour[hourOfDay] ?? 0) * clamp(1 + 0.22 * noise.smooth(streams.pumping, hour / 15), 0, 1.4);
}

export function computePumped({ hour, hourOfDay }: LocalHour, noise: Noise): number {
  return (pumpedByHour[hourOfDay] ?? 0) * clamp(1 + 0.45 * noise.smooth(streams.pumped, hour / 9), 0, 2.1);
}
