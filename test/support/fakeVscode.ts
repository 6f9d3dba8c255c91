import { registerHooks } from 'node:module';
import { join } from 'node:path/posix';

/** The registrations by kind and name, such as `command gridData.showLog`; each may exist only once, as in VS Code. */
export const registered = new Map<string, unknown>();
/** The current values of context keys. */
export const contextKeys = new Map<string, boolean>();
/** The paths of files that a workspace folder has. */
export const workspaceFiles = new Set<string>();

/** The window's environment; a test may change it. */
export const windowEnv = { uiKind: 1, remoteName: undefined as string | undefined };
/** The messages that were shown, in order; a test may empty it. */
export const shownMessages: string[] = [];
/** The label of the item to choose in a quick pick; without one, the quick pick is canceled. */
export const quickPickChoice = { label: undefined as string | undefined };
/** The function that creates a webview panel. */
export const opened = { panel: (): unknown => undefined };
/** The content of the clipboard. */
export const clipboard = { text: '' };

/** A file URI as in VS Code on Windows: `/` in the URI, `\` on disk, and a drive letter in any case. */
export class Uri {
  readonly scheme = 'file';
  readonly authority: string;
  readonly path: string;
  /** The real path of the file on this machine. */
  readonly localPath: string | undefined;

  constructor(path: string, authority = '', localPath?: string) {
    [this.path, this.authority, this.localPath] = [path, authority, localPath];
  }

  with({ path = this.path }: { readonly path?: string }): Uri {
    return new Uri(path, this.authority);
  }

  static joinPath({ path, authority }: Uri, ...parts: readonly string[]): Uri {
    return new Uri(join(path, ...parts), authority);
  }

  get fsPath(): string {
    if (this.localPath) return this.localPath;
    const path = this.authority ? `//${this.authority}${this.path}` : this.path.slice(1);
    return path.replace(/^[A-Z]:/, drive => drive.toLowerCase()).replaceAll('/', '\\');
  }

  toString(): string {
    const path = this.path.replace(/^\/[A-Z]:/, drive => drive.toLowerCase());
    return `file://${this.authority}${encodeURI(path).replace(':', '%3A')}`;
  }
}

/** The parts of VS Code's API that the extension uses at startup. */
export const vscode = {
  UIKind: { Desktop: 1, Web: 2 },
  ViewColumn: { Active: -1, One: 1 },
  ProgressLocation: { Window: 10, Notification: 15 },
  TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
  FileType: { File: 1, Directory: 2 },
  RelativePattern: Object,
  TreeItem: Object,
  env: Object.assign(windowEnv, {
    language: 'en',
    clipboard: {
      async writeText(text: string): Promise<void> {
        clipboard.text = text;
        return Promise.resolve();
      },
    },
  }),
  commands: {
    registerCommand: (id: string, run: unknown) => register(`command ${id}`, run),
    async executeCommand(id: string, ...args: readonly unknown[]): Promise<unknown> {
      if (id !== 'setContext')
        return (registered.get(`command ${id}`) as (...args: readonly unknown[]) => unknown)(...args);
      return Promise.resolve(contextKeys.set(args[0] as string, args[1] as boolean));
    },
  },
  window: {
    registerTreeDataProvider: (id: string, provider: unknown) => register(`view ${id}`, provider),
    registerWebviewPanelSerializer: (type: string, serializer: unknown) => register(`panel ${type}`, serializer),
    registerCustomEditorProvider: (type: string, provider: unknown) => register(`editor ${type}`, provider),
    registerUriHandler: (handler: unknown) => register('links', handler),
    onDidChangeWindowState: (listener: unknown) => register('window state', listener),
    showInformationMessage: async (message: string) => Promise.resolve(void shownMessages.push(message)),
    showQuickPick: async (items: readonly { readonly label: string }[]) =>
      Promise.resolve(items.find(({ label }) => label === quickPickChoice.label)),
    createWebviewPanel: () => opened.panel(),
    withProgress: async (_: unknown, task: (...args: readonly unknown[]) => unknown) =>
      Promise.resolve(
        task({ report: () => undefined }, { onCancellationRequested: () => ({ dispose: () => undefined }) }),
      ),
    onDidChangeActiveTextEditor: () => undefined,
  },
  languages: { registerCodeLensProvider: (_: unknown, provider: unknown) => register('lens', provider) },
  lm: {
    registerTool: (name: string, tool: unknown) => register(`tool ${name}`, tool),
    registerMcpServerDefinitionProvider: (id: string, provider: unknown) => register(`mcp ${id}`, provider),
  },
  McpStdioServerDefinition: class {
    readonly given: readonly unknown[];
    constructor(...given: readonly unknown[]) {
      this.given = given;
    }
  },
  workspace: {
    workspaceFolders: [{ uri: { path: '/folder' } }],
    onDidChangeWorkspaceFolders: () => ({ dispose: () => undefined }),
    getConfiguration: () => ({ get: () => undefined }),
    registerTextDocumentContentProvider: (scheme: string, provider: unknown) => register(`texts ${scheme}`, provider),
    fs: {
      stat: async ({ path }: { path: string }) =>
        workspaceFiles.has(path) ? Promise.resolve({}) : Promise.reject(new Error('FileNotFound')),
    },
  },
  Disposable: {
    from: (...disposables: readonly { dispose(): void }[]) => ({
      dispose: () => disposables.forEach(disposable => disposable.dispose()),
    }),
  },
  ThemeIcon: Object,
  MarkdownString: Object,
  Uri,
  extensions: { all: [] as readonly { readonly packageJSON: unknown }[], getExtension: () => undefined },
};

function register(name: string, value: unknown): { dispose(): void } {
  if (registered.has(name)) throw new Error(`${name} is registered already`);
  registered.set(name, value);
  return { dispose: () => registered.delete(name) };
}

/** The members of each replaced module. The hooks below generate source text that exports them. */
const replacedModules = new Map<string, () => Readonly<Record<string, unknown>>>([['vscode', () => vscode]]);
Object.assign(globalThis, { moduleOfTest: (name: string) => replacedModules.get(name)?.() });

/** Replaces a module, such as './app.ts', for later imports. `vscode` is already replaced by the API above. */
export function replaceModule(name: string, members: Readonly<Record<string, unknown>>): void {
  replacedModules.set(name, () => members);
}

registerHooks({
  resolve: (name, context, next) =>
    replacedModules.has(name) ? { url: `test:${name}`, format: 'module', shortCircuit: true } : next(name, context),
  load(url, context, next) {
    const name = url.slice('test:'.length);
    if (!url.startsWith('test:')) return next(url, context);
    const names = Object.keys(replacedModules.get(name)?.() ?? {}).join(', ');
    const source = `export const { ${names} } = globalThis.moduleOfTest(${JSON.stringify(name)});`;
    return { format: 'module', source, shortCircuit: true };
  },
});
