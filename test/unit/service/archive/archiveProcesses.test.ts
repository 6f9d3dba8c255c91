import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { hourMs, keptValues, series, testArchive } from './archiveSetUp.ts';

interface Told {
  readonly kept?: number;
  readonly reads?: number;
  readonly torn?: string;
  readonly trouble?: string;
}

describe('FileArchive in several processes', () => {
  it('reads and writes in several processes, one killed, without torn reads or lost rows', async () => {
    const test = testArchive();
    const told: Told[] = [];
    const children: ChildProcess[] = [];
    const start = (...args: string[]): ChildProcess => {
      const child = fork(join(import.meta.dirname, 'archiveWorker.ts'), [test.folder, ...args]);
      child.on('message', message => told.push(message as Told));
      children.push(child);
      return child;
    };
    try {
      const readers = [start('read'), start('read')];
      const [killed, other] = [start('write', '0', '370'), start('write', '1', '120')];
      // In the midst of its work, at a moment nobody chose.
      killed.on('message', ({ kept }: Told) => {
        if (kept !== undefined && kept > 60) killed.kill('SIGKILL');
      });
      await Promise.all([once(killed, 'exit'), once(other, 'exit')]);
      for (const reader of readers) reader.send('stop');
      await Promise.all(readers.map(async reader => reader.exitCode ?? once(reader, 'exit')));
      assert.equal(killed.signalCode, 'SIGKILL');
      assert.deepEqual(
        told.filter(({ torn, trouble }) => torn ?? trouble),
        [],
      );
      const acknowledged = told.flatMap(({ kept }) => kept ?? []);
      assert.equal(acknowledged.filter(hour => hour % 2 === 1).length, 120);
      assert.ok(acknowledged.filter(hour => hour % 2 === 0).length > 20);
      const reads = told.reduce((sum, one) => sum + (one.reads ?? 0), 0);
      assert.ok(reads > 100, `${reads} reads`);
      const span = { start: Date.UTC(2023, 4, 1), end: Date.UTC(2023, 5, 1) };
      const values = new Set(keptValues(await test.archive.read(series, hourMs, span)));
      assert.deepEqual(
        acknowledged.filter(hour => !values.has(hour)),
        [],
      );
    } finally {
      for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
      test.remove();
    }
  }).timeout(60_000);
});
