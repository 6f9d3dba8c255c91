// Replaces desktop VS Code on machines without a display. Accepts the flags of @vscode/test-electron, and runs the suite in VS Code's server
// with a browser as the window. Prints the output of the tests and exits with their exit code.
import { createWriteStream } from 'node:fs';
import { join, resolve } from 'node:path';
import { format } from 'node:util';
import { launchBrowser } from './browser.ts';
import { createCodeFolders, writeSettings } from '../../scripts/vscode/folders.ts';
import { parseLaunchFlags } from './launchFlags.ts';
import { logs } from '../../scripts/paths.ts';
import { exitOnSignals } from '../../scripts/processGroup.ts';
import { developmentUrl, startServer } from '../../scripts/vscode/vscodeServer.ts';

const timeoutMs = 8 * 60_000;
/** The prefix of the lines of the test report. The window also writes other lines to the console. */
const linePrefix = '[test] ';

exitOnSignals();
const flags = parseLaunchFlags(process.argv.slice(2));
const folders = await createCodeFolders({
  ...(flags.userData && { userData: resolve(flags.userData) }),
  ...(flags.extensions && { extensions: resolve(flags.extensions) }),
  ...(flags.folder && { workspace: resolve(flags.folder) }),
});
// A user data folder from the flags already has settings.
if (!flags.userData) await writeSettings(folders.userData, {});
const server = await startServer({
  folders,
  flavour: 'bare',
  log: 'integration-server.log',
  env: { TEST_LINE_PREFIX: linePrefix },
});
const windowLog = createWriteStream(join(logs, 'integration-window.log'));
const browser = await launchBrowser();
/** The last line of the test report. */
let lastLine = 'nothing';
try {
  const page = await browser.newPage();
  const ended = new Promise<number>((done, fail) => {
    const failWith = (reason: string) =>
      fail(
        new Error(
          `${reason} Last line of the report: ${lastLine}\nwindow: ${page.url()}\nlogs: ${windowLog.path.toString()}, ${server.log}`,
        ),
      );
    const timer = setTimeout(() => failWith('The suite did not end within eight minutes.'), timeoutMs);
    const end = (code: number) => {
      clearTimeout(timer);
      done(code);
    };
    void page.exposeFunction('codeAutomationExit', end);
    void server.ended.then(() => failWith("VS Code's server ended during the suite."));
    page.once('crash', () => failWith('The window crashed during the suite.'));
  });
  await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => {
    const line = format(...args);
    // Other lines go to the log.
    if (line.startsWith(linePrefix)) {
      lastLine = line.slice(linePrefix.length);
      console.log(lastLine);
    } else windowLog.write(`${type}: ${line}\n`);
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
