// Runs test/integration inside VS Code: the executable that VSCODE_EXECUTABLE names, else a downloaded desktop VS Code (the
// release that VSCODE_VERSION names, the newest by default) where there is a display, else VS Code's server with a browser.
// Builds the extension first. Arguments choose some of its files.
import { existsSync } from 'node:fs';
import { delimiter, join, relative, resolve } from 'node:path';
import { downloadAndUnzipVSCode, runTests, TestRunFailedError } from '@vscode/test-electron';
import { buildTests, builtTests } from './buildTests.ts';
import { createCodeFolders, writeSettings } from '../../scripts/vscode/folders.ts';
import { cache, root } from '../../scripts/paths.ts';
import { extensionId } from '../../src/host/ids.ts';
import { runStep } from '../../scripts/steps.ts';

const launcher = join(import.meta.dirname, 'vscodeLauncher.sh');

const files = process.argv.slice(2).map(builtName);
const title = 'Building the extension';
await runStep({ title, command: process.execPath, args: ['esbuild.js'], cwd: root, log: 'integration-build.log' });
await buildTests();
const folders = await createCodeFolders();
try {
  // The server's window saves files by itself a second after typing: tests of what is unsaved must not hurry for that.
  await writeSettings(folders.userData, { 'files.autoSave': 'off' });
  process.exitCode = await runTests({
    vscodeExecutablePath: await chooseExecutable(),
    extensionDevelopmentPath: root,
    extensionTestsPath: join(builtTests, 'index.js'),
    launchArgs: [
      folders.workspace,
      `--user-data-dir=${folders.userData}`,
      `--extensions-dir=${folders.extensions}`,
      '--disable-telemetry',
      // Else the desktop asks for the keychain of whoever runs the tests, and waits for an answer.
      '--use-inmemory-secretstorage',
    ],
    extensionTestsEnv: {
      GRID_DATA_TEST: '1',
      TEST_FILES: files.join(delimiter),
      TEST_STORAGE: join(folders.userData, 'User', 'globalStorage', extensionId),
    },
  });
} catch (error) {
  // The suite has printed its failures; anything else has not been said yet.
  if (!(error instanceof TestRunFailedError)) console.error(error);
  process.exitCode = 1;
} finally {
  await folders.dispose();
}

async function chooseExecutable(): Promise<string> {
  const chosen = process.env['VSCODE_EXECUTABLE'];
  if (chosen) return chosen;
  const version = process.env['VSCODE_VERSION'];
  // A release of the server was chosen (`npm run test:floor`).
  if (process.env['VSCODE_SERVER_VERSION']) return launcher;
  const hasDisplay = process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
  if (!hasDisplay && !version) return launcher;
  try {
    return await downloadAndUnzipVSCode({ version: version ?? 'stable', cachePath: cache, timeout: 30_000 });
  } catch (error) {
    // The server is on Linux only, and does not stand in for a release that was asked for.
    if (process.platform !== 'linux' || version) throw error;
    console.log("Desktop VS Code could not be downloaded: the tests run in VS Code's server.");
    return launcher;
  }
}

/** `test/integration/tools.test.ts` → `tools.test.js`, as it is built. Throws an Error when there is no such test. */
function builtName(argument: string): string {
  const path = resolve(argument);
  const name = relative(join(root, 'test', 'integration'), path);
  if (!existsSync(path) || name.startsWith('..') || !name.endsWith('.test.ts'))
    throw new Error(`There is no integration test ${argument}.`);
  return name.replace(/\.ts$/, '.js');
}
