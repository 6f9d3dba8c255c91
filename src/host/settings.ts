import * as vscode from 'vscode';
import { zoneNamed } from '../core/zone.ts';
import type { DisplayZone } from '../shared/protocol.ts';
import { settings } from './ids.ts';

/** The zone of days, months and shown times. A name nobody knows counts as UTC: the zone is always shown, so it is seen. */
export function displayZone(): DisplayZone {
  const name = vscode.workspace.getConfiguration().get<unknown>(settings.timeZone);
  return zoneNamed(typeof name === 'string' ? name : 'UTC') ?? { timeZone: 'UTC', label: 'UTC' };
}
