import { join, resolve } from 'node:path';

/** The project's folder. */
export const root = resolve(import.meta.dirname, '..');

/** The folder of downloaded VS Codes and other files that are reused between runs; Git ignores it. */
export const cache = join(root, '.vscode-test');

/** The folder for the logs of installs and servers. */
export const logs = join(cache, 'logs');

/** The folder for screenshots of failed UI tests. */
export const screenshots = join(root, 'out', 'screenshots');

/** The code-server release for the tests; 4.139.1 contains VS Code 1.139. */
export const serverVersion = process.env['VSCODE_SERVER_VERSION'] ?? '4.139.1';

const codeServer = join(cache, `code-server-${serverVersion}`, 'node_modules', 'code-server');

/** The entry points of the installed server. */
export const serverFiles = {
  folder: join(cache, `code-server-${serverVersion}`),
  stamp: join(cache, `code-server-${serverVersion}`, '.complete'),
  codeServer,
  vscode: join(codeServer, 'lib', 'vscode'),
  /** The `code-server` command, which keeps secrets across a page reload. */
  command: join(codeServer, 'out', 'node', 'entry.js'),
  /** The bare VS Code server, which accepts extensions under development and Mocha suites. */
  bare: join(codeServer, 'lib', 'vscode', 'out', 'server-main.js'),
};
