import { along, clamp, type Curve, type Moment } from './moment.ts';
import { hoursInto, type YearlyEvent, streams, type Noise } from './noise.ts';

// MW of coal plant that can run, by the part of the year: planned maintenance is done in summer, when demand is low.
const coal: Curve = [
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

export function coalAvailable({ hour, year }: Moment, noise: Noise): number {
  return (
    along(coal, year - Math.floor(year)) +
    660 * noise.smooth(streams.coalWeek, hour / 150) +
    520 * noise.smooth(streams.coalDay, hour / 30) +
    140 * noise.smooth(streams.coalHour, hour / 6)
  );
}

// Koeberg in those two years: one of the two units stood nearly all the time (steam generators were replaced), both ran
// for some seven weeks of spring. Once a year the running unit trips, and once it is held at two thirds.
const unitMw = 920;
const ownUseMw = 35.3;
const bothRun: YearlyEvent = { stream: streams.bothUnits, firstDay: 255, days: 45, hourOfDay: 6, hours: 48 * 24 };
const trip: YearlyEvent = { stream: streams.unitTrip, firstDay: 30, days: 90, hourOfDay: 13, hours: 46 };
const reduced: YearlyEvent = { stream: streams.unitHalf, firstDay: 150, days: 60, hourOfDay: 8, hours: 150 };

/** The net output of the nuclear station: slightly negative while both units are off. */
export function nuclearOutput(moment: Moment, noise: Noise): number {
  if (hoursInto(trip, moment, noise) !== undefined) return -ownUseMw;
  if (hoursInto(reduced, moment, noise) !== undefined) return 626;
  const units = hoursInto(bothRun, moment, noise) === undefined ? 1 : 2;
  return units * Math.min(unitMw, unitMw - 8 + 8 * noise.smooth(streams.unitOutput, moment.hour / 50));
}

// MW over the line from Cahora Bassa and from the neighbours, by the normal deviate of its share of the hours: now and
// then the line runs on one of its poles. In September it stands for a weekend's maintenance.
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

export function importsAt(moment: Moment, noise: Noise): number {
  const into = hoursInto(importOutage, moment, noise);
  if (into !== undefined) return 27 + 1.5 * Math.abs(into - 18);
  return along(importsByDeviate, noise.persistent(streams.imports, moment.hour, 0.95));
}

// MW to the neighbours, likewise.
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

/** More by day than by night, and more in spring. */
export function exportsAt({ hour, hourOfDay, year }: Moment, noise: Noise): number {
  const day = -0.6 * Math.cos((2 * Math.PI * (hourOfDay - 3)) / 24);
  const season = 0.35 * Math.cos(2 * Math.PI * (year - 0.75));
  return along(exportsByDeviate, day + season + 0.87 * noise.persistent(streams.exports, hour, 0.88));
}

// The gas turbines at Acacia and Port Rex stand by for the network's sake: on the Eskom Data Portal they ran in some 30
// hours a year, mostly evenings, whether the open-cycle turbines were full or not.
const gasEvening = [148, 162, 155];
const gasLongest = [295, 328, 312, 154];

export function gasAt(moment: Moment, noise: Noise): number {
  const run = Math.floor((moment.hourOfYear / 24 - 2) / 36);
  if (moment.hourOfDay < 17 || run < 0 || run >= 10) return 0;
  const output = run === 5 ? gasLongest : gasEvening;
  const event = { stream: streams.gasRun, firstDay: 2 + run * 36, days: 34, hourOfDay: 17, hours: output.length };
  const into = hoursInto(event, moment, noise);
  return into === undefined ? 0 : (output[into] ?? 0);
}

// By SAST hour, 1 at the evening peak.
const hydroPeaks = [
  0, 0, 0, 0, 0.02, 0.2, 0.5, 0.65, 0.4, 0.28, 0.16, 0.1, 0.08, 0.07, 0.07, 0.07, 0.11, 0.35, 0.95, 0.85, 0.35, 0.06, 0,
  0,
];

/** Two stations on the Orange River, 600 MW: round the clock in a wet summer, for the peaks otherwise. */
export function hydroAt({ hour, hourOfDay, winter }: Moment, noise: Noise): number {
  const river = clamp(4.2 * (1 - winter) - 2.97 + 0.33 * noise.smooth(streams.hydroSeason, hour / 150), 0, 1);
  const peaks = (hydroPeaks[hourOfDay] ?? 0) * clamp(0.7 + 0.3 * noise.smooth(streams.hydroDay, hour / 40), 0, 1);
  return 606 * clamp(river + peaks, 0, 1);
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
