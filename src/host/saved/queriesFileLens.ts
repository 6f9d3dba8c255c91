import * as vscode from 'vscode';
import { parseQueriesFile } from '../../core/saved/file/queriesFile.ts';
import { allQueries } from '../../core/saved/walk.ts';
import { commands } from '../ids.ts';
import { createCodeLens } from '../messages.ts';
import { queriesFileName } from './queriesFileUri.ts';
import type { SavedHomes } from './savedHomes.ts';

/** “Run” over each query of a workspace's file. */
export function registerQueriesFileLens(homes: Pick<SavedHomes, 'onDidChange' | 'workspaces'>): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    provideCodeLenses(document) {
      const home = homes.workspaces().find(({ key }) => key === document.uri.toString());
      const text = document.getText();
      const { tree, blocks } = home?.parse(text) ?? parseQueriesFile(text);
      return allQueries(tree).flatMap(({ id, name }) => {
        const block = blocks.get(id);
        if (!block) return [];
        const at = document.positionAt(block.offset);
        const command = {
          command: commands.runSavedQuery,
          title: vscode.l10n.t('Run'),
          tooltip: vscode.l10n.t('Run “{0}”', name),
          arguments: [`${document.uri.toString()}/${id}`],
        };
        return [createCodeLens(new vscode.Range(at, at), 'play', command)];
      });
    },
  };
  return vscode.Disposable.from(
    changed,
    homes.onDidChange(() => changed.fire()),
    vscode.languages.registerCodeLensProvider({ pattern: `**/${queriesFileName.join('/')}` }, provider),
  );
}
