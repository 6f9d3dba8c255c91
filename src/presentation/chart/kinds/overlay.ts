import { t } from '@vscode/l10n';
import { findShareParts } from '../../../core/bins/binSums.ts';
import { timeFormatter } from '../../../core/time/timeFormatter.ts';
import { ZoneOffsets } from '../../../core/time/zoneOffsets.ts';
import { dayMs, hourMs, minuteMs, weekMs } from '../../../shared/durations.ts';
import { getCycleNames } from '../../../core/bins/cycleNames.ts';
import { say } from '../../translate.ts';
import type { Frame } from '../../../shared/frame.ts';
import { isShare, unitOf } from '../../../shared/units.ts';
import { columnChoice, type ChartChoice } from '../chartChoice.ts';
import { findNumberColumn } from '../../../core/frame/chartColumns.ts';
import type { ChartModel } from '../chartModel.ts';
import { namedLine, lineStyle, mainLine, unitText } from '../layers.ts';
import { spaced } from '../otherAxes.ts';
import { coloursOfColumns } from '../palette.ts';
import type { Drawing, DrawnPlot, Layer, OtherAxis } from '../plot.ts';
import { evenParts, evenTimeline, sharesOfPlaces, timelineOfColumn, valuesAlong } from '../timeline.ts';

/** The number of colours in a palette. */
const mostPeriods = 12;
/** A leap year, which has the dates of all years. */
const leapYear = Date.UTC(2000, 0);
const monday = Date.UTC(1970, 0, 5);

/** Wall times are represented as the UTC milliseconds at which a clock in UTC shows the same. */
const periods = {
  day: { length: dayMs, base: monday, startOf: (wall: number) => Math.floor(wall / dayMs) * dayMs, date: false },
  week: {
    length: weekMs,
    base: monday,
    startOf: (wall: number) => Math.floor((wall - monday) / weekMs) * weekMs + monday,
    date: true,
  },
  year: {
    length: 366 * dayMs,
    base: leapYear,
    startOf: (wall: number) => Date.UTC(new Date(wall).getUTCFullYear(), 0),
    date: true,
  },
};

type Period = keyof typeof periods;

export function overlayChoices(frame: Frame): readonly ChartChoice[] {
  const options = [
    { id: 'day', name: t('Days') },
    { id: 'week', name: t('Weeks') },
    { id: 'year', name: t('Years') },
  ];
  return [columnChoice(frame, 'overlay.column'), { id: 'overlay.period', name: t('Period'), options }];
}

/**
 * Draws one column over the clock of a day, a week or a year in the display zone: a line for each of the latest periods, and the mean of all of
 * them or, for a share with known parts, the share of their energies. Of a repeated hour, the first counts.
 */
