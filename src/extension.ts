import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import * as vscode from 'vscode';
import type { GridDataApi } from '../api/grid-data-inspector.d.ts';
import type * as AppModule from './app.ts';
import type * as BackgroundModule from './background.ts';
import { storedNames } from './core/storedNames.ts';
import { dataFileEditor, panelTypes, revisionsScheme } from './host/ids.ts';
import { queriesFileName } from './host/savedQueries/queryStore.ts';
import { readStoredFacts } from './host/savedQueries/storedFacts.ts';
import { setContext } from './host/workbench.ts';

/** The contributions that get a stand-in. A new command, view or tool needs only its entry in package.json. */
interface Contributions {
  readonly commands: readonly { readonly command: string }[];
  readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
  readonly languageModelTools: readonly { readonly name: string }[];
  readonly mcpServerDefinitionProviders: readonly { readonly id: string; readonly label: string }[];
}

/** Both are undefined until they are first needed. */
let background: BackgroundModule.Background | undefined;
let app: AppModule.App | undefined;

export async function deactivate(): Promise<void> {
  await Promise.all([app?.end(), background?.end()]);
}

/**
 * Registers stand-ins for everything that package.json contributes. VS Code loads only this file in every window; `background.ts` and
 * `app.ts` are loaded at the first call of a stand-in. If a query is watched or pinned, `background.ts` alone is loaded at once.
 */
export function activate(context: vscode.ExtensionContext): GridDataApi {
  const contributes = (context.extension.packageJSON as { contributes: Contributions }).contributes;

  const loadBackground = (): BackgroundModule.Background =>
    (background ??= (requireEntryPoint('background') as typeof BackgroundModule).startBackground(context, {
      run: async (...args) => load().panels.run(...args),
      // Without the app there is no panel.
      refreshed: (...results) => app?.panels.refreshed(...results),
    }));
  /** Loads the app synchronously, so that no call comes between disposing the stand-ins and registering what replaces them. */
  const load = (): AppModule.App => {
    if (app) return app;
    const { startApp } = requireEntryPoint('app') as typeof AppModule;
    standIns.dispose();
    return (app = startApp(context, loadBackground()));
  };
  const startBackgroundIfNeeded = async (): Promise<void> => {
    const { isWatching, keys } = await readStoredFacts(context);
    if (app) return;
    if (isWatching) loadBackground();
    for (const [key, value] of Object.entries(keys)) void setContext(key, value);
  };

  /** Stand-ins for what the app registers itself. They load the app and repeat the call; views and editors query again by themselves. */
  const standIns = vscode.Disposable.from(
    ...contributes.commands.map(({ command }) =>
      vscode.commands.registerCommand(command, async (...args: unknown[]) => {
        load();
        return vscode.commands.executeCommand(command, ...args);
      }),
    ),
    ...Object.values(contributes.views)
      .flat()
      .map(({ id }) => vscode.window.registerTreeDataProvider(id, createEmptyTree(load))),
    vscode.languages.registerCodeLensProvider(
      { pattern: `**/${queriesFileName.join('/')}` },
      { provideCodeLenses: () => void load() },
    ),
    // Another window may have enabled hourly refresh and been closed since.
    vscode.window.onDidChangeWindowState(({ focused }) => focused && void startBackgroundIfNeeded()),
  );

  // Editors based on VS Code may lack language model tools and MCP servers.
  const lm = vscode.lm as Partial<typeof vscode.lm> | undefined;
  context.subscriptions.push(
    standIns,
    ...contributes.languageModelTools.flatMap(({ name }) => {
      const tool = lm?.registerTool?.(name, {
        prepareInvocation: async (...args) => load().tools[name]?.prepareInvocation?.(...args),
        invoke: async (...args) => load().tools[name]?.invoke(...args),
      });
      return tool ?? [];
    }),
    ...contributes.mcpServerDefinitionProviders.flatMap(({ id, label }) => {
      const provider = lm?.registerMcpServerDefinitionProvider?.(id, {
        provideMcpServerDefinitions: () => {
          const grid = join(import.meta.dirname, 'grid.js');
          const env = {
            ELECTRON_RUN_AS_NODE: '1',
            GRID_DATA_STORAGE: context.globalStorageUri.fsPath,
            GRID_DATA_API_KEY: null,
          };
          return [new vscode.McpStdioServerDefinition(label, process.execPath, [grid, 'mcp'], env)];
        },
        // The server passes its calls to this window, which therefore has to listen.
        resolveMcpServerDefinition: server => (load(), server),
      });
      return provider ?? [];
    }),
    vscode.window.registerWebviewPanelSerializer(panelTypes.result, {
      deserializeWebviewPanel: async (...args) => load().panels.deserializeWebviewPanel(...args),
    }),
    vscode.window.registerCustomEditorProvider(dataFileEditor, {
      openCustomDocument: (...args) => load().dataFiles.openCustomDocument(...args),
      resolveCustomEditor: (...args) => load().dataFiles.resolveCustomEditor(...args),
    }),
    vscode.workspace.registerTextDocumentContentProvider(revisionsScheme, {
      provideTextDocumentContent: (...args) => load().revisions.provideTextDocumentContent(...args),
    }),
    vscode.window.registerUriHandler({ handleUri: async uri => load().followLink(uri) }),
  );
  // VS Code resets these keys with each version of the extension.
  context.globalState.setKeysForSync([storedNames.savedQueries]);
  // Deferred, since reading the disk would slow down activation.
  setImmediate(() => void startBackgroundIfNeeded());
  return {
    version: 1,
    datasets: () => load().api.datasets(),
    connections: () => load().api.connections(),
    price: async (query, options) => load().api.price(query, options),
    budget: async (...args) => load().api.budget(...args),
    query: async (...args) => load().api.query(...args),
    open: async (...args) => load().api.open(...args),
  };
}

/** Loads another entry point of the build synchronously. */
function requireEntryPoint(name: string): unknown {
  const file = import.meta.filename;
  return createRequire(file)(`./${name}${extname(file)}`);
}

/** Creates an empty tree that calls `onVisible` when VS Code asks for its items, that is, when the view becomes visible. */
function createEmptyTree(onVisible: () => void): vscode.TreeDataProvider<never> {
  return {
    getChildren: () => {
      onVisible();
      return [];
    },
    getTreeItem: node => node,
  };
}
