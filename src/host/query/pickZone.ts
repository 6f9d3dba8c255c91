import { t } from '@vscode/l10n';
import { isSameZone, sast, utc } from '../../core/time/zone.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { showQuickPick } from '../messages/messages.ts';
import { offeredZones, getQueryZone } from '../settings.ts';

/** Asks for a time zone: SAST, UTC, those in the settings, or `current`, an IANA name. Returns undefined if the person cancels. */
export async function pickZone(
  title: string,
  current?: string,
  placeHolder = t('Select a time zone'),
): Promise<DisplayZone | undefined> {
  const zones = [sast, utc, ...offeredZones(), ...(current === undefined ? [] : [getQueryZone({ timeZone: current })])];
  const items = zones
    .filter((zone, index) => zones.findIndex(other => isSameZone(other, zone)) === index)
    .map(zone => ({ label: zone.label, zone }));
  return (await showQuickPick(items, { title, placeHolder }))?.zone;
}
