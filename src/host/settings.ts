import { getCsvDialect, findSpreadsheetLocale } from '../core/export/delimited.ts';
import { resolveQuery, type Query } from '../core/query/query.ts';
import { parseTariffs } from '../core/calendar/readTariffs.ts';
import { isSameZone, findZone, utc } from '../core/time/zone.ts';
import { hourMs } from '../shared/durations.ts';
import type { DisplayZone } from '../shared/protocol.ts';
import { settings } from './ids.ts';
import { csvDialects, exportProvenances, type ExportOptions } from '../shared/exportOptions.ts';
import type { Tariff } from '../shared/resampling.ts';
import { displayLocale } from './language.ts';

/** The values of settings by name, undefined if not set. */
export interface SettingsSource {
  /** Returns the effective value. */
  readonly get: (name: string) => unknown;
  /** Returns the user's own value, regardless of the workspace. */
  readonly getUserValue: (name: string) => unknown;
}

/** The source of all settings. It is module state like the language: there is one in a process. */
let source: SettingsSource = { get: () => undefined, getUserValue: () => undefined };

/** Sets the source of all settings. Without one, every setting has its default. */
export function useSettings(settingsSource: SettingsSource): void {
  source = settingsSource;
}

/**
 * Returns the time zone of new queries and of displayed times. For an unknown name, returns UTC, which the user notices because the zone
 * is always displayed.
 */
export function displayZone(): DisplayZone {
  const name = source.get(settings.timeZone);
  return findZone(typeof name === 'string' ? name : 'UTC') ?? utc;
}

/** Returns the zones that a panel offers: UTC, SAST and the zone of the setting, under its configured name. The webview adds the system's zone. */
export function offeredZones(): readonly DisplayZone[] {
  const configured = displayZone();
  const zones = ['UTC', 'SAST'].flatMap(name => findZone(name) ?? []);
  const offered = zones.map(zone => (isSameZone(zone, configured) ? configured : zone));
  return offered.includes(configured) ? offered : [...offered, configured];
}

/** Returns the zone with this IANA id, under the name that panels show; undefined for an unknown id. */
export function findOfferedZone(timeZone: string): DisplayZone | undefined {
  return offeredZones().find(zone => zone.timeZone === timeZone) ?? findZone(timeZone);
}

/** Returns the zone of a query's days, under the name that panels show. */
export function getQueryZone({ timeZone }: Pick<Query, 'timeZone'>): DisplayZone {
  return findOfferedZone(timeZone) ?? utc;
}

/**
 * Returns the zone of a query's days if its range covers other hours in `comparedZone`, which is by default the zone of the
 * setting. Otherwise returns undefined. `now` is in UTC milliseconds.
 */
export function findDifferingZone(query: Query, now: number, comparedZone = displayZone()): DisplayZone | undefined {
  if (query.timeZone === comparedZone.timeZone) return undefined;
  const inQueryZone = resolveQuery(query, now);
  const inComparedZone = resolveQuery({ ...query, timeZone: comparedZone.timeZone }, now);
  const isSame =
    inQueryZone.ok &&
    inComparedZone.ok &&
    inQueryZone.value.start === inComparedZone.value.start &&
    inQueryZone.value.end === inComparedZone.value.end;
  return isSame ? undefined : getQueryZone(query);
}

/** Returns the zone name in the setting if it is unknown; otherwise undefined. */
export function getUnknownZone(): string | undefined {
  const name = source.get(settings.timeZone);
  return typeof name === 'string' && findZone(name) ? undefined : String(name);
}

/** Returns the archive settings: milliseconds after which an hour is final, and the maximum size in bytes. */
export function archiveSettings(): { readonly settledAfterMs: number; readonly maxBytes: number } {
  return {
    settledAfterMs: getUserNumber(settings.settledAfterHours, 48) * hourMs,
    maxBytes: getUserNumber(settings.archiveMaxSizeMB, 500) * 1_000_000,
  };
}

/** Returns how many requests agents may send in an hour, for each service and rate limit. */
export function maxAgentRequestsPerHour(): number {
  return Math.floor(getUserNumber(settings.maxAgentRequestsPerHour, 5));
}

/** Returns the user's value of a setting. Workspace settings are ignored: they must not decide what this machine stores or sends. */
function getUserNumber(name: string, defaultValue: number): number {
  const value = source.getUserValue(name);
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : defaultValue;
}

/** Returns the minimum share of hours with data that a resampled row needs, from 0 to 1. */
export function minCoverage(): number {
  const percent = source.get(settings.minCoverage);
  return typeof percent === 'number' && percent >= 0 && percent <= 100 ? percent / 100 : 0.75;
}

/** Returns the tariff periods of the setting, or the location of the first invalid one. Without custom tariffs, Eskom's tariffs apply. */
export function customTariffs(): { readonly tariffs?: readonly Tariff[]; readonly invalidAt?: string } {
  const value = source.get(settings.tariffPeriods);
  const parsed = parseTariffs(value ?? []);
  return 'tariffs' in parsed && parsed.tariffs.length === 0 ? {} : parsed;
}

/** The settings of exports. */
export interface ExportSettings extends Pick<ExportOptions, 'dialect' | 'heading' | 'provenance'> {
  /** Whether times are written in UTC, regardless of the displayed zone. */
  readonly isUtc: boolean;
  /** Whether a column with the end of each interval is added. */
  readonly withEnds: boolean;
  /** The locale that the dialect follows; undefined if the user chose the dialect. */
  readonly dialectLocale: string | undefined;
}

export function exportSettings(): ExportSettings {
  const findOption = <T>(names: readonly T[], name: string): T | undefined =>
    names.find(option => option === source.get(name));
  const dialect = findOption(csvDialects, settings.csvDialect);
  const locale = findSpreadsheetLocale(displayLocale(), process.env);
  return {
    dialect: dialect ?? getCsvDialect(locale),
    dialectLocale: dialect ? undefined : locale,
    heading: source.get(settings.exportUnits) === true ? 'units' : 'names',
    provenance: findOption(exportProvenances, settings.exportProvenance) ?? 'none',
    isUtc: source.get(settings.exportTimes) === 'utc',
    withEnds: source.get(settings.exportIntervalEnd) === true,
  };
}
