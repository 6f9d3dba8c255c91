import { createRequire } from 'node:module';
import { extname } from 'node:path';
import * as vscode from 'vscode';
import type { GridDataApi } from '../api/grid-data-inspector.d.ts';
import type * as AppModule from './app.ts';
import type * as BackgroundModule from './background.ts';
import { storedNames } from './core/storedNames.ts';
import { dataFileEditor, panelTypes, revisionsScheme } from './host/ids.ts';
import { queriesFileName } from './host/savedQueries/queryStore.ts';
import { readStoredFacts } from './host/savedQueries/storedFacts.ts';
import { setContext } from './host/workbench.ts';

/** What stand-ins are made for: a new command, view or tool is one line in package.json. */
interface Contributions {
  readonly commands: readonly { readonly command: string }[];
  readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
  readonly languageModelTools: readonly { readonly name: string }[];
}

/** Undefined until something needs them. */
let background: BackgroundModule.Background | undefined;
let app: AppModule.App | undefined;

export async function deactivate(): Promise<void> {
  await Promise.all([app?.end(), background?.end()]);
}

/**
 * VS Code loads this file in every window, and nothing else of the extension. The rest, `background.ts` and `app.ts`, is loaded at the
 * first call of whatever is registered here; `background.ts` alone at once where something is watched or pinned.
 */
export function activate(context: vscode.ExtensionContext): GridDataApi {
  const contributes = (context.extension.packageJSON as { contributes: Contributions }).contributes;

  const loadBackground = (): BackgroundModule.Background =>
    (background ??= (required('background') as typeof BackgroundModule).startBackground(context, {
      run: async (...asked) => load().panels.run(...asked),
      // Without the app there is no panel.
      refreshed: (...results) => app?.panels.refreshed(...results),
    }));
  /** In one go, so that no call falls between the stand-ins and what replaces them. */
  const load = (): AppModule.App => {
    if (app) return app;
    const { startApp } = required('app') as typeof AppModule;
    standIns.dispose();
    return (app = startApp(context, loadBackground()));
  };
  const look = async (): Promise<void> => {
    const { isWatching, keys } = await readStoredFacts(context);
    if (app) return;
    if (isWatching) loadBackground();
    for (const [key, value] of Object.entries(keys)) void setContext(key, value);
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
    vscode.window.registerCustomEditorProvider(dataFileEditor, {
      openCustomDocument: (...asked) => load().dataFiles.openCustomDocument(...asked),
      resolveCustomEditor: (...asked) => load().dataFiles.resolveCustomEditor(...asked),
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
    price: async (query, options) => load().api.price(query, options),
    budget: async (...asked) => load().api.budget(...asked),
    query: async (...asked) => load().api.query(...asked),
    open: async (...asked) => load().api.open(...asked),
  };
}

/** A file of its own in the build, read now. */
function required(name: string): unknown {
  const file = import.meta.filename;
  return createRequire(file)(`./${name}${extname(file)}`);
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
