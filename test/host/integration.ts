// Builds the extension, and runs test/integration inside VS Code. Arguments select test files. VS Code is:
// - the executable VSCODE_EXECUTABLE, if set;
// - with a display or VSCODE_VERSION, a downloaded desktop VS Code of that version, or the latest stable one;
// - otherwise VS Code's server with a browser.
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
  // VS Code's server automatically saves files by default, which would break tests of unsaved files.
  await writeSettings(folders.userData, { 'files.autoSave': 'off' });
  process.exitCode = await runTests({
    vscodeExecutablePath: await getExecutable(),
    extensionDevelopmentPath: root,
    extensionTestsPath: join(builtTests, 'index.js'),
    launchArgs: [
      folders.workspace,
      `--user-data-dir=${folders.userData}`,
      `--extensions-dir=${folders.extensions}`,
      '--disable-telemetry',
      // Otherwise desktop VS Code prompts for access to the user's keychain.
      '--use-inmemory-secretstorage',
    ],
    extensionTestsEnv: {
      GRID_DATA_TEST: '1',
      TEST_FILES: files.join(delimiter),
      TEST_STORAGE: join(folders.userData, 'User', 'globalStorage', extensionId),
    },
  });
} catch (error) {
  // The test runner has already printed failed tests.
  if (!(error instanceof TestRunFailedError)) console.error(error);
  process.exitCode = 1;
} finally {
  await folders.dispose();
}

async function getExecutable(): Promise<string> {
  const executable = process.env['VSCODE_EXECUTABLE'];
  if (executable) return executable;
  const version = process.env['VSCODE_VERSION'];
  // `npm run test:floor` sets this version of VS Code's server.
  if (process.env['VSCODE_SERVER_VERSION']) return launcher;
  const hasDisplay = process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
  if (!hasDisplay && !version) return launcher;
  try {
    return await downloadAndUnzipVSCode({ version: version ?? 'stable', cachePath: cache, timeout: 30_000 });
  } catch (error) {
    // The server runs only on Linux, and its version may differ from a requested one.
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
