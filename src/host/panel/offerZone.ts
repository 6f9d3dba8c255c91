import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { KeyValueStore } from '../../core/ports.ts';
import { sameZone, shortZone } from '../../core/time/zone.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { settings, stateNames } from '../ids.ts';
import { showInformationMessage } from '../messages/messages.ts';
import { displayZone } from '../settings.ts';

/** Offers to write the zone that a person chose in a panel into the setting, where that has another. A person is asked once. */
export async function offerZone(state: KeyValueStore, zone: DisplayZone): Promise<void> {
  if (sameZone(zone, displayZone()) || state.get(stateNames.zoneOffered) === true) return;
  await state.update(stateNames.zoneOffered, true);
  const use = t('Use as Default');
  const sentence = t('Use {0} as the default time zone? Saved queries and open panels keep theirs.', zone.label);
  if ((await showInformationMessage(sentence, use, t('Not Now'))) !== use) return;
  const configuration = vscode.workspace.getConfiguration();
  // A workspace's own value would hide that of the person.
  const isWorkspaces = configuration.inspect(settings.timeZone)?.workspaceValue !== undefined;
  await configuration.update(settings.timeZone, shortZone(zone), !isWorkspaces);
}
