import { t } from '@vscode/l10n';
import { sameZone, sast, utc } from '../../core/time/zone.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { showQuickPick } from '../messages/messages.ts';
import { offeredZones, zoneOf } from '../settings.ts';

/** Asks for a time zone: SAST, UTC, that of the setting, or `current`, an IANA name. Undefined when the person left. */
export async function pickZone(
  title: string,
  current?: string,
  placeHolder = t('Select a time zone'),
): Promise<DisplayZone | undefined> {
  const zones = [sast, utc, ...offeredZones(), ...(current === undefined ? [] : [zoneOf({ timeZone: current })])];
  const items = zones
    .filter((zone, at) => zones.findIndex(other => sameZone(other, zone)) === at)
    .map(zone => ({ label: zone.label, zone }));
  return (await showQuickPick(items, { title, placeHolder }))?.zone;
}
