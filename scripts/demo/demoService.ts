import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { logs, root } from '../paths.ts';
import { startGroup } from '../processGroup.ts';
import { lastLines } from '../steps.ts';

/** The service that the demo connects to; without a key VS Code asks for one. */
export interface DemoService {
  readonly name: string;
  readonly url: string;
  readonly key?: string;
  /** Where the data ends before the present: the end of its last hour. */
  readonly dataEnd?: string;
  /** What there is to know of its data: which file it is, how it was moved. */
  readonly notices?: readonly string[];
  /** Its key opens sample data alone, and may be given to each browser. */
  readonly isSandbox?: true;
}

/** What the sandbox serves: made-up hours where left out, or those of a file, as they are or moved to the present. */
interface Replay {
  readonly file: string;
  readonly shift: boolean;
}

/** Starts the sandbox as a child of this process. Throws an Error with what it said when it does not start. */
export async function startDemoSandbox(replay: Replay | undefined): Promise<DemoService> {
  mkdirSync(logs, { recursive: true });
  const log = join(logs, 'sandbox.log');
  const errors = openSync(log, 'w');
  const replayed = replay ? ['--replay', replay.file, ...(replay.shift ? ['--shift-to-now'] : [])] : [];
  // It has only sample data, and no terminal that could print links.
  const args = ['src/sandbox/cli.ts', '--port', '0', '--json', '--no-sign-in', ...replayed];
  const group = startGroup(process.execPath, args, { cwd: root, errors });
  closeSync(errors);
  const line = await new Promise<string>((resolve, reject) => {
    void group.ended.then(() => reject(new Error(`The sandbox did not start: ${lastLines(log, 5)}`)));
    if (group.child.stdout) createInterface({ input: group.child.stdout }).once('line', resolve);
  });
  const { url, key, dataEnd } = JSON.parse(line) as { url: string; key: string; dataEnd?: string };
  const health = (await (await fetch(`${url}/healthz`)).json()) as { notices?: readonly string[] };
  const { notices = [] } = health;
  return { name: 'Sandbox', url, key, isSandbox: true, notices, ...(dataEnd !== undefined && { dataEnd }) };
}

/** The service at an address, with the key from the environment or the terminal, if either has one. */
export async function readDemoService(url: string): Promise<DemoService> {
  const key = process.env['GRID_DATA_API_KEY'] ?? (process.stdin.isTTY ? await askKey(url) : '');
  return { name: new URL(url).host, url, ...(key !== '' && { key }) };
}

/** Asks at the terminal, showing nothing of what is typed. */
async function askKey(url: string): Promise<string> {
  process.stdout.write(`Key for ${url} (Enter alone: VS Code asks): `);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  // In raw mode Ctrl+C is a key like any other.
  terminal.once('SIGINT', () => process.exit(130));
  const key = await new Promise<string>(resolve => terminal.question('', resolve));
  terminal.close();
  process.stdout.write('\n');
  return key.trim();
}
