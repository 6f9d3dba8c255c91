import type { Moment } from './moment.ts';

const radians = Math.PI / 180;
// Between the solar plants of the Northern Cape; SAST is the mean solar time of 30° E.
const latitude = -29 * radians;
const longitude = 22.5;

/** The sun's height over the horizon at the middle of the hour, in radians (declination and equation of time as in Cooper and Spencer). */
export function solarElevation({ hourOfDay, year }: Moment): number {
  const dayAngle = 2 * Math.PI * (year - Math.floor(year));
  const declination = 23.45 * radians * Math.sin(dayAngle + (2 * Math.PI * 284) / 365);
  const b = dayAngle - (2 * Math.PI * 81) / 365;
  const equationOfTimeHours = (9.87 * Math.sin(2 * b) - 7.53 * Math.cos(b) - 1.5 * Math.sin(b)) / 60;
  const solarHour = hourOfDay + 0.5 + (longitude - 30) / 15 + equationOfTimeHours;
  const hourAngle = 15 * (solarHour - 12) * radians;
  return Math.asin(
    Math.sin(latitude) * Math.sin(declination) + Math.cos(latitude) * Math.cos(declination) * Math.cos(hourAngle),
  );
}
