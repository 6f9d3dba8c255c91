import { realpathSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folders of one VS Code: everything it reads and writes outside the opened folder. */
export interface CodeFolders {
  readonly userData: string;
  readonly serverData: string;
  readonly extensions: string;
  /** The folder that the window opens. */
  readonly workspace: string;
  /** Removes them all, unless they were given. */
  dispose(): Promise<void>;
}

/** VS Code without greetings, telemetry, updates and anything else that moves or phones home by itself. */
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

/** Makes fresh folders under the machine's temporary folder, or under `base`, where they stay. */
export async function makeCodeFolders(given: Partial<CodeFolders> & { base?: string } = {}): Promise<CodeFolders> {
  // VS Code names the real path, where a temporary folder is a link (macOS) or has a short name (Windows).
  const base = given.base ?? (await mkdtemp(join(realpathSync.native(tmpdir()), 'grid-data-')));
  const folders = {
    userData: given.userData ?? join(base, 'user'),
    serverData: given.serverData ?? join(base, 'server'),
    extensions: given.extensions ?? join(base, 'extensions'),
    workspace: given.workspace ?? join(base, 'workspace'),
  };
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true });
  return {
    ...folders,
    async dispose() {
      if (given.base === undefined) await rm(base, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Writes the person's settings.json, quiet settings first. */
export async function writeSettings(userData: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
  await mkdir(join(userData, 'User'), { recursive: true });
  const text = JSON.stringify({ ...quietSettings, ...settings }, null, 2);
  await writeFile(join(userData, 'User', 'settings.json'), `${text}\n`);
}
