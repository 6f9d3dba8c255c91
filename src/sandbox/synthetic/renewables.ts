import { along, clamp } from './curve.ts';
import type { Curve } from './curve.ts';
import type { Moment } from './moment.ts';
import { streams } from './noise.ts';
import type { Noise } from './noise.ts';
import { solarElevation } from './solar.ts';

/** Means over the hour, MW. */
export interface Renewables {
  readonly wind: number;
  readonly pv: number;
  readonly csp: number;
  readonly other: number;
}

// Installed MW under contract. 2022–2024 as on the Eskom Data Portal; before and after roughly by the bid windows of
// the independent power producers' programme.
const windInstalled: Curve = [
  [2018, 2080],
  [2020.5, 2200],
  [2021.5, 2800],
  [2022.45, 3163],
  [2022.7, 3443],
  [2025, 3443],
  [2026, 3900],
  [2030, 6000],
];
const pvInstalled: Curve = [
  [2018, 1474],
  [2020.5, 1474],
  [2021, 2000],
  [2022.5, 2212],
  [2023.6, 2287],
  [2024.5, 2287],
  [2026, 2950],
  [2030, 6000],
];
const cspInstalled: Curve = [
  [2018, 300],
  [2019.2, 500],
  [2024.6, 500],
  [2024.9, 600],
];
const otherInstalled = 50;

// Heat storage carries concentrated solar power into the evening. By SAST hour, 1 at its best.
const cspShape = [
  0.07, 0.05, 0.04, 0.04, 0.03, 0.05, 0.12, 0.22, 0.48, 0.7, 0.82, 0.85, 0.86, 0.86, 0.87, 0.89, 0.96, 1, 0.93, 0.85,
  0.8, 0.64, 0.11, 0.07,
];

export function renewablesAt(moment: Moment, noise: Noise): Renewables {
  const clearness = clamp(
    0.93 +
      0.09 * noise.smooth(streams.cloud, moment.hour / 30) -
      // More cloud in summer, the rainy season of the north.
      0.06 * (1 - moment.winter) +
      0.035 * noise.smooth(streams.cloudHour, moment.hour / 3),
    0.45,
    1,
  );
  return {
    wind: along(windInstalled, moment.year) * windFactor(moment, noise),
    pv: along(pvInstalled, moment.year) * pvFactor(moment) * clearness,
    csp: along(cspInstalled, moment.year) * cspFactor(moment) * clearness,
    other: otherInstalled * clamp(0.52 + 0.2 * noise.smooth(streams.otherRenewable, moment.hour / 200), 0.02, 0.95),
  };
}

/** Weather fronts of days, breezes of hours, and on summer afternoons the coast's sea wind. */
function windFactor({ hour, hourOfDay, winter }: Moment, noise: Noise): number {
  const weather =
    0.66 * noise.smooth(streams.windFront, hour / 40) +
    0.6 * noise.smooth(streams.windDay, hour / 13) +
    0.25 * noise.smooth(streams.windHour, hour / 5);
  const seaWind = (0.05 + 0.62 * (1 - winter)) * Math.cos((2 * Math.PI * (hourOfDay - 18.5)) / 24);
  return 1 / (1 + Math.exp(0.57 - 0.82 * weather - seaWind));
}

/** The exponent flattens the day as single-axis trackers do. */
function pvFactor(moment: Moment): number {
  const height = Math.sin(solarElevation(moment));
  return height <= 0 ? 0 : 0.86 * height ** 0.5 * clamp(height / 0.3, 0, 1);
}

function cspFactor({ hourOfDay, winter }: Moment): number {
  return 0.72 * (1 - 0.55 * winter) * (cspShape[hourOfDay] ?? 0);
}
