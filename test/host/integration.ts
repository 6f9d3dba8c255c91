// Runs test/integration inside VS Code: the executable that VSCODE_EXECUTABLE names, else a downloaded desktop VS Code (the
// release that VSCODE_VERSION names, the newest by default) where there is a display, else VS Code's server with a browser.
// Builds the extension first. Arguments select test files.
import { existsSync } from 'node:fs';
import { delimiter, join, relative, resolve } from 'node:path';
import { downloadAndUnzipVSCode, runTests, TestRunFailedError } from '@vscode/test-electron';
import { buildTests, builtTests } from './buildTests.ts';
import { createCodeFolders, writeSettings } from '../../scripts/vscode/folders.ts';
import { cache, root } from '../../scripts/paths.ts';
import { extensionId } from '../../src/host/ids.ts';
import { runStep } from '../../scripts/steps.ts';

const launcher = join(import.meta.dirname, 'vscodeLauncher.sh');

const files = process.argv.slice(2).map(toBuiltName);
const title = 'Building the extension';
await runStep({ title, command: process.execPath, args: ['esbuild.js'], cwd: root, log: 'integration-build.log' });
await buildTests();
const folders = await createCodeFolders();
try {
  // VS Code's server saves files a second after typing by default, which would break tests of unsaved files.
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
      // Otherwise the desktop prompts for the keychain of the user, and waits.
      '--use-inmemory-secretstorage',
    ],
    extensionTestsEnv: {
      GRID_DATA_TEST: '1',
      TEST_FILES: files.join(delimiter),
      TEST_STORAGE: join(folders.userData, 'User', 'globalStorage', extensionId),
    },
  });
} catch (error) {
  // The suite has printed its own failures, but no other error.
  if (!(error instanceof TestRunFailedError)) console.error(error);
  process.exitCode = 1;
} finally {
  await folders.dispose();
}

async function chooseExecutable(): Promise<string> {
  const executable = process.env['VSCODE_EXECUTABLE'];
  if (executable) return executable;
  const version = process.env['VSCODE_VERSION'];
  // `npm run test:floor` selects a release of the server.
  if (process.env['VSCODE_SERVER_VERSION']) return launcher;
  const hasDisplay = process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
  if (!hasDisplay && !version) return launcher;
  try {
    return await downloadAndUnzipVSCode({ version: version ?? 'stable', cachePath: cache, timeout: 30_000 });
  } catch (error) {
    // The server runs on Linux only, and cannot replace a requested release.
    if (process.platform !== 'linux' || version) throw error;
    console.log("Desktop VS Code could not be downloaded: the tests run in VS Code's server.");
    return launcher;
  }
}

/** Converts `test/integration/tools.test.ts` to the built file `tools.test.js`. Throws an Error if there is no such test. */
function toBuiltName(argument: string): string {
  const path = resolve(argument);
  const name = relative(join(root, 'test', 'integration'), path);
  if (!existsSync(path) || name.startsWith('..') || !name.endsWith('.test.ts'))
    throw new Error(`There is no integration test ${argument}.`);
  return name.replace(/\.ts$/, '.js');
}
