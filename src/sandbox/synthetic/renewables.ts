import { interpolate, clamp, type Curve, type LocalHour } from './localHour.ts';
import { streams, type Noise } from './noise.ts';

// The installed capacity in MW: its means on the Eskom Data Portal from 2022-06 to 2024-03.
const windInstalled = 3_436;
const pvInstalled = 2_254;
const cspInstalled = 500;
const otherInstalled = 50;

// The output of wind as a share of the installed capacity, by normal deviate.
const windByDeviate: Curve = [
  [-3.4, 0.0092],
  [-2.6, 0.0106],
  [-2.33, 0.056],
  [-2.05, 0.073],
  [-1.64, 0.105],
  [-1.28, 0.143],
  [-0.84, 0.206],
  [-0.52, 0.262],
  [0, 0.361],
  [0.52, 0.463],
  [0.84, 0.527],
  [1.28, 0.622],
  [1.64, 0.693],
  [2.05, 0.755],
  [2.58, 0.823],
  [3.09, 0.885],
  [3.6, 0.903],
];
/** The minimum share at night, when the coast and the escarpment always have some wind. All sites are calm only in late mornings. */
const nightFloor = 0.0283;

// The relative output of concentrated solar power by SAST hour. Heat storage extends it into the evening.
const cspShape = [
  0.07, 0.05, 0.04, 0.04, 0.03, 0.05, 0.12, 0.22, 0.48, 0.7, 0.82, 0.85, 0.86, 0.86, 0.87, 0.89, 0.96, 1, 0.93, 0.85,
  0.8, 0.64, 0.11, 0.07,
];

/** Computes the mean output over the hour in MW. */
export function computeRenewables(localHour: LocalHour, noise: Noise) {
  const clearness = clamp(
    0.93 +
      0.09 * noise.smooth(streams.cloud, localHour.hour / 30) -
      // There is more cloud in summer, the rainy season of the north.
      0.06 * (1 - localHour.winter) +
      0.035 * noise.smooth(streams.cloudHour, localHour.hour / 3),
    0.45,
    1,
  );
  return {
    wind: windInstalled * computeWindFactor(localHour, noise),
    pv: pvInstalled * computePvFactor(localHour) * clearness,
    csp: cspInstalled * 0.72 * (1 - 0.55 * localHour.winter) * (cspShape[localHour.hourOfDay] ?? 0) * clearness,
    other: otherInstalled * clamp(0.52 + 0.12 * noise.smooth(streams.otherRenewable, localHour.hour / 200), 0.1, 0.9),
  };
}

/** Computes the share of wind from persistent weather and, on summer afternoons, the sea wind of the coast. */
function computeWindFactor({ hour, hourOfDay, winter }: LocalHour, noise: Noise): number {
  const seaWind = (0.1 + 0.75 * (1 - winter)) * Math.cos((2 * Math.PI * (hourOfDay - 18.5)) / 24);
  const share = interpolate(windByDeviate, 0.93 * noise.persistent(streams.wind, hour, 0.95) + seaWind);
  return hourOfDay >= 8 && hourOfDay < 16 ? share : Math.max(share, nightFloor);
}

/** Computes the share of photovoltaics under a clear sky. The exponent flattens the day as single-axis trackers do. */
function computePvFactor(localHour: LocalHour): number {
  const height = Math.sin(computeSolarElevation(localHour));
  return height <= 0 ? 0 : 0.945 * height ** 0.55 * clamp(height / 0.3, 0, 1);
}

const radians = Math.PI / 180;
// A point between the solar plants of the Northern Cape. SAST is the mean solar time of 30° E.
const latitude = -29 * radians;
const longitude = 22.5;

/** Computes the sun's elevation at the middle of the hour, in radians. Uses Cooper's declination and Spencer's equation of time. */
export function computeSolarElevation({ hourOfDay, year }: LocalHour): number {
  const dayAngle = 2 * Math.PI * (year - Math.floor(year));
  const declination = 23.45 * radians * Math.sin(dayAngle + (2 * Math.PI * 284) / 365);
  const orbitAngle = dayAngle - (2 * Math.PI * 81) / 365;
  const equationOfTimeHours =
    (9.87 * Math.sin(2 * orbitAngle) - 7.53 * Math.cos(orbitAngle) - 1.5 * Math.sin(orbitAngle)) / 60;
  const solarHour = hourOfDay + 0.5 + (longitude - 30) / 15 + equationOfTimeHours;
  const hourAngle = 15 * (solarHour - 12) * radians;
  return Math.asin(
    Math.sin(latitude) * Math.sin(declination) + Math.cos(latitude) * Math.cos(declination) * Math.cos(hourAngle),
  );
}
