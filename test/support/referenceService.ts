import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { sharedFile } from './shared.ts';

/** A second, independent implementation of the API with real hours; its keys are its own published test keys. */
export interface ReferenceService {
  readonly baseUrl: string;
  readonly key: string;
  close(): Promise<void>;
}

/** Starts the reference service, or says why it cannot be (it is not part of the project): then its tests skip. */
export async function startReferenceService(args: readonly string[] = []): Promise<ReferenceService | string> {
  const script = sharedFile('reference-service', 'service.py');
  if (!script) return 'the reference service is not beside this checkout';
  const python = ['/usr/bin/python3', 'python3'].find(
    program => spawnSync(program, ['-c', 'import rest_framework']).status === 0,
  );
  if (!python) return 'Django REST framework is not installed (Debian: python3-djangorestframework)';
  const port = await freePort();
  const child = spawn(python, [script, '--port', String(port), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    key: keyIn(script, python),
    async close() {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}

/** The first of the keys that the script itself names. */
function keyIn(script: string, python: string): string {
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
