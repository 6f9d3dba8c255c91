import { t } from '@vscode/l10n';
import type { KeyValueStore } from '../../core/ports.ts';
import { parseDayZone } from '../../core/bins/dayInterval.ts';
import type { DataFile } from '../../core/snippets/dataFile.ts';
import { dataEngines, dataSnippets } from '../../core/snippets/dataSnippets.ts';
import { pickSnippet, type SnippetChoice } from './pickSnippet.ts';
import { join } from 'node:path';
import type { PartitionPath } from '../../service/export/hiveFolder.ts';
import { showQuickPick } from '../messages/messages.ts';
import { displayZone } from '../settings.ts';
import { datasetTitle } from '../messages/catalogue.ts';
import { intervalName } from '../messages/numbers.ts';

/**
 * Copies code that reads an exported file or folder with DuckDB, pandas, polars or Spark, or opens it in an editor.
 * `data.path` is the path on disk (`uri.fsPath`). `data.form` is the format of the export, `hive` for a partitioned folder, or
 * `archive` for the folder of one series. Column names are those in the file. The code has no key. `state` stores the choice.
 */
export async function copyDataSnippet(data: DataFile, state: KeyValueStore): Promise<void> {
  const choices = createDataChoices(data, t('Read from disk, without a key'));
  await pickSnippet(choices, t('Copy code that reads this data'), state);
}

/** Creates a choice for each engine, under one heading. */
export function createDataChoices(data: DataFile, group: string): SnippetChoice[] {
  return dataEngines.map(engine => {
    const { name, editorLanguage, description: use, write } = dataSnippets[engine];
    const copied = t('Copied for {0}. It reads from disk and needs no key.', name);
    const language = editorLanguage(data);
    const text = write(data);
    const description = t(use[language] ?? '');
    return { id: `disk.${engine}`, name, description, group, language, text, copied };
  });
}

/**
 * Copies code that reads an exported folder. If it has several datasets or intervals, the user chooses one, because hours and
 * days in one table would be counted twice. `state` stores the choice of the program.
 */
export async function copyHiveSnippet(
  folder: string,
  partitions: readonly PartitionPath[],
  state: KeyValueStore,
): Promise<void> {
  const partition = await choosePartition(partitions);
  if (!partition) return;
  const { timeColumn, valueColumn, sample, interval } = partition;
  const isDaily = interval === '1d' || parseDayZone(interval) !== undefined;
  const { timeZone } = displayZone();
  await copyDataSnippet(
    { path: join(folder, partition.path), form: 'hive', timeColumn, valueColumn, timeZone, sample, isDaily },
    state,
  );
}

async function choosePartition(partitions: readonly PartitionPath[]): Promise<PartitionPath | undefined> {
  if (partitions.length < 2) return partitions[0];
  const items = partitions.map(partition => ({
    label: datasetTitle(partition.dataset),
    description: [
      intervalName(partition.interval),
      ...Object.entries(partition.params).map(pair => pair.join('=')),
    ].join(' · '),
    partition,
  }));
  const placeHolder = t('Select data to copy code for');
  return (await showQuickPick(items, { placeHolder }))?.partition;
}
