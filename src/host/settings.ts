import * as vscode from 'vscode';
import { dialectFor, spreadsheetLocale } from '../core/export/delimited.ts';
import { resolveQuery, type Query } from '../core/query/query.ts';
import { readTariffs } from '../core/calendar/readTariffs.ts';
import { sameZone, zoneNamed, utc } from '../core/time/zone.ts';
import { hourMs } from '../shared/durations.ts';
import type { DisplayZone } from '../shared/protocol.ts';
import { settings } from './ids.ts';
import { csvDialects, exportProvenances, type ExportOptions } from '../shared/exportOptions.ts';
import type { Tariff } from '../shared/resampling.ts';
import { displayLocale } from './language.ts';

/** The zone of new queries, and of times beside queries; UTC for an unknown name, which the person sees since the zone is always shown. */
export function displayZone(): DisplayZone {
  const name = vscode.workspace.getConfiguration().get<unknown>(settings.timeZone);
  return zoneNamed(typeof name === 'string' ? name : 'UTC') ?? utc;
}

/** The zones to choose from in a panel: the one of the setting by its name there, UTC and SAST. The page adds the person's own. */
export function offeredZones(): readonly DisplayZone[] {
  const own = displayZone();
  const zones = ['UTC', 'SAST'].flatMap(name => zoneNamed(name) ?? []);
  const offered = zones.map(zone => (sameZone(zone, own) ? own : zone));
  return offered.includes(own) ? offered : [...offered, own];
}

/** The zone of an id that a page gives, by the name that it is offered under; undefined for none. */
export function zoneOfPage(timeZone: string): DisplayZone | undefined {
  return offeredZones().find(zone => zone.timeZone === timeZone) ?? zoneNamed(timeZone);
}

/** The zone of a query's days, by the name that it is offered under. */
export function zoneOf({ timeZone }: Pick<Query, 'timeZone'>): DisplayZone {
  return zoneOfPage(timeZone) ?? utc;
}

/** The zone of a query's days where its range is another in `other`, or in the zone of the setting. `now`: UTC milliseconds. */
export function differentZone(query: Query, now: number, other = displayZone()): DisplayZone | undefined {
  if (query.timeZone === other.timeZone) return undefined;
  const [own, there] = [query, { ...query, timeZone: other.timeZone }].map(asked => resolveQuery(asked, now));
  const isSame = own?.ok && there?.ok && own.value.start === there.value.start && own.value.end === there.value.end;
  return isSame ? undefined : zoneOf(query);
}

/** The zone name in the setting if it is unknown; else undefined. */
export function unknownZone(): string | undefined {
  const name = vscode.workspace.getConfiguration().get<unknown>(settings.timeZone);
  return typeof name === 'string' && zoneNamed(name) ? undefined : String(name);
}

/** How the archive is kept: when an hour is final (milliseconds after its end), and how large it may grow (bytes). */
export function archiveSettings(): { readonly settledAfterMs: number; readonly maxBytes: number } {
  return {
    settledAfterMs: personalNumber(settings.settledAfterHours, 48) * hourMs,
    maxBytes: personalNumber(settings.archiveMaxSizeMB, 500) * 1_000_000,
  };
}

/** The user's value of a setting. Workspace settings are ignored: they must not decide what this machine stores. */
function personalNumber(name: string, otherwise: number): number {
  const value = vscode.workspace.getConfiguration().inspect<unknown>(name)?.globalValue;
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : otherwise;
}

/** For which part of its hours a resampled row has to have data, 0 to 1. */
export function leastCoverage(): number {
  const percent = vscode.workspace.getConfiguration().get<unknown>(settings.leastCoverage);
  return typeof percent === 'number' && percent >= 0 && percent <= 100 ? percent / 100 : 0.75;
}

/** The person's own tariff periods, or where they are invalid; without tariffs where Eskom's hold. */
export function ownTariffs(): { readonly tariffs?: readonly Tariff[]; readonly invalidAt?: string } {
  const value = vscode.workspace.getConfiguration().get<unknown>(settings.tariffPeriods);
  const read = readTariffs(value ?? []);
  return 'tariffs' in read && read.tariffs.length === 0 ? {} : read;
}

/** The settings of exports. */
export interface ExportSettings extends Pick<ExportOptions, 'dialect' | 'heading' | 'provenance'> {
  /** Times in UTC, whatever zone is shown. */
  readonly isUtc: boolean;
  /** A column with the end of each interval, also where none is on screen. */
  readonly withEnds: boolean;
  /** The locale that the dialect follows; undefined where the person chose the dialect. */
  readonly dialectLocale: string | undefined;
}

export function exportSettings(): ExportSettings {
  const value = (name: string): unknown => vscode.workspace.getConfiguration().get(name);
  const oneOf = <T>(names: readonly T[], name: string): T | undefined => names.find(one => one === value(name));
  const dialect = oneOf(csvDialects, settings.csvDialect);
  const locale = spreadsheetLocale(displayLocale(), process.env);
  return {
    dialect: dialect ?? dialectFor(locale),
    dialectLocale: dialect ? undefined : locale,
    heading: value(settings.exportUnits) === true ? 'units' : 'names',
    provenance: oneOf(exportProvenances, settings.exportProvenance) ?? 'none',
    isUtc: value(settings.exportTimes) === 'utc',
    withEnds: value(settings.exportIntervalEnd) === true,
  };
}
