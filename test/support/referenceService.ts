import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { firstOutput } from './firstMessage.ts';
import { findSharedFile } from './sharedFiles.ts';

/** An independent implementation of the API with real hours and published test keys. */
export interface ReferenceService {
  readonly baseUrl: string;
  readonly key: string;
  close(): Promise<void>;
}

/** The reference service with a clock that the test sets. */
export interface VirtualReference extends ReferenceService {
  /** UTC milliseconds. */
  setClock(now: number): Promise<void>;
}

/** Starts the reference service, which is not part of the project. Returns the reason if it is missing, so that tests can skip. */
export async function startReferenceService(args: readonly string[] = []): Promise<ReferenceService | string> {
  const started = await start([], args);
  return typeof started === 'string' ? started : started.service;
}

/** Starts the reference service with its clock stopped at `now` (UTC milliseconds). */
export async function startVirtualReference(now: number): Promise<VirtualReference | string> {
  const started = await start([join(import.meta.dirname, 'virtualReference.py'), String(now / 1000)], []);
  if (typeof started === 'string') return started;
  const { child, service } = started;
  const replies = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    ...service,
    async setClock(instant) {
      child.stdin.write(`${instant / 1000}\n`);
      if ((await replies.next()).done) throw new Error('The reference service has ended.');
    },
  };
}

interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  readonly service: ReferenceService;
}

/** Starts the script, through a wrapper script with an argument if `wrapperArgs` has them. */
async function start(wrapperArgs: readonly string[], args: readonly string[]): Promise<Started | string> {
  const script = findSharedFile('reference-service', 'service.py');
  if (!script) return 'the reference service is missing next to this checkout';
  const python = ['/usr/bin/python3', 'python3'].find(
    program => spawnSync(program, ['-c', 'import rest_framework']).status === 0,
  );
  if (!python) return 'Django REST framework is not installed (Debian: python3-djangorestframework)';
  const port = await freePort();
  const [wrapper = script, ...before] = wrapperArgs;
  const command = [wrapper, ...(wrapperArgs.length > 0 ? [script, ...before] : []), '--port', String(port), ...args];
  const child = spawn(python, command);
  child.stderr.pipe(process.stderr);
  await firstOutput(child, 'the reference service');
  const service = {
    baseUrl: `http://127.0.0.1:${port}`,
    key: findKey(script, python),
    async close() {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
  return { child, service };
}

/** Finds the first key in the script. */
function findKey(script: string, python: string): string {
  const read = 'import re,sys; print(re.search(r\'"(\\w+_test_\\w+)"\', open(sys.argv[1]).read()).group(1))';
  return spawnSync(python, ['-c', read, script], { encoding: 'utf8' }).stdout.trim();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
