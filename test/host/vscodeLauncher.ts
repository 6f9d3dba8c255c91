// Stands in for desktop VS Code where there is no display: takes the flags with which @vscode/test-electron starts it, runs
// the suite in VS Code's server with a browser as the window, prints what the tests print and exits with their exit code.
import { createWriteStream } from 'node:fs';
import { join, resolve } from 'node:path';
import { format } from 'node:util';
import { launchBrowser } from './browser.ts';
import { makeCodeFolders, writeSettings } from '../../scripts/vscode/folders.ts';
import { parseLaunchFlags } from './launchFlags.ts';
import { logs } from '../../scripts/paths.ts';
import { exitOnSignals } from '../../scripts/processGroup.ts';
import { developmentUrl, startServer } from '../../scripts/vscode/vscodeServer.ts';

const limitMs = 8 * 60_000;
/** Marks the report's lines among the window's own. */
const linePrefix = '[test] ';

exitOnSignals();
const flags = parseLaunchFlags(process.argv.slice(2));
const folders = await makeCodeFolders({
  ...(flags.userData && { userData: resolve(flags.userData) }),
  ...(flags.extensions && { extensions: resolve(flags.extensions) }),
  ...(flags.folder && { workspace: resolve(flags.folder) }),
});
// A folder that was given comes with its own.
if (!flags.userData) await writeSettings(folders.userData, {});
const server = await startServer({
  folders,
  flavour: 'bare',
  log: 'integration-server.log',
  env: { TEST_LINE_PREFIX: linePrefix },
});
const windowLog = createWriteStream(join(logs, 'integration-window.log'));
const browser = await launchBrowser();
try {
  const page = await browser.newPage();
  const ended = new Promise<number>((done, fail) => {
    const limit = setTimeout(() => fail(new Error('The suite did not end within eight minutes.')), limitMs);
    const end = (code: number) => {
      clearTimeout(limit);
      done(code);
    };
    void page.exposeFunction('codeAutomationExit', end);
    void server.ended.then(() => fail(new Error("VS Code's server ended during the suite.")));
    page.once('crash', () => fail(new Error('The window crashed during the suite.')));
  });
  await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => {
    const line = format(...args);
    // The window tells of its own life by the same way: that goes to the log.
    if (line.startsWith(linePrefix)) console.log(line.slice(linePrefix.length));
    else windowLog.write(`${type}: ${line}\n`);
  });
  await page.goto(developmentUrl(server, folders.workspace, resolve(flags.extension), resolve(flags.tests)));
  process.exitCode = await ended;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await browser.close();
  await server.dispose();
  await folders.dispose();
  windowLog.end();
}
