import { t } from '@vscode/l10n';
import { ZoneOffsets } from '../../core/time/zoneOffsets.ts';
import { findHoliday } from '../../core/calendar/holidays.ts';
import { dayMs, hourMs, minuteMs } from '../../shared/durations.ts';
import { createBinFormatter } from '../../core/bins/binFormatter.ts';
import { createTimeFormatter } from '../../core/time/timeFormatter.ts';
import { createReceivedFormatter, formatRounded } from '../../shared/formatNumber.ts';
import { createCachedFormatter } from '../columns/numberColumnFormat.ts';
import type { TimeWindow } from './chartModel.ts';
import { findExtremes } from './decimate.ts';
import { hasDailyOrShorterRows, hoursOfDay, type Layer, type Plot } from './plot.ts';
import { formatHour } from '../../core/bins/cycleNames.ts';
import { describeBins } from '../columns/binNames.ts';
import { formatShortZone } from '../../core/time/zone.ts';
import { translate } from '../translate.ts';

/** Formats the instants and values of one plot in its zone and locale. */
export class PlotFormatter {
  readonly locale: string;
  readonly zone: ZoneOffsets;
  /** "SAST", "UTC": the zone's name without its offset. */
  readonly zoneName: string;
  readonly #plot: Plot;
  readonly #formatInstant: (instant: number) => string;
  readonly #createNumberFormatter = createCachedFormatter();

  constructor(plot: Plot, locale: string) {
    this.#plot = plot;
    this.locale = locale;
    this.zone = new ZoneOffsets(plot.zone.timeZone);
    this.zoneName = formatShortZone(plot.zone);
    const { x, intervalMs } = plot.timeline;
    const instants = plot.instants ? findExtremes(plot.instants, 0, plot.instants.length) : getEnds(x);
    const years = [...instants, ...getEnds(plot.comparedTimes?.filter(instant => !Number.isNaN(instant)))];
    const yearAt = (instant: number): number => new Date(this.zone.getLocalTime(instant)).getUTCFullYear();
    const parts = {
      year: new Set(years.map(yearAt)).size > 1,
      time: !plot.isDaily,
      seconds: intervalMs !== undefined && intervalMs % minuteMs !== 0,
    };
    this.#formatInstant = plot.bins
      ? createBinFormatter(locale, plot.bins, parts)
      : createTimeFormatter(locale, plot.zone.timeZone, parts);
  }

