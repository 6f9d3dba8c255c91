import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { serverFiles, serverVersion } from '../paths.ts';
import { runStep } from '../steps.ts';

// Install scripts are skipped. They would build native modules for the terminal and the logger, which no test needs.
const npmFlags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

// Increase the number when `installServer` changes, so that older installations are replaced.
const stampText = `${serverVersion} 3`;

/** Installs VS Code's server, unless it is already installed. An incomplete installation has no stamp file, so it is repeated. */
export async function installServer(): Promise<void> {
  const { folder, stamp, vscode } = serverFiles;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === stampText) return;
  console.log(`Installing VS Code's server (code-server ${serverVersion}) …`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  await runNpm('server', folder, ['install', `code-server@${serverVersion}`]);
  await runNpm('server-modules', vscode, ['install', '--omit=dev']);
  await build({
    entryPoints: [join(import.meta.dirname, 'plainLog.ts')],
    outfile: join(vscode, 'node_modules', '@vscode', 'spdlog', 'index.js'),
    allowOverwrite: true,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
  });
  // Under Node 24, VS Code 1.110 fails to load this built-in extension, since it is an ES module.
  rmSync(join(vscode, 'extensions', 'github'), { recursive: true, force: true });
  writeFileSync(stamp, stampText);
}

/** Runs npm in a folder without install scripts. Its output goes to `npm-<name>.log`. */
export async function runNpm(name: string, cwd: string, args: string[]): Promise<void> {
  const cli = process.env['npm_execpath'];
  const [command, launcherArgs] = cli?.endsWith('.js') ? [process.execPath, [cli]] : ['npm', []];
  await runStep({
    title: `npm ${args.join(' ')} in ${cwd}`,
    command,
    args: [...launcherArgs, ...args, ...npmFlags],
    cwd,
    log: `npm-${name}.log`,
    env: {
      PATH: `${dirname(process.execPath)}${process.platform === 'win32' ? ';' : ':'}${process.env['PATH'] ?? ''}`,
    },
  });
}
