import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { KeyValueStore } from '../../core/ports.ts';
import { isSameZone, formatShortZone } from '../../core/time/zone.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { settings, stateNames } from '../ids.ts';
import { showInformationMessage } from '../messages/messages.ts';
import { displayZone } from '../settings.ts';

/** Offers to make a zone that was chosen in a panel the default, if the setting has another one. It is offered only once. */
export async function offerDefaultZone(state: KeyValueStore, zone: DisplayZone): Promise<void> {
  if (isSameZone(zone, displayZone()) || state.get(stateNames.zoneOffered) === true) return;
  await state.update(stateNames.zoneOffered, true);
  const use = t('Use as Default');
  const sentence = t('Use {0} as the default time zone? Saved queries and open panels keep theirs.', zone.label);
  if ((await showInformationMessage(sentence, use, t('Not Now'))) !== use) return;
  const configuration = vscode.workspace.getConfiguration();
  // A value in the workspace settings would override the user settings.
  const hasWorkspaceValue = configuration.inspect(settings.timeZone)?.workspaceValue !== undefined;
  await configuration.update(settings.timeZone, formatShortZone(zone), !hasWorkspaceValue);
}
