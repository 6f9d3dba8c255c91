import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { sharedBrowser } from '../../host/sharedBrowser.ts';
import { makeCodeFolders, writeSettings } from '../../../scripts/vscode/folders.ts';
import { serverFiles } from '../../../scripts/paths.ts';
import { addExtension } from '../../../scripts/vscode/placeExtensions.ts';
import { exitOnSignals } from '../../../scripts/processGroup.ts';
import { runStep } from '../../../scripts/steps.ts';
import { developmentUrl, folderUrl, startServer } from '../../../scripts/vscode/vscodeServer.ts';
import { vsixPath } from '../../../scripts/package/vsixPath.ts';
import { addTo } from './failures.ts';
import { patienceMs } from '../../support/waiting.ts';
import { Workbench } from './workbench.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

/** What a UI test starts with; everything has a default. */
interface WorkbenchOptions {
  /** The package to install, as a person would; the one that `npm run package` made when nothing else is given. */
  readonly vsix?: string;
  /** An extension's folder to run from its sources instead; secrets are then forgotten when the window reloads. */
  readonly developmentPath?: string;
  /** The folders of further extensions, placed beside the installed package. */
  readonly companions?: readonly string[];
  /** Further extensions of those that VS Code brings along. */
  readonly builtins?: readonly string[];
  /** The person's settings, added to the quiet ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The folder to open; a fresh empty one by default. */
  readonly folder?: string;
  /** Kept between starts when given. */
  readonly userDataDir?: string;
  /** A folder for all its other folders, which then do not go with the window. */
  readonly base?: string;
  /** Added to the extension host's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether folders have to be trusted first, as the settings say; otherwise all are. */
  readonly trust?: 'asked';
  readonly viewport?: { readonly width: number; readonly height: number };
  /**
   * The language of extensions, such as "af". VS Code's own words stay English: a language pack would bring them, and with
   * them this name.
   */
  readonly language?: string;
}

/** The size of a window that asks for no other. */
export const usualViewport = { width: 1280, height: 800 };

/** The zone of the person's machine: none that the product shows unasked, with clock changes. */
const timezoneId = 'America/New_York';

/** Starts a VS Code with the extension and opens its window in Chromium. Dispose it in `after`. */
export async function startWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const folders = await makeCodeFolders({
    ...(options.folder && { workspace: options.folder }),
    ...(options.userDataDir && { userData: options.userDataDir }),
    ...(options.base && { base: options.base }),
  });
  // What has been started so far, to be ended in the opposite order, also when the next thing does not start.
  const ends: (() => unknown)[] = [() => folders.dispose(), exitOnSignals()];
  const dispose = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    const settings = options.settings ?? {};
    await writeSettings(folders.userData, settings);
    if (!options.developmentPath)
      cpSync(await installed(options.vsix ?? vsixPath()), folders.extensions, { recursive: true });
    for (const companion of options.companions ?? []) addExtension(folders, companion);
    const flavour = options.developmentPath ? 'bare' : 'command';
    const server = await startServer({
      folders,
      flavour,
      builtinExtensions: builtinsWith(options.builtins),
      log: logName('e2e-server'),
      ...(options.trust && { trust: options.trust }),
      ...(options.env && { env: options.env }),
    });
    ends.push(() => server.dispose());
    const context = await (
      await sharedBrowser()
    ).newContext({
      viewport: options.viewport ?? usualViewport,
      // Half of what a window costs to draw is motion, and what moves is not yet there to be clicked.
      reducedMotion: 'reduce',
      // A second of each start would go into packing and unpacking what the server sends to the same machine.
      extraHTTPHeaders: { 'Accept-Encoding': 'identity' },
      timezoneId,
    });
    ends.push(() => context.close());
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    if (options.language)
      await context.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(options.language)};`);
    const page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    const url = options.developmentPath
      ? developmentUrl(server, folders.workspace, options.developmentPath)
      : folderUrl(server, folders.workspace);
    const { workspace: folder, userData: userDataDir } = folders;
    const workbench = new Workbench({ page, url, folder, userDataDir, serverLog: server.log, dispose });
    try {
      await workbench.open();
    } catch (error) {
      if (error instanceof Error) addTo(error, await workbench.describe().catch(String));
      throw error;
    }
    return workbench;
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Of what VS Code brings along: what the product's files, programs and colours are shown with. */
const builtins = [
  ...['configuration-editing', 'ipynb', 'javascript', 'json', 'json-language-features', 'markdown-basics'],
  ...['markdown-language-features', 'notebook-renderers', 'powershell', 'python', 'r', 'shellscript', 'sql'],
  ...['theme-defaults', 'theme-seti', 'typescript-basics'],
];

/** A folder with these alone: each window takes a second or two to read the other eighty. */
function builtinsWith(more: readonly string[] = []): string {
  const folder = temporaryFolder();
  const extensions = join(serverFiles.vscode, 'extensions');
  // A junction needs no rights on Windows; elsewhere the word means nothing.
  for (const name of [...builtins, ...more]) symlinkSync(join(extensions, name), join(folder, name), 'junction');
  return folder;
}

/** The folder of extensions with a package alone, installed as a person would; each is installed once in a run, and copied from there. */
const installations = new Map<string, Promise<string>>();

function installed(vsix: string): Promise<string> {
  const known = installations.get(vsix) ?? install(vsix);
  installations.set(vsix, known);
  return known;
}

async function install(vsix: string): Promise<string> {
  const base = temporaryFolder();
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

/** A log for each of the processes that run files of tests side by side. */
function logName(name: string): string {
  return `${name}${process.env['MOCHA_WORKER_ID'] ?? ''}.log`;
}
