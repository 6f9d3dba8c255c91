import { t } from '@vscode/l10n';
import { ZoneOffsets } from '../../core/time/zoneOffsets.ts';
import { holidayOn } from '../../core/calendar/holidays.ts';
import { dayMs, hourMs, minuteMs } from '../../shared/durations.ts';
import { createBinFormatter } from '../../core/bins/binFormatter.ts';
import { timeFormatter } from '../../core/time/timeFormatter.ts';
import { createReceivedFormatter, formatRounded } from '../../shared/formatNumber.ts';
import { cachedFormatter } from '../columns/numberTexts.ts';
import type { TimeRange } from './chartModel.ts';
import { extremesOf } from './decimate.ts';
import { hasDays, hoursOfDay, type Layer, type Plot } from './plot.ts';
import { formatHour } from '../../core/bins/cycleNames.ts';
import { binsText } from '../columns/binNames.ts';
import { shortZone } from '../../core/time/zone.ts';
import { say } from '../translate.ts';

/** Formats the instants and values of one plot in its zone and locale. */
export class PlotWords {
  readonly locale: string;
  readonly zone: ZoneOffsets;
  /** "SAST", "UTC": the zone's name without its offset. */
  readonly zoneName: string;
  readonly #plot: Plot;
  readonly #writeTime: (instant: number) => string;
  readonly #formatter = cachedFormatter();

  constructor(plot: Plot, locale: string) {
    this.#plot = plot;
    this.locale = locale;
    this.zone = new ZoneOffsets(plot.zone.timeZone);
    this.zoneName = shortZone(plot.zone);
    const { x, step } = plot.timeline;
    const own = plot.moments ? extremesOf(plot.moments, 0, plot.moments.length) : ends(x);
    const years = [...own, ...ends(plot.comparedTimes?.filter(instant => !Number.isNaN(instant)))];
    const yearAt = (instant: number): number => new Date(this.zone.wallAt(instant)).getUTCFullYear();
    const parts = {
      year: new Set(years.map(yearAt)).size > 1,
      time: !plot.daily,
      seconds: step !== undefined && step % minuteMs !== 0,
    };
    this.#writeTime = plot.bins
      ? createBinFormatter(locale, plot.bins, parts)
      : timeFormatter(locale, plot.zone.timeZone, parts);
  }

