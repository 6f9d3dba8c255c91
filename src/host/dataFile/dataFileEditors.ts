import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ErrorBoundary } from '../messages/errorBoundary.ts';
import { commands, dataFileEditor } from '../ids.ts';
import { askWhichFile } from './readFile.ts';
import { FileSession, type FileSessionDeps } from './fileSession.ts';

/** The editor of data files, which VS Code offers in Open With…: each file has a panel as a query has. */
export class DataFileEditors implements vscode.CustomReadonlyEditorProvider {
  readonly #deps: FileSessionDeps;
  readonly #open = new Set<FileSession>();

  constructor(deps: FileSessionDeps) {
    this.#deps = deps;
  }

  /** The session whose editor has the focus of its group. */
  get active(): FileSession | undefined {
    return [...this.#open].find(session => session.panel.active);
  }

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => undefined };
  }

  /** Returns before the file is read: the page says so until then. */
  resolveCustomEditor({ uri }: vscode.CustomDocument, panel: vscode.WebviewPanel): void {
    const session = new FileSession(this.#deps, uri, panel);
    this.#open.add(session);
    session.panel.onDidDispose(() => this.#open.delete(session));
    void session.read();
  }
}

/** Registers Open Data File…, in the explorer for the files that are selected there. */
export function registerDataFileCommands(boundary: ErrorBoundary): vscode.Disposable {
  return boundary.register(commands.openDataFile, async (argument, selection) => {
    const selected = (Array.isArray(selection) ? (selection as unknown[]) : [argument]).filter(
      item => item instanceof vscode.Uri,
    );
    const files = selected.length > 0 ? selected : await askWhichFile(t('Open Data File'));
    for (const file of files) await vscode.commands.executeCommand('vscode.openWith', file, dataFileEditor);
  });
}
