import { t } from '@vscode/l10n';
import { isSameZone, sast, utc } from '../../core/time/zone.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { showQuickPick } from '../messages/messages.ts';
import { offeredZones, getQueryZone } from '../settings.ts';

/** Prompts for a time zone: SAST, UTC, the zone of the setting, or `current`, an IANA name. Returns undefined if the user cancels. */
export async function pickZone(
  title: string,
  current?: string,
  placeHolder = t('Select a time zone'),
): Promise<DisplayZone | undefined> {
  const zones = [sast, utc, ...offeredZones(), ...(current === undefined ? [] : [getQueryZone({ timeZone: current })])];
  const items = zones
    .filter((zone, index) => zones.findIndex(candidate => isSameZone(candidate, zone)) === index)
    .map(zone => ({ label: zone.label, zone }));
  return (await showQuickPick(items, { title, placeHolder }))?.zone;
}