  /** Formats an instant: "03 May 02:00 SAST". On another axis, formats the position. */
  time(instant: number): string {
    if (this.#plot.axis) return this.#plot.axis.at(instant);
    return `${this.#writeTime(instant)} ${this.zoneName}`;
  }

  /** Formats the time of a point, and of the compared point: "03 May 02:00 SAST (compared: 26 Apr 02:00)". A dot also has its position. */
  timeAt(point: number): string {
    const { timeline, comparedTimes, cells, moments } = this.#plot;
    const at = this.time(timeline.x[point] ?? 0);
    const place = moments ? `${this.#writeTime(moments[point] ?? NaN)} ${this.zoneName}, ${at}` : at;
    const cell = cells && formatHour(cells.row);
    const holiday = this.#holidayAt(timeline.x[point] ?? NaN);
    const time = [place, cell, holiday, this.#hoursAt(point)].filter(Boolean).join(', ');
    const compared = comparedTimes?.[point] ?? NaN;
    if (Number.isNaN(compared)) return time;
    return t('{0} (compared: {1})', time, this.#writeTime(compared));
  }

  /** Names the public holiday at an instant; empty for none, and if rows are longer than a day. */
  #holidayAt(instant: number): string {
    if (this.#plot.axis || !hasDays(this.#plot)) return '';
    return say(holidayOn(Math.floor(this.zone.wallAt(instant) / dayMs)) ?? '');
  }

  /** Formats how many hours a cell, or an incomplete point, has data for: "3 of 31 hours". */
  #hoursAt(point: number): string {
    const { cells, hours } = this.#plot;
    const counts = cells ? cells.hours : hours;
    const at = cells ? point * hoursOfDay + cells.row : point;
    const [known = NaN, all = NaN] = [counts?.known[at], counts?.all[at]];
    return counts && (cells || known < all) ? t('{0} of {1} hours', this.count(known), this.count(all)) : '';
  }

  range({ start, end }: TimeRange): string {
    if (this.#plot.axis) return this.#plot.axis.range({ start, end });
    return t('{0} to {1}', this.time(start), this.time(end));
  }

  /** Formats a range with year and full zone, for readers at a later date: "03 May 2026 02:00 to … SAST (UTC+2)". */
  dates({ start, end }: TimeRange): string {
    const { daily, zone, axis } = this.#plot;
    if (axis) return `${axis.range({ start, end })} ${axis.label}`;
    const write = timeFormatter(this.locale, zone.timeZone, { year: true, time: !daily });
    return `${t('{0} to {1}', write(start), write(end))} ${zone.label}`;
  }

  /** Formats a number without its unit, or "no value". */
  number(layer: Layer, value: number): string {
    if (Number.isNaN(value)) return t('no value');
    return this.rounded(value, layer.decimals);
  }

  /** Formats a number with its unit and meaning: "312 MW, up", "0.42, moderate". */
  value(layer: Layer, value: number): string {
    const number = this.number(layer, value);
    if (Number.isNaN(value)) return number;
    const withUnit = layer.unit ? `${number} ${layer.unit}` : number;
    const said = this.meaning(layer, value);
    return said ? t('{0}, {1}', withUnit, said) : withUnit;
  }

  /** Names the band of a value (the lowest if it is below all), or the direction of a change. */
  meaning(layer: Layer, value: number): string | undefined {
    if (Number.isNaN(value)) return undefined;
    const { bands } = this.#plot;
    if (bands.length > 0) return (bands.findLast(({ from }) => value >= from) ?? bands[0])?.name;
    if (!layer.isChange || value === 0) return undefined;
    return value > 0 ? t('up') : t('down');
  }

  /** The formatted limit: "28,000 MW". Undefined if there is none. */
  get limit(): string | undefined {
    const { limit, axes } = this.#plot;
    if (limit === undefined) return undefined;
    return [createReceivedFormatter(this.locale)(limit), axes[0]?.unit].filter(Boolean).join(' ');
  }

  /** Rounds like tables do: only zero is formatted as zero. */
  rounded(value: number, decimals: number): string {
    return formatRounded(value, decimals, shown => this.tick(shown, decimals));
  }

  /** Formats the number at a tick. */
  tick(value: number, decimals: number): string {
    return this.#formatter(this.locale, decimals)(value);
  }

  count(value: number): string {
    return this.tick(value, 0);
  }

  /** Lists the alternative titles of the horizontal axis, the longest first. All of them name the zone. */
  axisTitles(marksFreeDays = false): string[] {
    const titles = this.#zoneTitles();
    const mark = (title: string): string =>
      this.#plot.axis ? t('{0}; weekends marked', title) : t('{0}; weekends and holidays marked', title);
    const marked = titles.slice(0, 1).map(mark);
    return marksFreeDays ? [...marked, ...titles] : titles;
  }

  #zoneTitles(): string[] {
    const { daily, bins, axis, zone, timeline } = this.#plot;
    if (axis) return [...axis.titles];
    if (bins && bins.size !== 'day') return [binsText(bins), zone.label, this.zoneName];
    if (daily) return [t('Days of {0}', zone.label), this.zoneName];
    const title =
      timeline.step === hourMs && !timeline.endOf ? t('Hour beginning, {0}', zone.label) : t('Time, {0}', zone.label);
    return [title, zone.label, this.zoneName];
  }
}

function ends(instants: Float64Array | undefined): number[] {
  return [instants?.[0], instants?.at(-1)].filter(instant => instant !== undefined);
}
