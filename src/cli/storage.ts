import { existsSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { extensionId } from '../host/ids.ts';

/** The parts of the environment that decide where data is stored. */
export interface StorageEnvironment {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly variables: NodeJS.ProcessEnv;
  readonly exists: (path: string) => boolean;
}

/** The data folders of editors that install VS Code extensions, the most common first. */
const editors = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];
/** The data folders of editors on a remote machine, below the home folder. */
const remoteEditors = ['.vscode-server', '.vscode-server-insiders', '.vscodium-server', '.cursor-server'];

/**
 * Returns the folder that holds the archive and the rate limits: `GRID_DATA_STORAGE`; the folder of the extension in the first editor
 * that has one, so that both share one budget; otherwise a folder for this command alone.
 */
export function findStorage({ platform, home, variables, exists }: StorageEnvironment): string {
  const path = platform === 'win32' ? win32 : posix;
  const join = (...parts: string[]): string => path.join(...parts);
  const configured = variables['GRID_DATA_STORAGE'];
  if (configured) return configured;
  const roots = {
    win32: {
      settings: variables['APPDATA'] ?? join(home, 'AppData', 'Roaming'),
      data: variables['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'),
    },
    darwin: {
      settings: join(home, 'Library', 'Application Support'),
      data: join(home, 'Library', 'Application Support'),
    },
    other: {
      settings: variables['XDG_CONFIG_HOME'] || join(home, '.config'),
      data: variables['XDG_DATA_HOME'] || join(home, '.local', 'share'),
    },
  };
  const { settings, data } = platform === 'win32' || platform === 'darwin' ? roots[platform] : roots.other;
  const editorFolders = [
    ...editors.map(name => join(settings, name)),
    ...remoteEditors.map(name => join(home, name, 'data')),
  ].map(folder => join(folder, 'User', 'globalStorage', extensionId.toLowerCase()));
  return editorFolders.find(exists) ?? join(data, 'grid-data-inspector');
}

/** The environment of this process. */
export function systemStorageEnvironment(home: string): StorageEnvironment {
  return { platform: process.platform, home, variables: process.env, exists: existsSync };
}
