import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { toSpawnArguments, startGroup } from '../../../scripts/processGroup.ts';
import { createTemporaryFolder } from '../../support/temporaryFolder.ts';
import { until } from '../../support/until.ts';

// A process that starts a child and prints both ids. Neither ends by itself.
const family = `
  const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  console.log(JSON.stringify([process.pid, child.pid]));
  setInterval(() => {}, 1000);
`;

describe('a process group', () => {
  it('ends every process of the group', async () => {
    const group = startGroup(process.execPath, ['-e', family]);
    assert.ok(group.child.stdout);
    const ids = await new Promise<number[]>(resolve => {
      if (group.child.stdout)
        createInterface({ input: group.child.stdout }).once('line', line => resolve(JSON.parse(line) as number[]));
    });
    assert.deepEqual(ids.map(isAlive), [true, true]);
    await group.stop();
    await waitUntilEnded(ids);
  });

  it('ends when this process exits, before temporary folders created earlier are removed', async () => {
    createTemporaryFolder();
    const previousListeners = process.listeners('exit');
    const group = startGroup(process.execPath, ['-e', family]);
    assert.deepEqual(process.listeners('exit').slice(1), previousListeners);
    await group.stop();
  });

  it('passes on a path with spaces, also through the shell that Windows needs', async () => {
    // The command is `node`, because shells other than that of Windows would expand a $ in process.execPath.
    const group = startGroup('node', ['-p', 'process.argv[1]', 'C:/Program Files/a b'], { shell: true });
    const [line] = (await once(createInterface({ input: group.child.stdout ?? process.stdin }), 'line')) as [string];
    assert.equal(line, 'C:/Program Files/a b');
    await group.stop();
  });

  it('quotes an argument with spaces, with and without the shell that Windows needs', () => {
    const args = ['-p', 'process.argv[1]', 'C:/Program Files/a b'];
    for (const shell of [true, false]) {
      const { stdout } = spawnSync(...toSpawnArguments('node', args, shell), { shell, encoding: 'utf8' });
      assert.equal(stdout, 'C:/Program Files/a b\n');
    }
  });

  it('ends the group with its parent process, also on a signal', async function () {
    // Windows has no signals, so a process that is ended there cannot clean up.
    if (process.platform === 'win32') this.skip();
    const module = new URL('../../../scripts/processGroup.ts', import.meta.url);
    const program = `
      import { exitOnSignals, startGroup } from ${JSON.stringify(module.href)};
      exitOnSignals();
      const group = startGroup(process.execPath, ['-e', ${JSON.stringify(family)}]);
      group.child.stdout.once('data', data => { process.stdout.write(data, () => process.kill(process.pid, 'SIGTERM')); });
    `;
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    const ids = JSON.parse(stdout) as number[];
    assert.equal(status, 143);
    await waitUntilEnded(ids);
  });
});

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    // An ended process may stay a zombie, because some containers never collect exit codes.
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${id}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Waits until no process is alive; the system takes a moment to remove a killed one. */
async function waitUntilEnded(ids: readonly number[]): Promise<unknown> {
  return until(
    'no process',
    async () => Promise.resolve(ids.filter(isAlive)),
    alive => alive.length === 0,
  );
}
