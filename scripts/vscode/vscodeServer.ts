import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { CodeFolders } from './folders.ts';
import { logs, serverFiles } from '../paths.ts';
import { startGroup } from '../processGroup.ts';
import { lastLines } from '../steps.ts';

/** How to start VS Code's server. */
export interface ServerOptions {
  readonly folders: CodeFolders;
  /**
   * `bare` accepts an extension under development and a mocha suite (see `developmentUrl`) but forgets secrets when the
   * page reloads; `command` is what a person runs: installed extensions only, secrets kept.
   */
  readonly flavour: 'bare' | 'command';
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Added to the environment of the server, and so of the extension host. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether folders have to be trusted first; all are otherwise. */
  readonly trust?: 'asked';
  /** A folder with the extensions that VS Code brings along; all of them by default. */
  readonly builtinExtensions?: string;
  /** Name of its log under .vscode-test/logs. */
  readonly log?: string;
}

/** A running server. */
export interface VsCodeServer {
  /** Such as http://127.0.0.1:41234; a page of it opens the folder with `?folder=`. */
  readonly url: string;
  readonly port: number;
  /** The file with everything that it said. */
  readonly log: string;
  /** Resolves when the server has ended, whoever ended it. */
  readonly ended: Promise<void>;
  /** Ends the server and its extension hosts. */
  dispose(): Promise<void>;
}

const startLimitMs = 60_000;

/** Starts the server and waits until it answers. Throws an Error with the end of its log when it does not within a minute. */
export async function startServer(options: ServerOptions): Promise<VsCodeServer> {
  mkdirSync(logs, { recursive: true });
  const log = join(logs, options.log ?? 'server.log');
  const errors = openSync(log, 'w');
  const group = startGroup(process.execPath, argumentsOf(options), {
    cwd: options.folders.workspace,
    errors,
    env: {
      // The command writes a heartbeat and logs into the person's home, and obeys PORT, unless told otherwise.
      XDG_DATA_HOME: join(options.folders.serverData, 'data'),
      XDG_CONFIG_HOME: join(options.folders.serverData, 'config'),
      PORT: undefined,
      // No marketplace: nothing leaves the machine.
      EXTENSIONS_GALLERY: '{"serviceUrl":""}',
      ...options.env,
    },
  });
  closeSync(errors);
  try {
    const port = await portOf(group.child.stdout, group.ended, log);
    const url = `http://127.0.0.1:${port}`;
    await answers(url, log);
    return { url, port, log, ended: group.ended, dispose: () => group.stop() };
  } catch (error) {
    await group.stop();
    throw error;
  }
}

/** The page that runs an extension from its sources and, when `tests` is given, that mocha suite in its extension host. */
export function developmentUrl(server: VsCodeServer, workspace: string, extension: string, tests?: string): string {
  // VS Code decodes these, though not the folder.
  const encoded = (path: string) => toUrlPath(path).split('/').map(encodeURIComponent).join('/');
  const remote = (path: string) => `vscode-remote://127.0.0.1:${server.port}${encoded(path)}`;
  const payload = [['extensionDevelopmentPath', remote(extension)]];
  if (tests) payload.push(['extensionTestsPath', remote(tests)]);
  return `${folderUrl(server, workspace)}&payload=${encodeURIComponent(JSON.stringify(payload))}`;
}

/** The page that opens a folder. */
export function folderUrl(server: VsCodeServer, workspace: string): string {
  return `${server.url}/?folder=${encodeURIComponent(toUrlPath(workspace))}`;
}

function toUrlPath(path: string): string {
  const slashes = path.replaceAll('\\', '/');
  return slashes.startsWith('/') ? slashes : `/${slashes}`;
}

function argumentsOf({ folders, flavour, trust, builtinExtensions, port = 0 }: ServerOptions): string[] {
  const shared = [
    `--user-data-dir=${folders.userData}`,
    `--extensions-dir=${folders.extensions}`,
    ...(builtinExtensions ? [`--builtin-extensions-dir=${builtinExtensions}`] : []),
  ];
  const quiet = ['--disable-telemetry', ...(trust ? [] : ['--disable-workspace-trust'])];
  if (flavour === 'bare')
    return [
      serverFiles.bare,
      ...['--host', '127.0.0.1', '--port', String(port), '--without-connection-token', '--accept-server-license-terms'],
      `--server-data-dir=${folders.serverData}`,
      ...shared,
      ...quiet,
      '--enable-smoke-test-driver',
    ];
  return [
    serverFiles.command,
    ...['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, '--config', join(folders.serverData, 'config.yaml')],
    ...shared,
    ...quiet,
    ...['--disable-update-check', '--disable-getting-started-override', '--ignore-last-opened'],
  ];
}

function portOf(stdout: NodeJS.ReadableStream | null, ended: Promise<void>, log: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) =>
      reject(new Error(`VS Code's server ${why}. The end of ${log}:\n${lastLines(log, 15)}`));
    const limit = setTimeout(() => fail('did not start within a minute'), startLimitMs);
    void ended.then(() => {
      clearTimeout(limit);
      fail('ended before it listened');
    });
    if (stdout === null) return;
    // Read to the end of its life: a full pipe would stop the server.
    createInterface({ input: stdout }).on('line', line => {
      const port = /listening on (?:http:\/\/127\.0\.0\.1:)?(\d+)/.exec(line)?.[1];
      if (port === undefined) return;
      clearTimeout(limit);
      resolve(Number(port));
    });
  });
}

async function answers(url: string, log: string): Promise<void> {
  const deadline = Date.now() + startLimitMs;
  for (;;) {
    const status = await fetch(url, { redirect: 'manual' }).then(
      response => response.status,
      () => 0,
    );
    if (status >= 200 && status < 400) return;
    if (Date.now() > deadline) throw new Error(`VS Code's server does not answer (${status}). Its log: ${log}`);
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}
