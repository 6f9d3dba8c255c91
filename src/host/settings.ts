import * as vscode from 'vscode';
import { sameZone, zoneNamed, utc } from '../core/time/zone.ts';
import type { DisplayZone } from '../shared/protocol.ts';
import { settings } from './ids.ts';

/** The zone of days, months and shown times. A name nobody knows counts as UTC: the zone is always shown, so it is seen. */
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

/** The name in the setting where nobody knows it; undefined where all is well. */
export function unknownZone(): string | undefined {
  const name = vscode.workspace.getConfiguration().get<unknown>(settings.timeZone);
  return typeof name === 'string' && zoneNamed(name) ? undefined : String(name);
}

/** How the archive is kept: when an hour is final (milliseconds after its end), and how large it may grow (bytes). */
export function archiveSettings(): { readonly settledAfterMs: number; readonly maxBytes: number } {
  return {
    settledAfterMs: personalNumber(settings.settledAfterHours, 48) * 3_600_000,
    maxBytes: personalNumber(settings.archiveMaxSizeMB, 500) * 1_000_000,
  };
}

/** The person's own value of a setting: a workspace's files have no say in what is kept on this machine. */
function personalNumber(name: string, otherwise: number): number {
  const value = vscode.workspace.getConfiguration().inspect<unknown>(name)?.globalValue;
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : otherwise;
}