export function overlay({ model, frame, options, timeline: received, chosen: [name, by] }: Drawing): DrawnPlot {
  const column = findNumberColumn(frame, name);
  const timeline = evenTimeline(column ? timelineOfColumn(column, received, model) : received);
  const id = by as Period;
  const period = periods[id];
  const zone = new ZoneOffsets(model.zone.timeZone);
  const step = Math.max(minuteMs, Math.min(timeline.step ?? hourMs, period.length));
  const count = Math.min(mostSteps, Math.ceil(period.length / step));
  // In zones with an offset of half an hour, rows start between full hours.
  const first = zone.wallAt(timeline.x[0] ?? 0);
  const phase = (first - period.startOf(first)) % step;
  const lines = new Map<number, Float64Array>();
  const values = column ? valuesAlong(timeline, column) : new Float64Array();
  const places = new Int32Array(values.length).fill(-1);
  for (let point = 0; point < values.length; point++) {
    const value = values[point] ?? NaN;
    if (Number.isNaN(value)) continue;
    const wall = zone.wallAt(timeline.x[point] ?? 0);
    const start = period.startOf(wall);
    let line = lines.get(start);
    if (!line) lines.set(start, (line = new Float64Array(count).fill(NaN)));
    const place = Math.floor(((id === 'year' ? inLeapYear(wall) : wall) - (id === 'year' ? leapYear : start)) / step);
    if (!Number.isNaN(line[place])) continue;
    line[place] = value;
    places[point] = place;
  }
  const all = [...lines].sort(([a], [b]) => a - b);
  const latest = all.slice(-mostPeriods);
  const nameOf = (start: number): string => `${column?.name ?? ''}:${new Date(start).toISOString().slice(0, 10)}`;
  const colourOf = coloursOfColumns(latest.map(([start]) => nameOf(start)));
  const write = timeFormatter(model.locale, 'UTC', { year: true });
  const labelOf = (start: number): string => (id === 'year' ? String(new Date(start).getUTCFullYear()) : write(start));
  const layerOf = (along: Float64Array, name: string, label: string, style: Layer['style']): Layer[] =>
    column ? [namedLine(name, label, column, along, options, 0, style)] : [];
  const parts = evenParts(received, column && findShareParts(frame, column));
  const mean = parts
    ? sharesOfPlaces(timeline, parts, places, count)
    : meanOf(
        all.map(([, line]) => line),
        count,
      );
  const isShareOfEnergies = column !== undefined && isShare(unitOf(column.field));
  const meanLabel = !parts
    ? t('Mean of {0}', all.length)
    : isShareOfEnergies
      ? t('Share of the energies of {0}', all.length)
      : t('From the energies of {0}', all.length);
  const layers = [
    // The mean is first in the legend, since the end of a long legend may be out of view.
    ...layerOf(mean, 'mean', meanLabel, mainLine),
    ...latest.flatMap(([start, line], index) =>
      layerOf(line, nameOf(start), labelOf(start), lineStyle(colourOf(nameOf(start)), index)),
    ),
  ];
  return {
    layers,
    axes: [{ unit: column ? unitText(column) : '', zero: false }],
    stepped: false,
    ...(all.length > latest.length && {
      caption: t('Showing the latest {0} of {1}; the mean includes all.', latest.length, all.length),
    }),
    along: {
      timeline: { x: Float64Array.from({ length: count }, (_, place) => place * step + phase), rows: undefined, step },
      domain: { start: 0, end: period.length },
      axis: clockAxis(id, model),
    },
  };
}

/** The minutes of a leap year, 366 x 1,440. */
const mostSteps = 527_040;

function inLeapYear(wall: number): number {
  const date = new Date(wall);
  return Date.UTC(2000, date.getUTCMonth(), date.getUTCDate()) + (wall - Math.floor(wall / dayMs) * dayMs);
}

/** Computes the mean of the known values at each position. */
function meanOf(lines: readonly Float64Array[], count: number): Float64Array {
  return Float64Array.from({ length: count }, (_, place) => {
    let sum = 0;
    let known = 0;
    for (const line of lines) {
      const value = line[place] ?? NaN;
      if (Number.isNaN(value)) continue;
      sum += value;
      known++;
    }
    return known > 0 ? sum / known : NaN;
  });
}

function clockAxis(id: Period, { locale, zone }: ChartModel): OtherAxis {
  const { base, date } = periods[id];
  const clock = (place: number): string => new Date(base + place).toISOString().slice(11, 16);
  const weekdays = getCycleNames('weekday', locale, say);
  const day = timeFormatter(locale, 'UTC', {});
  const dayOf = (place: number): string =>
    id === 'week' ? (weekdays[Math.min(6, Math.floor(place / dayMs))] ?? '') : day(base + place);
  const at = (place: number, time = clock(place)): string => `${date ? `${dayOf(place)} ` : ''}${time} ${zone.label}`;
  // The end of a day is "24:00" of that day, not "00:00" of a day that may not be displayed.
  const endAt = (place: number): string => (place > 0 && place % dayMs === 0 ? at(place - 1, '24:00') : at(place));
  const marks = {
    day: Array.from({ length: 25 }, (_, hour) => ({
      instant: hour * hourMs,
      label: hour === 24 ? '24:00' : clock(hour * hourMs),
    })),
    week: weekdays.map((label, place) => ({ instant: place * dayMs, label })),
    year: getCycleNames('monthOfYear', locale, say).map((label, month) => ({
      instant: Date.UTC(2000, month) - leapYear,
      label,
    })),
  }[id];
  return {
    ticks: (window, most) => spaced(marks, window, most),
    titles: [zone.label],
    label: zone.label,
    at,
    range: ({ start, end }) => t('{0} to {1}', at(start), endAt(end)),
    isWeek: id === 'week',
  };
}
