import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ErrorBoundary } from '../messages/errorBoundary.ts';
import { commands, dataFileEditor } from '../ids.ts';
import { pickFiles } from './readFile.ts';
import { FileSession, type FileSessionDeps } from './fileSession.ts';

/** Provides the editor of data files, which VS Code offers in Open With…. Each file has the same panel as a query. */
export class DataFileEditorProvider implements vscode.CustomReadonlyEditorProvider {
  readonly #deps: FileSessionDeps;
  readonly #sessions = new Set<FileSession>();

  constructor(deps: FileSessionDeps) {
    this.#deps = deps;
  }

  /** The session whose editor has the focus of its group. */
  get active(): FileSession | undefined {
    return [...this.#sessions].find(session => session.panel.active);
  }

  /** Opens a file and compares it with another one. */
  async openCompared(file: vscode.Uri, comparedFile: vscode.Uri): Promise<void> {
    await openDataFile(file);
    const session = [...this.#sessions].findLast(({ uri }) => uri.toString() === file.toString());
    await session?.compareWith(comparedFile);
  }

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => undefined };
  }

  /** Returns before the file is read. The page shows that it is loading. */
  resolveCustomEditor({ uri }: vscode.CustomDocument, panel: vscode.WebviewPanel): void {
    const session = new FileSession(this.#deps, uri, panel);
    this.#sessions.add(session);
    session.panel.onDidDispose(() => this.#sessions.delete(session));
    void session.read();
  }
}

/** Registers Open Data File… and Compare Selected Data Files, which the explorer calls with the selected files. */
export function registerDataFileCommands(boundary: ErrorBoundary, editors: DataFileEditorProvider): vscode.Disposable {
  return vscode.Disposable.from(
    boundary.register(commands.openDataFile, async (...args) => {
      const selected = selectedFiles(args);
      const files = selected.length > 0 ? selected : await pickFiles(t('Open Data File'));
      for (const file of files) await openDataFile(file);
    }),
    boundary.register(commands.compareDataFiles, async (...args) => {
      const files = await Promise.all(
        selectedFiles(args).map(async file => ({ file, changed: (await vscode.workspace.fs.stat(file)).mtime })),
      );
      const [newer, older] = files.sort((a, b) => b.changed - a.changed);
      if (newer && older) await editors.openCompared(newer.file, older.file);
    }),
  );
}

async function openDataFile(file: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand('vscode.openWith', file, dataFileEditor);
}

/** Returns the selected files from the arguments of an explorer command: the clicked file and the selection. */
function selectedFiles([clicked, selection]: readonly unknown[]): vscode.Uri[] {
  const files = Array.isArray(selection) ? (selection as unknown[]) : [clicked];
  return files.filter(file => file instanceof vscode.Uri);
}
