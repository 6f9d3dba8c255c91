import { createRequire } from 'node:module';
import { extname } from 'node:path';
import * as vscode from 'vscode';
import type { GridDataApi } from '../api/grid-data-inspector.d.ts';
import type { App, startApp } from './app.ts';
import { storedNames } from './core/storedNames.ts';
import { panelTypes, revisionsScheme } from './host/ids.ts';
import { queriesFileName } from './host/savedQueries/queryStore.ts';
import { readStoredFacts } from './host/storedFacts.ts';
import { setContext } from './host/workbench.ts';

/** What stand-ins are made for: a new command, view or tool is one line in package.json. */
interface Contributions {
  readonly commands: readonly { readonly command: string }[];
  readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
  readonly languageModelTools: readonly { readonly name: string }[];
}

/** Undefined until something needs it. */
let app: App | undefined;

export async function deactivate(): Promise<void> {
  await app?.end();
}

/**
 * VS Code loads this file in every window, and nothing else of the extension. `app.ts`, which is all the rest, is loaded at the first
 * call of whatever is registered here, or at once where something is watched or pinned.
 */
export function activate(context: vscode.ExtensionContext): GridDataApi {
  const contributes = (context.extension.packageJSON as { contributes: Contributions }).contributes;

  /** In one go, so that no call falls between the stand-ins and what replaces them. */
  const load = (): App => {
    if (app) return app;
    const { startApp: start } = loadApp();
    standIns.dispose();
    return (app = start(context));
  };
  const look = async (): Promise<void> => {
    const { isWatching, keys } = await readStoredFacts(context);
    if (app) return;
    if (isWatching) load();
    else for (const [key, value] of Object.entries(keys)) void setContext(key, value);
  };

  /** What the app registers itself, until it does: a call is repeated there, and views and editors ask again. */
  const standIns = vscode.Disposable.from(
    ...contributes.commands.map(({ command }) =>
      vscode.commands.registerCommand(command, async (...args: unknown[]) => {
        load();
        return vscode.commands.executeCommand(command, ...args);
      }),
    ),
    ...Object.values(contributes.views)
      .flat()
      .map(({ id }) => vscode.window.registerTreeDataProvider(id, emptyTree(load))),
    vscode.languages.registerCodeLensProvider(
      { pattern: `**/${queriesFileName.join('/')}` },
      { provideCodeLenses: () => void load() },
    ),
    // Another window may have begun to watch, and be closed now.
    vscode.window.onDidChangeWindowState(({ focused }) => focused && void look()),
  );

  // Editors made from VS Code leave it out.
  const lm = vscode.lm as Partial<typeof vscode.lm> | undefined;
  context.subscriptions.push(
    standIns,
    ...contributes.languageModelTools.flatMap(({ name }) => {
      const tool = lm?.registerTool?.(name, {
        prepareInvocation: async (...given) => load().tools[name]?.prepareInvocation?.(...given),
        invoke: async (...given) => load().tools[name]?.invoke(...given),
      });
      return tool ?? [];
    }),
    vscode.window.registerWebviewPanelSerializer(panelTypes.result, {
      deserializeWebviewPanel: async (...restored) => load().panels.deserializeWebviewPanel(...restored),
    }),
    vscode.workspace.registerTextDocumentContentProvider(revisionsScheme, {
      provideTextDocumentContent: (...asked) => load().revisions.provideTextDocumentContent(...asked),
    }),
    vscode.window.registerUriHandler({ handleUri: async uri => load().followLink(uri) }),
  );
  // VS Code asks for them again with each version.
  context.globalState.setKeysForSync([storedNames.savedQueries]);
  // After the start, of which reading the disk is no part.
  setImmediate(() => void look());
  return {
    version: 1,
    datasets: () => load().api.datasets(),
    connections: () => load().api.connections(),
    price: async query => load().api.price(query),
    budget: async (...asked) => load().api.budget(...asked),
    query: async (...asked) => load().api.query(...asked),
    open: async (...asked) => load().api.open(...asked),
  };
}

/** A file of its own in the build, read now. */
function loadApp(): { readonly startApp: typeof startApp } {
  const file = import.meta.filename;
  return createRequire(file)(`./app${extname(file)}`) as { readonly startApp: typeof startApp };
}

/** Empty until VS Code asks for its rows, which it does when the view is shown. */
function emptyTree(shown: () => void): vscode.TreeDataProvider<never> {
  return {
    getChildren: () => {
      shown();
      return [];
    },
    getTreeItem: node => node,
  };
}
