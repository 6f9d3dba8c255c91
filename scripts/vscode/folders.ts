import { realpathSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folders that one VS Code uses. */
export interface CodeFolders {
  readonly userData: string;
  readonly serverData: string;
  readonly extensions: string;
  /** The folder that the window opens. */
  readonly workspace: string;
  /** Removes the folders if they are temporary. */
  dispose(): Promise<void>;
}

/** Turns off welcome pages, telemetry, updates and other background activity. */
const quietSettings: Readonly<Record<string, unknown>> = {
  'telemetry.telemetryLevel': 'off',
  'workbench.startupEditor': 'none',
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'security.workspace.trust.enabled': false,
  'update.mode': 'none',
  'update.showReleaseNotes': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'window.commandCenter': false,
  'chat.commandCenter.enabled': false,
  'chat.disableAIFeatures': true,
  'git.enabled': false,
  'editor.accessibilitySupport': 'off',
  'remote.autoForwardPorts': false,
};

/** Creates the folders in a temporary folder, or in `base`. Folders in `base` are not removed. */
export async function createCodeFolders(options: Partial<CodeFolders> & { base?: string } = {}): Promise<CodeFolders> {
  // VS Code shows real paths, but the path of the temporary folder may contain a link (macOS) or a short name (Windows).
  const base = options.base ?? (await mkdtemp(join(realpathSync.native(tmpdir()), 'grid-data-')));
  const folders = {
    userData: options.userData ?? join(base, 'user'),
    serverData: options.serverData ?? join(base, 'server'),
    extensions: options.extensions ?? join(base, 'extensions'),
    workspace: options.workspace ?? join(base, 'workspace'),
  };
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true });
  return {
    ...folders,
    async dispose() {
      if (options.base === undefined) await rm(base, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Writes the user's settings.json with the given settings, which override the quiet settings. */
export async function writeSettings(userData: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
  await mkdir(join(userData, 'User'), { recursive: true });
  const text = JSON.stringify({ ...quietSettings, ...settings }, null, 2);
  await writeFile(join(userData, 'User', 'settings.json'), `${text}\n`);
}
