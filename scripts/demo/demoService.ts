import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { logs, root } from '../paths.ts';
import { startGroup } from '../processGroup.ts';
import { lastLines } from '../steps.ts';

/** The service that the demo connects to. Without a key, VS Code asks for one. */
export interface DemoService {
  readonly name: string;
  readonly url: string;
  readonly key?: string;
  /** The end of the last hour, if the data ends before the present. */
  readonly dataEnd?: string;
  /** Notes on the data, such as the file it comes from and how it was shifted. */
  readonly notices?: readonly string[];
  /** Whether the key gives access to sample data only, and may be given to every browser. */
  readonly isSandbox?: true;
}

/** The file whose hours the sandbox serves, unchanged or shifted to the present. */
interface Replay {
  readonly file: string;
  readonly shift: boolean;
}

/** Starts the sandbox as a child process, with generated hours unless a file is replayed. Throws an Error with the end of its log if it does not start. */
export async function startDemoSandbox(replay: Replay | undefined): Promise<DemoService> {
  mkdirSync(logs, { recursive: true });
  const log = join(logs, 'sandbox.log');
  const stderr = openSync(log, 'w');
  const replayed = replay ? ['--replay', replay.file, ...(replay.shift ? ['--shift-to-now'] : [])] : [];
  // The dashboard needs no sign-in: it has sample data only, and no terminal that could print the sign-in link.
  const args = ['src/cli/grid.ts', 'sandbox', '--port', '0', '--json', '--no-sign-in', ...replayed];
  const group = startGroup(process.execPath, args, { cwd: root, stderr });
  closeSync(stderr);
  const line = await new Promise<string>((resolve, reject) => {
    void group.ended.then(() => reject(new Error(`The sandbox did not start: ${lastLines(log, 5)}`)));
    if (group.child.stdout) createInterface({ input: group.child.stdout }).once('line', resolve);
  });
  const { url, key, dataEnd } = JSON.parse(line) as { url: string; key: string; dataEnd?: string };
  const health = (await (await fetch(`${url}/healthz`)).json()) as { notices?: readonly string[] };
  const { notices = [] } = health;
  return { name: 'Sandbox', url, key, isSandbox: true, notices, ...(dataEnd !== undefined && { dataEnd }) };
}

/** Returns the service at an address, with the key from the environment or the terminal, if either has one. */
export async function readDemoService(url: string): Promise<DemoService> {
  const key = process.env['GRID_DATA_API_KEY'] ?? (process.stdin.isTTY ? await promptForKey(url) : '');
  return { name: new URL(url).host, url, ...(key !== '' && { key }) };
}

/** Prompts for the key at the terminal without echoing it. */
async function promptForKey(url: string): Promise<string> {
  process.stdout.write(`Key for ${url} (Enter alone: VS Code asks): `);
  const silentOutput = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silentOutput, terminal: true });
  // In raw mode Ctrl+C does not raise a signal.
  terminal.once('SIGINT', () => process.exit(130));
  const key = await new Promise<string>(resolve => terminal.question('', resolve));
  terminal.close();
  process.stdout.write('\n');
  return key.trim();
}
