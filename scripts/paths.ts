import { join, resolve } from 'node:path';

/** The project's folder. */
export const root = resolve(import.meta.dirname, '..');

/** Where downloaded VS Codes and everything else that outlives a run is kept; not in the repository. */
export const cache = join(root, '.vscode-test');

/** Where the logs of installs and servers go. */
export const logs = join(cache, 'logs');

/** Where failed UI tests leave their pictures. */
export const screenshots = join(root, 'out', 'screenshots');

/** The code-server release that carries the VS Code of the tests: 4.139.1 is VS Code 1.139, the newest. */
export const serverVersion = process.env['VSCODE_SERVER_VERSION'] ?? '4.139.1';

const codeServer = join(cache, `code-server-${serverVersion}`, 'node_modules', 'code-server');

/** The entry points of the installed server. */
export const serverFiles = {
  folder: join(cache, `code-server-${serverVersion}`),
  stamp: join(cache, `code-server-${serverVersion}`, '.complete'),
  codeServer,
  vscode: join(codeServer, 'lib', 'vscode'),
  /** The `code-server` command: keeps secrets over a page reload. */
  command: join(codeServer, 'out', 'node', 'entry.js'),
  /** The bare VS Code server: accepts extensions under development and mocha suites. */
  bare: join(codeServer, 'lib', 'vscode', 'out', 'server-main.js'),
};
