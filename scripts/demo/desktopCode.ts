import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { startGroup } from '../processGroup.ts';
import type { CodeFolders } from '../vscode/folders.ts';
import type { VsCodeWindow } from './demoWindow.ts';

/** Returns the path of the `code` command if this machine has one, and a display to show its window on. */
export function findDesktopCode(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
  exists: (path: string) => boolean = existsSync,
): string | undefined {
  if (platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return undefined;
  const name = platform === 'win32' ? 'code.cmd' : 'code';
  return (env['PATH'] ?? '')
    .split(delimiter)
    .filter(folder => folder !== '')
    .map(folder => join(folder, name))
    .find(exists);
}

/** Opens a desktop VS Code with extensions from their sources; `ended` resolves when its window is closed. */
export function openDesktopCode(
  command: string,
  folders: CodeFolders,
  extensions: readonly string[],
  env: Readonly<Record<string, string>>,
): VsCodeWindow {
  const args = [
    ...extensions.map(path => `--extensionDevelopmentPath=${path}`),
    `--user-data-dir=${folders.userData}`,
    `--extensions-dir=${folders.extensions}`,
    ...['--disable-workspace-trust', '--disable-telemetry', '--skip-welcome', '--skip-release-notes'],
    ...['--new-window', '--wait', folders.workspace],
  ];
  const group = startGroup(command, args, { env, shell: process.platform === 'win32' });
  const closeWindow = () => {
    // The command starts VS Code as a separate process, which writes its id to this file while it runs.
    const lock = join(folders.userData, 'code.lock');
    const id = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : Number.NaN;
    if (Number.isInteger(id) && id > 1) process.kill(id, 'SIGTERM');
  };
  return { ended: group.ended, closeNow: closeWindow };
}
