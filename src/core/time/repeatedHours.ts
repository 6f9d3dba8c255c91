import { dayMs, minuteMs } from '../../shared/durations.ts';
import { ZoneOffsets } from './zoneOffsets.ts';

/** Daylight saving always lasts longer than this. */
const sampleInterval = 10 * dayMs;
/** Longer than a year, so that it includes every clock change of a zone that has any. */
const sampledLength = 400 * dayMs;
/** Locales in which Intl has short names of zones ("CEST"). Others only have "GMT+2". */
const localesWithZoneNames = ['en-GB', 'en-US', 'en-CA', 'en-AU'];

/** Finds suffixes that distinguish the two hours with the same wall-clock time at the end of daylight saving. */
export class RepeatedHours {
  readonly #timeZone: string;
  readonly #offsets: ZoneOffsets;
  readonly #locale: string;
  /** Created on demand, since most zones don't need them, and each takes about a millisecond. */
  #cachedFormats: readonly Intl.DateTimeFormat[] | undefined;

  constructor(timeZone: string, locale: string) {
    this.#timeZone = timeZone;
    this.#locale = locale;
    this.#offsets = new ZoneOffsets(timeZone);
  }

  /** Returns "CEST" or "UTC+2" for an instant whose wall-clock time is repeated, and undefined for any other instant. */
  suffix(instant: number): string | undefined {
    if (this.#timeZone === 'UTC') return undefined;
    const otherInstant = this.#offsets
      .findInstants(instant + this.#offsets.at(instant))
      .find(candidate => candidate !== instant);
    return otherInstant === undefined ? undefined : this.#getZoneName(instant, otherInstant);
  }

  /** Returns the longest suffix between two instants, or undefined if the clocks do not change. */
  longest(earliest: number, latest: number): string | undefined {
    if (this.#timeZone === 'UTC') return undefined;
    // Checks the first and the last year, since a zone may introduce or abolish daylight saving.
    return (
      this.#longestWithin(earliest, Math.min(latest, earliest + sampledLength)) ??
      this.#longestWithin(Math.max(earliest, latest - sampledLength), latest)
    );
  }

  #longestWithin(earliest: number, latest: number): string | undefined {
    const offset = this.#offsets.at(earliest);
    for (let instant = earliest; instant < latest + sampleInterval; instant += sampleInterval) {
      const sample = Math.min(instant, latest);
      if (this.#offsets.at(sample) === offset) continue;
      const names = [this.#getZoneName(earliest, sample), this.#getZoneName(sample, earliest)];
      return names.sort((a, b) => b.length - a.length)[0];
    }
    return undefined;
  }

  /** Returns a name of the zone at an instant that differs from its name at the other instant. */
  #getZoneName(instant: number, otherInstant: number): string {
    for (const format of this.#formats()) {
      const name = formatZoneName(format, instant);
      if (!/^(GMT|UTC)/.test(name) && name !== formatZoneName(format, otherInstant)) return name;
    }
    return formatOffset(this.#offsets.at(instant));
  }

  #formats(): readonly Intl.DateTimeFormat[] {
    const timeZone = this.#timeZone;
    this.#cachedFormats ??= [this.#locale, ...localesWithZoneNames].map(
      name => new Intl.DateTimeFormat(name, { timeZone, timeZoneName: 'short' }),
    );
    return this.#cachedFormats;
  }
}

function formatZoneName(format: Intl.DateTimeFormat, instant: number): string {
  return format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC';
}

/** Formats an offset as "UTC+2" or "UTC−3:30". */
function formatOffset(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / minuteMs);
  const minutesSuffix = minutes % 60 === 0 ? '' : `:${String(minutes % 60).padStart(2, '0')}`;
  return `UTC${offset < 0 ? '−' : '+'}${Math.floor(minutes / 60)}${minutesSuffix}`;
}