  /** Formats an instant: "03 May 02:00 SAST". On another axis, formats the position. */
  formatTime(instant: number): string {
    if (this.#plot.axis) return this.#plot.axis.format(instant);
    return `${this.#formatInstant(instant)} ${this.zoneName}`;
  }

  /** Formats the time of a point and of the point it is compared with: "03 May 02:00 SAST (compared: 26 Apr 02:00)". A dot also has its position. */
  formatPointTime(point: number): string {
    const { timeline, comparedTimes, cells, instants } = this.#plot;
    const axisPosition = this.formatTime(timeline.x[point] ?? 0);
    const position = instants
      ? `${this.#formatInstant(instants[point] ?? NaN)} ${this.zoneName}, ${axisPosition}`
      : axisPosition;
    const cell = cells && formatHour(cells.row);
    const holiday = this.#findHoliday(timeline.x[point] ?? NaN);
    const time = [position, cell, holiday, this.#formatHours(point)].filter(Boolean).join(', ');
    const compared = comparedTimes?.[point] ?? NaN;
    if (Number.isNaN(compared)) return time;
    return t('{0} (compared: {1})', time, this.#formatInstant(compared));
  }

  /** Names the public holiday at an instant; empty if there is none, and if rows are longer than a day. */
  #findHoliday(instant: number): string {
    if (this.#plot.axis || !hasDailyOrShorterRows(this.#plot)) return '';
    return translate(findHoliday(Math.floor(this.zone.getLocalTime(instant) / dayMs)) ?? '');
  }

  /** Formats how many hours a cell, or an incomplete point, has data for: "3 of 31 hours". */
  #formatHours(point: number): string {
    const { cells, hours } = this.#plot;
    const counts = cells ? cells.hours : hours;
    const index = cells ? point * hoursOfDay + cells.row : point;
    const known = counts?.known[index] ?? NaN;
    const total = counts?.total[index] ?? NaN;
    return counts && (cells || known < total)
      ? t('{0} of {1} hours', this.formatCount(known), this.formatCount(total))
      : '';
  }

  formatRange({ start, end }: TimeWindow): string {
    if (this.#plot.axis) return this.#plot.axis.formatRange({ start, end });
    return t('{0} to {1}', this.formatTime(start), this.formatTime(end));
  }

  /** Formats a range with year and full zone, for readers at a later date: "03 May 2026 02:00 to … SAST (UTC+2)". */
  formatDates({ start, end }: TimeWindow): string {
    const { isDaily, zone, axis } = this.#plot;
    if (axis) return `${axis.formatRange({ start, end })} ${axis.label}`;
    const formatInstant = createTimeFormatter(this.locale, zone.timeZone, { year: true, time: !isDaily });
    return `${t('{0} to {1}', formatInstant(start), formatInstant(end))} ${zone.label}`;
  }

  /** Formats a number without its unit, or "no value". */
  formatNumber(layer: Layer, value: number): string {
    if (Number.isNaN(value)) return t('no value');
    return this.formatRounded(value, layer.decimals);
  }

  /** Formats a number with its unit and meaning: "312 MW, up", "0.42, moderate". */
  formatValue(layer: Layer, value: number): string {
    const number = this.formatNumber(layer, value);
    if (Number.isNaN(value)) return number;
    const withUnit = layer.unit ? `${number} ${layer.unit}` : number;
    const meaning = this.describeMeaning(layer, value);
    return meaning ? t('{0}, {1}', withUnit, meaning) : withUnit;
  }

  /** Names the band of a value (the lowest if it is below all), or the direction of a change. */
  describeMeaning(layer: Layer, value: number): string | undefined {
    if (Number.isNaN(value)) return undefined;
    const { bands } = this.#plot;
    if (bands.length > 0) return (bands.findLast(({ from }) => value >= from) ?? bands[0])?.name;
    if (!layer.isChange || value === 0) return undefined;
    return value > 0 ? t('up') : t('down');
  }

  /** The formatted limit: "28,000 MW". Undefined if there is none. */
  get formattedLimit(): string | undefined {
    const { limit, axes } = this.#plot;
    if (limit === undefined) return undefined;
    return [createReceivedFormatter(this.locale)(limit), axes[0]?.unit].filter(Boolean).join(' ');
  }

  /** Rounds as tables do, so that only zero is formatted as zero. */
  formatRounded(value: number, decimals: number): string {
    return formatRounded(value, decimals, rounded => this.formatTick(rounded, decimals));
  }

  /** Formats the number at a tick. */
  formatTick(value: number, decimals: number): string {
    return this.#createNumberFormatter(this.locale, decimals)(value);
  }

  formatCount(value: number): string {
    return this.formatTick(value, 0);
  }

  /** Lists the alternative titles of the horizontal axis, the longest first. All of them name the zone. */
  listAxisTitles(marksFreeDays = false): string[] {
    const titles = this.#listZoneTitles();
    const addMark = (title: string): string =>
      this.#plot.axis ? t('{0}; weekends marked', title) : t('{0}; weekends and holidays marked', title);
    const marked = titles.slice(0, 1).map(addMark);
    return marksFreeDays ? [...marked, ...titles] : titles;
  }

  #listZoneTitles(): string[] {
    const { isDaily, bins, axis, zone, timeline } = this.#plot;
    if (axis) return [...axis.titles];
    if (bins && bins.size !== 'day') return [describeBins(bins), zone.label, this.zoneName];
    if (isDaily) return [t('Days of {0}', zone.label), this.zoneName];
    const title =
      timeline.intervalMs === hourMs && !timeline.endOf
        ? t('Hour beginning, {0}', zone.label)
        : t('Time, {0}', zone.label);
    return [title, zone.label, this.zoneName];
  }
}

function getEnds(instants: Float64Array | undefined): number[] {
  return [instants?.[0], instants?.at(-1)].filter(instant => instant !== undefined);
}
