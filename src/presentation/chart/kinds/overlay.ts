import { t } from '@vscode/l10n';
import { partsOf } from '../../../core/bins/binSums.ts';
import { timeFormatter } from '../../../core/time/timeFormatter.ts';
import { ZoneOffsets } from '../../../core/time/zoneOffsets.ts';
import { dayMs, hourMs, minuteMs, weekMs } from '../../../shared/durations.ts';
import { cycleNames } from '../../../core/bins/cycleNames.ts';
import { say } from '../../translate.ts';
import type { Frame } from '../../../shared/frame.ts';
import { isShare, unitOf } from '../../../shared/units.ts';
import { columnChoice, type ChartChoice } from '../chartChoice.ts';
import { numberColumn } from '../../../core/frame/chartColumns.ts';
import type { ChartModel } from '../chartModel.ts';
import { namedLine, lineStyle, mainLine, unitText } from '../layers.ts';
import { spaced } from '../otherAxes.ts';
import { coloursOfColumns } from '../palette.ts';
import type { Drawing, DrawnPlot, Layer, OtherAxis } from '../plot.ts';
import { evenParts, evenTimeline, sharesOfPlaces, timelineOfColumn, valuesAlong } from '../timeline.ts';

/** A palette has no more colours. */
const mostPeriods = 12;
/** Dates of all years have a place in a leap year. */
const leapYear = Date.UTC(2000, 0);
const monday = Date.UTC(1970, 0, 5);

/** Wall times are written as the UTC milliseconds at which clocks in UTC show the same. */
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
 * One column over the clock of a day, a week or a year: a line for each of the latest periods, and the mean of all of them, of a share that of their
 * energies where its part is known. By the clocks
 * of the zone shown; of an hour that these show twice, the first counts.
 */
export function overlay({ model, frame, options, timeline: received, chosen: [name, by] }: Drawing): DrawnPlot {
  const column = numberColumn(frame, name);
  const timeline = evenTimeline(column ? timelineOfColumn(column, received, model) : received);
  const id = by as Period;
  const period = periods[id];
  const zone = new ZoneOffsets(model.zone.timeZone);
  const step = Math.max(minuteMs, Math.min(timeline.step ?? hourMs, period.length));
  const count = Math.min(mostSteps, Math.ceil(period.length / step));
  // In zones half an hour off, hours begin between those of the clock.
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
  const parts = evenParts(received, column && partsOf(frame, column));
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
    // First in the legend, whose end may be out of sight.
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
      caption: t('The latest {0} of {1} are drawn; the mean is of all.', latest.length, all.length),
    }),
    along: {
      timeline: { x: Float64Array.from({ length: count }, (_, place) => place * step + phase), rows: undefined, step },
      domain: { start: 0, end: period.length },
      axis: clockAxis(id, model),
    },
  };
}

/** A year of minutes would be 366 x 1,440. */
const mostSteps = 527_040;

function inLeapYear(wall: number): number {
  const date = new Date(wall);
  return Date.UTC(2000, date.getUTCMonth(), date.getUTCDate()) + (wall - Math.floor(wall / dayMs) * dayMs);
}

/** Of the values that are there, place by place. */
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
  const weekdays = cycleNames('weekday', locale, say);
  const day = timeFormatter(locale, 'UTC', {});
  const dayOf = (place: number): string =>
    id === 'week' ? (weekdays[Math.min(6, Math.floor(place / dayMs))] ?? '') : day(base + place);
  const at = (place: number, time = clock(place)): string => `${date ? `${dayOf(place)} ` : ''}${time} ${zone.label}`;
  // The end of a day is its own, not the begin of one that may not be shown.
  const endAt = (place: number): string => (place > 0 && place % dayMs === 0 ? at(place - 1, '24:00') : at(place));
  const marks = {
    day: Array.from({ length: 25 }, (_, hour) => ({
      instant: hour * hourMs,
      label: hour === 24 ? '24:00' : clock(hour * hourMs),
    })),
    week: weekdays.map((label, place) => ({ instant: place * dayMs, label })),
    year: cycleNames('monthOfYear', locale, say).map((label, month) => ({
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
