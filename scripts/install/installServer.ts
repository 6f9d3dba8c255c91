import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { serverFiles, serverVersion } from '../paths.ts';
import { runStep } from '../steps.ts';

// Scripts stay off: they would build native modules (the terminal's, the logger's) that no test needs.
const npmFlags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

// The number rises when the steps below change, so that older installs are done again.
const stampText = `${serverVersion} 3`;

/** Installs VS Code's server once; a half install, which has no stamp, is done again from the start. */
export async function installServer(): Promise<void> {
  const { folder, stamp, vscode } = serverFiles;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === stampText) return;
  console.log(`Installing VS Code's server (code-server ${serverVersion}) …`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  await npm('server', folder, ['install', `code-server@${serverVersion}`]);
  await npm('server-modules', vscode, ['install', '--omit=dev']);
  await build({
    entryPoints: [join(import.meta.dirname, 'plainLog.ts')],
    outfile: join(vscode, 'node_modules', '@vscode', 'spdlog', 'index.js'),
    allowOverwrite: true,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
  });
  // VS Code 1.110 does not get over a built-in extension that is a module where it runs under Node 24.
  rmSync(join(vscode, 'extensions', 'github'), { recursive: true, force: true });
  writeFileSync(stamp, stampText);
}

/** Runs npm in a folder, without the scripts of packages; its output is kept in a log of the name. */
export async function npm(name: string, cwd: string, args: string[]): Promise<void> {
  const cli = process.env['npm_execpath'];
  const [command, first] = cli?.endsWith('.js') ? [process.execPath, [cli]] : ['npm', []];
  await runStep({
    title: `npm ${args.join(' ')} in ${cwd}`,
    command,
    args: [...first, ...args, ...npmFlags],
    cwd,
    log: `npm-${name}.log`,
    env: {
      PATH: `${dirname(process.execPath)}${process.platform === 'win32' ? ';' : ':'}${process.env['PATH'] ?? ''}`,
    },
  });
}
