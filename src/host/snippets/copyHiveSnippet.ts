import { join } from 'node:path';
import * as vscode from 'vscode';
import type { KeyValueStore } from '../../core/ports.ts';
import type { HivePlace } from '../../service/export/hiveFolder.ts';
import { showQuickPick } from '../messages.ts';
import { displayZone } from '../settings.ts';
import { datasetTitle } from '../words/catalogue.ts';
import { intervalName } from '../words/numbers.ts';
import { copyDataSnippet } from './copyDataSnippet.ts';

/**
 * “Copy Snippet…” of a folder that was just filled: of one dataset and interval, which the person chooses where there are
 * several, since hours and days in one table would be counted twice. `state` remembers the choice of the program.
 */
export async function copyHiveSnippet(
  folder: string,
  places: readonly HivePlace[],
  state: KeyValueStore,
): Promise<void> {
  const place = await choose(places);
  if (!place) return;
  const { timeColumn, valueColumn, sample } = place;
  const { timeZone } = displayZone();
  await copyDataSnippet(
    { path: join(folder, place.path), form: 'hive', timeColumn, valueColumn, timeZone, sample },
    state,
  );
}

async function choose(places: readonly HivePlace[]): Promise<HivePlace | undefined> {
  if (places.length < 2) return places[0];
  const items = places.map(place => ({
    label: datasetTitle(place.dataset),
    description: [intervalName(place.interval), ...Object.entries(place.params).map(pair => pair.join('='))].join(
      ' · ',
    ),
    place,
  }));
  const placeHolder = vscode.l10n.t('Copy the program for which data?');
  return (await showQuickPick(items, { placeHolder }))?.place;
}
