import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { runStep } from '../steps.ts';

/** Chromium without its user interface, which uses a sixth less CPU time than the whole browser. */
const headlessShell = 'chromium-headless-shell';
const commandNames = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'microsoft-edge'];

/**
 * Finds Chromium or a related browser on this machine; `CHROME_PATH` overrides the search. With `PWDEBUG` it finds one that has
 * windows.
 */
export function findChromium(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
  exists: (path: string) => boolean = existsSync,
): string | undefined {
  if (env['CHROME_PATH']) return exists(env['CHROME_PATH']) ? env['CHROME_PATH'] : undefined;
  return listCandidatePaths(env, platform).find(exists);
}

/** Returns the browser's path, and installs one as root on Debian. Elsewhere throws an Error that says what to install. */
export async function ensureChromium(): Promise<string> {
  const existing = findChromium();
  if (existing) return existing;
  const setting = process.env['CHROME_PATH'];
  if (setting) throw new Error(`CHROME_PATH is set to ${setting}, which does not exist.`);
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new Error('The tests need a browser: install Chromium or Google Chrome, or set CHROME_PATH to one.');
  console.log('Installing Chromium (apt-get) …');
  await runApt('apt-update.log', ['update']);
  // Older releases have no package for the headless shell.
  await install(headlessShell).catch(async () => install('chromium'));
  const installed = findChromium();
  if (!installed) throw new Error('apt-get installed Chromium, but it is not on the PATH.');
  return installed;
}

function install(browser: string): Promise<void> {
  return runApt(`apt-install-${browser}.log`, [
    'install',
    '-y',
    '--no-install-recommends',
    browser,
    'fonts-dejavu-core',
  ]);
}

function runApt(log: string, args: string[]): Promise<void> {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  return runStep({ title: `apt-get ${args.join(' ')}`, command: 'apt-get', args, cwd: '/', log, env });
}

function listCandidatePaths(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  if (platform === 'darwin')
    return ['Google Chrome', 'Chromium', 'Microsoft Edge'].flatMap(name =>
      ['/Applications', posix.join(env['HOME'] ?? '', 'Applications')].map(
        folder => `${folder}/${name}.app/Contents/MacOS/${name}`,
      ),
    );
  if (platform === 'win32')
    return ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'].flatMap(path =>
      ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'].flatMap(name => {
        const folder = env[name];
        return folder ? [`${folder}\\${path}`] : [];
      }),
    );
  const folders = (env['PATH'] ?? '').split(posix.delimiter).filter(folder => folder !== '');
  const commands = env['PWDEBUG'] ? commandNames : [headlessShell, ...commandNames];
  return commands.flatMap(name => folders.map(folder => posix.join(folder, name)));
}
