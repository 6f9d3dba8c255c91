// Runs test/integration inside VS Code: the executable that VSCODE_EXECUTABLE names, else a downloaded desktop VS Code where
// there is a display, else VS Code's server with a browser. One suite, one way in. Arguments choose some of its built files.
import { delimiter, join } from 'node:path';
import { downloadAndUnzipVSCode, runTests, TestRunFailedError } from '@vscode/test-electron';
import { buildTests, builtTests } from './buildTests.ts';
import { makeCodeFolders, writeSettings } from '../../scripts/vscode/folders.ts';
import { cache, root } from '../../scripts/paths.ts';

const launcher = join(import.meta.dirname, 'vscodeLauncher.sh');

await buildTests();
const folders = await makeCodeFolders();
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
    ],
    extensionTestsEnv: { GRID_DATA_TEST: '1', TEST_FILES: process.argv.slice(2).join(delimiter) },
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
  const hasDisplay = process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
  if (!hasDisplay) return launcher;
  try {
    return await downloadAndUnzipVSCode({ cachePath: cache, timeout: 30_000 });
  } catch (error) {
    if (process.platform === 'win32') throw error;
    console.log("Desktop VS Code could not be downloaded: the tests run in VS Code's server.");
    return launcher;
  }
}
