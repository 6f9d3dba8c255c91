import * as vscode from 'vscode';
import type { KeyValueStore } from '../../core/ports.ts';
import type { DataFile } from '../../core/snippets/dataFile.ts';
import { dataEngines, dataSnippets } from '../../core/snippets/dataSnippets.ts';
import { dataEngineText } from '../words/snippets.ts';
import { pickSnippet, type SnippetChoice } from './pickSnippet.ts';

/**
 * “Copy Snippet…” of a file or folder that was just written: lets the person choose DuckDB, pandas, polars or Spark and puts
 * the program that reads it on the clipboard, or into an editor. `data.path` is the path on disk (`uri.fsPath`), `data.form`
 * the format of the export, `hive` for a partitioned folder, or `archive` for a folder of one series. Names of columns are
 * those written in the file. No key is involved. `state` remembers the choice.
 */
export async function copyDataSnippet(data: DataFile, state: KeyValueStore): Promise<void> {
  const choices = dataChoices(data, vscode.l10n.t('Read from disk, without a key'));
  await pickSnippet(choices, vscode.l10n.t('Copy the program that reads this data'), state);
}

/** The engines as choices under one heading. */
export function dataChoices(data: DataFile, group: string): SnippetChoice[] {
  return dataEngines.map(engine => {
    const { name, editorLanguage, write } = dataSnippets[engine];
    const copied = vscode.l10n.t('Copied for {0}. It reads from disk and needs no key.', name);
    const [language, text] = [editorLanguage(data), write(data)];
    return { id: `disk.${engine}`, name, description: dataEngineText(engine, language), group, language, text, copied };
  });
}
