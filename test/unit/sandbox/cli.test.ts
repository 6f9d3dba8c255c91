import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { noon, range, systemState } from './fakes.ts';

const cli = fileURLToPath(new URL('../../../src/sandbox/cli.ts', import.meta.url));

function run(...args: string[]) {
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return { child, stderr: () => stderr, closed: once(child, 'close') as Promise<[number | null]> };
}

describe('sandbox on the command line', () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    it(`prints one line of JSON that works, and ends cleanly at ${signal}`, async () => {
      const { child, closed, stderr } = run('--json');
      const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
      const { url, key } = JSON.parse(line) as { url: string; key: string };
      const response = await fetch(url + systemState + range(noon - 3_600_000, noon), {
        headers: { 'x-api-key': key },
      });
      assert.equal(response.status, 200);
      child.kill(signal);
      assert.deepEqual(await closed, [0, null]);
      assert.equal(stderr(), '');
    });

  it('ends with 2 and one sentence for a wrong command line', async () => {
    const { closed, stderr } = run('--colour');
    assert.deepEqual(await closed, [2, null]);
    assert.equal(stderr(), 'Unknown option --colour; --help lists the options.\n');
  });
});
