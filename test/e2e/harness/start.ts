import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { sharedBrowser } from '../../host/sharedBrowser.ts';
import { createCodeFolders, writeSettings } from '../../../scripts/vscode/folders.ts';
import { serverFiles } from '../../../scripts/paths.ts';
import { addExtension } from '../../../scripts/vscode/placeExtensions.ts';
import { exitOnSignals } from '../../../scripts/processGroup.ts';
import { runStep } from '../../../scripts/steps.ts';
import { developmentUrl, folderUrl, startServer } from '../../../scripts/vscode/vscodeServer.ts';
import { vsixPath } from '../../../scripts/package/vsixPath.ts';
import { insertIntoError } from './failures.ts';
import { waitTimeoutMs } from '../../support/until.ts';
import { Workbench } from './workbench.ts';
import { createTemporaryFolder } from '../../support/temporaryFolder.ts';

/** Options for the VS Code of a UI test. */
interface WorkbenchOptions {
  /** The extension package to install. The default is the package that `npm run package` creates. */
  readonly vsix?: string;
  /** The folder of an extension to run from its sources instead of a package. Secrets are then lost when the window reloads. */
  readonly developmentPath?: string;
  /** The folders of additional extensions to install. */
  readonly companions?: readonly string[];
  /** Additional built-in extensions of VS Code. */
  readonly requiredBuiltins?: readonly string[];
  /** User settings, which override the quiet settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The folder to open. The default is a new empty folder. */
  readonly folder?: string;
  /** The folder for user data, which is not removed. The default is a temporary folder. */
  readonly userDataDir?: string;
  /** The parent of all other folders, which are then not removed when the window closes. */
  readonly base?: string;
  /** Additional environment variables of the extension host. */
  readonly env?: Readonly<Record<string, string>>;
  /** Turns on Workspace Trust. By default, all folders are trusted. */
  readonly trust?: 'asked';
  readonly viewport?: { readonly width: number; readonly height: number };
  /**
   * The language of extensions, such as "af". The texts of VS Code itself stay English, since no language pack is installed.
   */
  readonly language?: string;
}

/** The default size of a window. */
export const defaultViewport = { width: 1280, height: 800 };

/** The time zone of the browser. It has daylight saving time, and the extension never shows it by default. */
const timezoneId = 'America/New_York';

/** Starts VS Code with the extension and opens its window in Chromium. The caller disposes it in `after`. */
export async function startWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const folders = await createCodeFolders({
    ...(options.folder && { workspace: options.folder }),
    ...(options.userDataDir && { userData: options.userDataDir }),
    ...(options.base && { base: options.base }),
  });
  // Disposes what was started so far, in reverse order, also if a later start fails.
  const disposals: (() => unknown)[] = [() => folders.dispose(), exitOnSignals()];
  const dispose = async () => {
    for (const disposal of disposals.splice(0).reverse()) await disposal();
  };
  try {
    const settings = options.settings ?? {};
    await writeSettings(folders.userData, settings);
    if (!options.developmentPath)
      cpSync(await getInstallation(options.vsix ?? vsixPath()), folders.extensions, { recursive: true });
    for (const companion of options.companions ?? []) addExtension(folders, companion);
    const flavour = options.developmentPath ? 'bare' : 'command';
    const server = await startServer({
      folders,
      flavour,
      builtinExtensions: createBuiltinsFolder(options.requiredBuiltins),
      log: logName('e2e-server'),
      ...(options.trust && { trust: options.trust }),
      ...(options.env && { env: options.env }),
    });
    disposals.push(() => server.dispose());
    const context = await (
      await sharedBrowser()
    ).newContext({
      viewport: options.viewport ?? defaultViewport,
      // Animations take half of the drawing time, and Playwright cannot click moving elements.
      reducedMotion: 'reduce',
      // The server is on the same machine, where compression would add a second to each start.
      extraHTTPHeaders: { 'Accept-Encoding': 'identity' },
      timezoneId,
    });
    disposals.push(() => context.close());
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    if (options.language)
      await context.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(options.language)};`);
    const page = await context.newPage();
    page.setDefaultTimeout(waitTimeoutMs);
    const url = options.developmentPath
      ? developmentUrl(server, folders.workspace, options.developmentPath)
      : folderUrl(server, folders.workspace);
    const { workspace: folder, userData: userDataDir } = folders;
    const workbench = new Workbench({ page, url, folder, userDataDir, serverLog: server.log, dispose });
    try {
      await workbench.open();
    } catch (error) {
      if (error instanceof Error) insertIntoError(error, await workbench.describe().catch(String));
      throw error;
    }
    return workbench;
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** The built-in extensions that the tests need, for languages, notebooks and themes. */
const requiredBuiltins = [
  ...['configuration-editing', 'ipynb', 'javascript', 'json', 'json-language-features', 'markdown-basics'],
  ...['markdown-language-features', 'notebook-renderers', 'powershell', 'python', 'r', 'shellscript', 'sql'],
  ...['theme-defaults', 'theme-seti', 'typescript-basics'],
];

/** Creates a folder with only these built-in extensions. Loading the other eighty would take each window up to two seconds. */
function createBuiltinsFolder(additional: readonly string[] = []): string {
  const folder = createTemporaryFolder();
  const extensions = join(serverFiles.vscode, 'extensions');
  // On Windows a junction needs no privileges; other systems ignore the type.
  for (const name of [...requiredBuiltins, ...additional])
    symlinkSync(join(extensions, name), join(folder, name), 'junction');
  return folder;
}

/** The extension folder with each installed package, by path of the package. A package is installed once and then copied. */
const installations = new Map<string, Promise<string>>();

function getInstallation(vsix: string): Promise<string> {
  const installation = installations.get(vsix) ?? install(vsix);
  installations.set(vsix, installation);
  return installation;
}

async function install(vsix: string): Promise<string> {
  const base = createTemporaryFolder();
  const extensions = join(base, 'extensions');
  await runStep({
    title: `Installing ${vsix} in VS Code`,
    command: process.execPath,
    args: [
      serverFiles.bare,
      `--install-extension=${vsix}`,
      `--user-data-dir=${join(base, 'user')}`,
      `--extensions-dir=${extensions}`,
      `--server-data-dir=${join(base, 'server')}`,
      '--accept-server-license-terms',
    ],
    cwd: join(serverFiles.vscode),
    log: logName('e2e-install'),
    env: { EXTENSIONS_GALLERY: '{"serviceUrl":""}' },
  });
  return extensions;
}

/** Returns a log name for each parallel Mocha worker. */
function logName(name: string): string {
  return `${name}${process.env['MOCHA_WORKER_ID'] ?? ''}.log`;
}
