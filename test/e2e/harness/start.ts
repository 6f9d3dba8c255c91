import { join } from 'node:path';
import { launchBrowser } from '../../host/browser.ts';
import { makeCodeFolders, writeSettings } from '../../host/folders.ts';
import { serverFiles } from '../../host/paths.ts';
import { addExtension } from '../../host/placeExtensions.ts';
import { exitOnSignals } from '../../host/processGroup.ts';
import { runStep } from '../../host/steps.ts';
import { developmentUrl, folderUrl, startServer } from '../../host/vscodeServer.ts';
import { vsixPath } from '../../host/vsixPath.ts';
import { patienceMs } from './waiting.ts';
import { Workbench } from './workbench.ts';

/** What a UI test starts with; everything has a default. */
export interface WorkbenchOptions {
  /** The package to install, as a person would; the one that `npm run package` made when nothing else is given. */
  readonly vsix?: string;
  /** An extension's folder to run from its sources instead; secrets are then forgotten when the window reloads. */
  readonly developmentPath?: string;
  /** The folder of one more extension, placed beside the installed package. */
  readonly companion?: string;
  /** The person's settings, added to the quiet ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The folder to open; a fresh empty one by default. */
  readonly folder?: string;
  /** Kept between starts when given. */
  readonly userDataDir?: string;
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
  /** The zone of the person's machine, an IANA name; that of this one by default. */
  readonly timeZone?: string;
}

/** Starts a VS Code with the extension and opens its window in Chromium. Dispose it in `after`. */
export async function startWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const folders = await makeCodeFolders({
    ...(options.folder && { workspace: options.folder }),
    ...(options.userDataDir && { userData: options.userDataDir }),
  });
  // What has been started so far, to be ended in the opposite order, also when the next thing does not start.
  const ends: (() => unknown)[] = [() => folders.dispose(), exitOnSignals()];
  const dispose = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    const settings = options.settings ?? {};
    await writeSettings(folders.userData, settings);
    if (!options.developmentPath) await installVsix(options.vsix ?? vsixPath(), folders);
    if (options.companion) addExtension(folders, options.companion);
    const flavour = options.developmentPath ? 'bare' : 'command';
    const server = await startServer({
      folders,
      flavour,
      log: 'e2e-server.log',
      ...(options.trust && { trust: options.trust }),
      ...(options.env && { env: options.env }),
    });
    ends.push(() => server.dispose());
    const browser = await launchBrowser();
    ends.push(() => browser.close());
    const context = await browser.newContext({
      viewport: options.viewport ?? { width: 1280, height: 800 },
      ...(options.timeZone && { timezoneId: options.timeZone }),
    });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    if (options.language)
      await context.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(options.language)};`);
    const page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    const url = options.developmentPath
      ? developmentUrl(server, folders.workspace, options.developmentPath)
      : folderUrl(server, folders.workspace);
    const { workspace: folder, userData: userDataDir } = folders;
    const workbench = new Workbench({ page, url, folder, userDataDir, settings, dispose });
    await workbench.open();
    return workbench;
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function installVsix(vsix: string, folders: { userData: string; extensions: string; serverData: string }) {
  await runStep({
    title: `Installing ${vsix} in VS Code`,
    command: process.execPath,
    args: [
      serverFiles.bare,
      `--install-extension=${vsix}`,
      `--user-data-dir=${folders.userData}`,
      `--extensions-dir=${folders.extensions}`,
      `--server-data-dir=${folders.serverData}`,
      '--accept-server-license-terms',
    ],
    cwd: join(serverFiles.vscode),
    log: 'e2e-install.log',
    env: { EXTENSIONS_GALLERY: '{"serviceUrl":""}' },
  });
}
