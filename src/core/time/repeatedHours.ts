import { dayMs, minuteMs } from '../../shared/durations.ts';
import { ZoneOffsets } from './zoneOffsets.ts';

/** Daylight saving never lasts less than this. */
const sampleEvery = 10 * dayMs;
/** Longer than a year: where clocks change at all, they do so within it. */
const sampledDays = 400 * dayMs;
/** Locales in which Intl has short names of zones ("CEST"), while others have "GMT+2". */
const namingLocales = ['en-GB', 'en-US', 'en-CA', 'en-AU'];

/** Tells apart the two hours with the same wall-clock time at the end of daylight saving. */
export class RepeatedHours {
  readonly #timeZone: string;
  readonly #offsets: ZoneOffsets;
  readonly #locale: string;
  /** Created on demand: most zones don't need them, and each takes about a millisecond. */
  #made: readonly Intl.DateTimeFormat[] | undefined;

  constructor(timeZone: string, locale: string) {
    this.#timeZone = timeZone;
    this.#locale = locale;
    this.#offsets = new ZoneOffsets(timeZone);
  }

  /** "CEST" or "UTC+2" for an instant whose wall-clock time is repeated; undefined for any other. */
  suffix(instant: number): string | undefined {
    if (this.#timeZone === 'UTC') return undefined;
    const twin = this.#offsets.instantsOf(instant + this.#offsets.at(instant)).find(other => other !== instant);
    return twin === undefined ? undefined : this.#nameOf(instant, twin);
  }

  /** The longest suffix between two instants; undefined where the clocks do not change. */
  longest(earliest: number, latest: number): string | undefined {
    if (this.#timeZone === 'UTC') return undefined;
    // Looks at the first and the last year, since a zone may introduce or abolish daylight saving.
    return (
      this.#longestWithin(earliest, Math.min(latest, earliest + sampledDays)) ??
      this.#longestWithin(Math.max(earliest, latest - sampledDays), latest)
    );
  }

  #longestWithin(earliest: number, latest: number): string | undefined {
    const first = this.#offsets.at(earliest);
    for (let instant = earliest; instant < latest + sampleEvery; instant += sampleEvery) {
      const other = Math.min(instant, latest);
      if (this.#offsets.at(other) === first) continue;
      const names = [this.#nameOf(earliest, other), this.#nameOf(other, earliest)];
      return names.sort((a, b) => b.length - a.length)[0];
    }
    return undefined;
  }

  /** The name of the zone at an instant, different from that at its twin. */
  #nameOf(instant: number, twin: number): string {
    for (const format of this.#formats()) {
      const name = zoneNameIn(format, instant);
      if (!/^(GMT|UTC)/.test(name) && name !== zoneNameIn(format, twin)) return name;
    }
    return offsetName(this.#offsets.at(instant));
  }

  #formats(): readonly Intl.DateTimeFormat[] {
    const timeZone = this.#timeZone;
    this.#made ??= [this.#locale, ...namingLocales].map(
      name => new Intl.DateTimeFormat(name, { timeZone, timeZoneName: 'short' }),
    );
    return this.#made;
  }
}

function zoneNameIn(format: Intl.DateTimeFormat, instant: number): string {
  return format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC';
}

/** "UTC+2", "UTC−3:30". */
function offsetName(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / minuteMs);
  const rest = minutes % 60 === 0 ? '' : `:${String(minutes % 60).padStart(2, '0')}`;
  return `UTC${offset < 0 ? '−' : '+'}${Math.floor(minutes / 60)}${rest}`;
}
