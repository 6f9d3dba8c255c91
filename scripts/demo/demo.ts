// The demo: a service, a VS Code with the extension, and a small extension that runs the first query. Ends with Ctrl+C.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findDesktopCode, openDesktopCode } from './desktopCode.ts';
import type { DemoOptions } from './demoOptions.d.mts';
import { readDemoService, startDemoSandbox } from './demoService.ts';
import type { DemoService } from './demoService.ts';
import type { VsCodeWindow } from './demoWindow.ts';
import { createCodeFolders, writeSettings } from '../vscode/folders.ts';
import { cache, root } from '../paths.ts';
import { installExtensions } from '../vscode/placeExtensions.ts';
import { exitOnSignals } from '../processGroup.ts';
import { runStep } from '../steps.ts';
import { folderUrl, startServer } from '../vscode/vscodeServer.ts';

const companionFolder = join(import.meta.dirname, 'extension');

exitOnSignals();
const base = mkdtempSync(join(tmpdir(), 'grid-data-demo-'));
process.on('exit', () => rmSync(base, { recursive: true, force: true, maxRetries: 5 }));
try {
  await runDemo(JSON.parse(process.argv[2] ?? '{}') as DemoOptions);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
process.exit();

async function runDemo(options: DemoOptions): Promise<void> {
  const service = options.service
    ? await readDemoService(options.service)
    : await startDemoSandbox(options.replay === undefined ? undefined : { file: options.replay, shift: options.shift });
  for (const notice of service.notices ?? []) console.log(notice);
  await runStep({
    title: 'Building the extension',
    command: process.execPath,
    args: ['esbuild.js'],
    cwd: root,
    log: 'demo-build.log',
  });
  const window = await openWindow(options, createDemoEnvironment(service, options.range ?? getLastSevenDays(service)));
  process.on('exit', () => window.closeNow());
  if (window.url) {
    console.log(`The demo is at ${window.url}`);
    if (!service.isSandbox)
      console.log('The key is stored in the browser that opens it first; other browsers ask for it.');
    if (options.open) openBrowser(window.url);
  } else console.log('The window of VS Code has opened.');
  console.log('Ctrl+C ends it.');
  await window.ended;
  if (window.url) throw new Error("VS Code's server ended unexpectedly.");
}

/** The last seven days that the service has. Hours that were moved to the present also reach into the future. */
function getLastSevenDays({ dataEnd }: DemoService): string {
  if (dataEnd === undefined || Date.parse(dataEnd) > Date.now()) return 'last 7 days';
  const start = new Date(Date.parse(dataEnd) - 7 * 86_400_000).toISOString().replace('.000Z', 'Z');
  return `${start}..${dataEnd}`;
}

function createDemoEnvironment(service: DemoService, range: string): Record<string, string> {
  return {
    GRID_DATA_DEMO_NAME: service.name,
    GRID_DATA_DEMO_URL: service.url,
    GRID_DATA_DEMO_RANGE: range,
    // Every extension and terminal of that VS Code can read its environment, so the key goes into a file.
    ...(service.key !== undefined && { GRID_DATA_DEMO_KEY_FILE: writeKeyFile(service.key) }),
    ...(service.isSandbox && { GRID_DATA_DEMO_IS_SANDBOX: '1' }),
    GRID_DATA_API_KEY: '',
  };
}

/** Writes the key for the companion extension, which deletes the file after reading unless it is a sandbox's key. */
function writeKeyFile(key: string): string {
  const file = join(base, 'key');
  writeFileSync(file, key, { mode: 0o600 });
  return file;
}

async function openWindow(options: DemoOptions, env: Record<string, string>): Promise<VsCodeWindow> {
  const desktop = findDesktopCode();
  if (desktop) {
    const folders = await createCodeFolders({ base });
    await writeSettings(folders.userData, {});
    return openDesktopCode(desktop, folders, [root, companionFolder], env);
  }
  if (process.platform === 'win32') throw new Error('The demo needs VS Code, with its command `code` on the PATH.');
  const state = join(cache, 'demo');
  const folders = await createCodeFolders({ base, userData: join(state, 'user'), serverData: join(state, 'server') });
  await writeSettings(folders.userData, {});
  installExtensions(folders, companionFolder);
  const server = await startServer({ folders, flavour: 'command', port: options.port, env, log: 'demo-server.log' });
  return { url: folderUrl(server, folders.workspace), ended: server.ended, closeNow: () => undefined };
}

function openBrowser(url: string): void {
  const { platform, env } = process;
  if (platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return;
  const [command, ...args] =
    platform === 'darwin' ? ['open', url] : platform === 'win32' ? ['cmd', '/c', 'start', '', url] : ['xdg-open', url];
  // Where the command is missing, the printed address is enough.
  spawn(command, args, { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
