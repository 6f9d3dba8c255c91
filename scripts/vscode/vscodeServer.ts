import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { CodeFolders } from './folders.ts';
import { logs, serverFiles } from '../paths.ts';
import { startGroup } from '../processGroup.ts';
import { lastLines } from '../steps.ts';

/** Options for starting VS Code's server. */
export interface ServerOptions {
  readonly folders: CodeFolders;
  /**
   * `bare` accepts an extension under development and a Mocha suite (see `developmentUrl`), but loses secrets when the page
   * reloads. `command` is the regular server, with installed extensions only, and keeps secrets.
   */
  readonly flavour: 'bare' | 'command';
  /** The port to listen on; by default any free one. */
  readonly port?: number;
  /** Added to the environment of the server, and so of the extension host. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** `asked` turns on Workspace Trust; by default all folders are trusted. */
  readonly trust?: 'asked';
  /** A folder that replaces VS Code's built-in extensions. */
  readonly builtinExtensions?: string;
  /** The log's file name under .vscode-test/logs. */
  readonly log?: string;
}

/** A running server. */
export interface VsCodeServer {
  /** The base address, such as http://127.0.0.1:41234; `?folder=` opens a folder. */
  readonly url: string;
  readonly port: number;
  /** The path of its log file. */
  readonly log: string;
  /** Resolves when the server has exited. */
  readonly ended: Promise<void>;
  /** Ends the server and its extension hosts. */
  dispose(): Promise<void>;
}

const startTimeoutMs = 60_000;

/** Starts the server and waits until it responds. After a minute throws an Error with the end of its log. */
export async function startServer(options: ServerOptions): Promise<VsCodeServer> {
  mkdirSync(logs, { recursive: true });
  const log = join(logs, options.log ?? 'server.log');
  const stderr = openSync(log, 'w');
  const group = startGroup(process.execPath, createServerArguments(options), {
    cwd: options.folders.workspace,
    stderr,
    env: {
      // By default the command writes a heartbeat and logs to the user's home, and listens on PORT.
      XDG_DATA_HOME: join(options.folders.serverData, 'data'),
      XDG_CONFIG_HOME: join(options.folders.serverData, 'config'),
      PORT: undefined,
      // Without a marketplace, no request leaves the machine.
      EXTENSIONS_GALLERY: '{"serviceUrl":""}',
      ...options.env,
    },
  });
  closeSync(stderr);
  try {
    const port = await waitForPort(group.child.stdout, group.ended, log);
    const url = `http://127.0.0.1:${port}`;
    await waitForResponse(url, log);
    return { url, port, log, ended: group.ended, dispose: () => group.stop() };
  } catch (error) {
    await group.stop();
    throw error;
  }
}

/** Returns the address that loads an extension from its sources and, if `tests` is given, runs that Mocha suite in the extension host. */
export function developmentUrl(server: VsCodeServer, workspace: string, extension: string, tests?: string): string {
  // VS Code decodes these paths, but not the folder.
  const encoded = (path: string) => toUrlPath(path).split('/').map(encodeURIComponent).join('/');
  const remote = (path: string) => `vscode-remote://127.0.0.1:${server.port}${encoded(path)}`;
  const payload = [['extensionDevelopmentPath', remote(extension)]];
  if (tests) payload.push(['extensionTestsPath', remote(tests)]);
  return `${folderUrl(server, workspace)}&payload=${encodeURIComponent(JSON.stringify(payload))}`;
}

/** Returns the address that opens a folder. */
export function folderUrl(server: VsCodeServer, workspace: string): string {
  return `${server.url}/?folder=${encodeURIComponent(toUrlPath(workspace))}`;
}

function toUrlPath(path: string): string {
  const slashes = path.replaceAll('\\', '/');
  return slashes.startsWith('/') ? slashes : `/${slashes}`;
}

function createServerArguments({ folders, flavour, trust, builtinExtensions, port = 0 }: ServerOptions): string[] {
  const folderArgs = [
    `--user-data-dir=${folders.userData}`,
    `--extensions-dir=${folders.extensions}`,
    ...(builtinExtensions ? [`--builtin-extensions-dir=${builtinExtensions}`] : []),
  ];
  const quietArgs = ['--disable-telemetry', ...(trust ? [] : ['--disable-workspace-trust'])];
  if (flavour === 'bare')
    return [
      serverFiles.bare,
      ...['--host', '127.0.0.1', '--port', String(port), '--without-connection-token', '--accept-server-license-terms'],
      `--server-data-dir=${folders.serverData}`,
      ...folderArgs,
      ...quietArgs,
      '--enable-smoke-test-driver',
    ];
  return [
    serverFiles.command,
    ...['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, '--config', join(folders.serverData, 'config.yaml')],
    ...folderArgs,
    ...quietArgs,
    ...['--disable-update-check', '--disable-getting-started-override', '--ignore-last-opened'],
  ];
}

function waitForPort(stdout: NodeJS.ReadableStream | null, ended: Promise<void>, log: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) =>
      reject(new Error(`VS Code's server ${reason}. The end of ${log}:\n${lastLines(log, 15)}`));
    const timeout = setTimeout(() => fail('did not start within a minute'), startTimeoutMs);
    void ended.then(() => {
      clearTimeout(timeout);
      fail('ended before it listened');
    });
    if (stdout === null) return;
    // The output is read until the server exits: a full pipe would block it.
    createInterface({ input: stdout }).on('line', line => {
      const port = /listening on (?:http:\/\/127\.0\.0\.1:)?(\d+)/.exec(line)?.[1];
      if (port === undefined) return;
      clearTimeout(timeout);
      resolve(Number(port));
    });
  });
}

async function waitForResponse(url: string, log: string): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    const status = await fetch(url, { redirect: 'manual' }).then(
      response => response.status,
      () => 0,
    );
    if (status >= 200 && status < 400) return;
    if (Date.now() > deadline) throw new Error(`VS Code's server does not respond (${status}). Its log: ${log}`);
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}
