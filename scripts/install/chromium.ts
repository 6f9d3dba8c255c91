import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { runStep } from '../steps.ts';

/** Chromium with nothing but what draws and runs pages: it takes a sixth less of the processor than the whole browser. */
const shell = 'chromium-headless-shell';
const names = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'microsoft-edge'];

/**
 * Where Chromium or a browser of its family is on this machine; `CHROME_PATH` decides when it is set. With `PWDEBUG` it is one that
 * can be looked at.
 */
export function findChromium(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
  exists: (path: string) => boolean = existsSync,
): string | undefined {
  if (env['CHROME_PATH']) return exists(env['CHROME_PATH']) ? env['CHROME_PATH'] : undefined;
  return candidates(env, platform).find(exists);
}

/** The browser's path; installs one where that needs no question. Throws an Error that says what to install. */
export async function ensureChromium(): Promise<string> {
  const found = findChromium();
  if (found) return found;
  const setting = process.env['CHROME_PATH'];
  if (setting) throw new Error(`CHROME_PATH is set to ${setting}, and there is no such file.`);
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new Error('The tests need a browser: install Chromium or Google Chrome, or set CHROME_PATH to one.');
  console.log('Installing Chromium (apt-get) …');
  await apt('apt-update.log', ['update']);
  // Older releases have no package of the shell alone.
  await install(shell).catch(async () => install('chromium'));
  const installed = findChromium();
  if (!installed) throw new Error('apt-get installed Chromium, and yet there is none on the PATH.');
  return installed;
}

function install(browser: string): Promise<void> {
  return apt(`apt-install-${browser}.log`, ['install', '-y', '--no-install-recommends', browser, 'fonts-dejavu-core']);
}

function apt(log: string, args: string[]): Promise<void> {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  return runStep({ title: `apt-get ${args.join(' ')}`, command: 'apt-get', args, cwd: '/', log, env });
}

function candidates(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
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
  const wanted = env['PWDEBUG'] ? names : [shell, ...names];
  return wanted.flatMap(name => folders.map(folder => posix.join(folder, name)));
}
