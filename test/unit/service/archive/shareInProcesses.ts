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

export interface Sharing {
  readonly readers: number;
  /** How many hours the writer keeps that lives on. */
  readonly hours: number;
  /** After how many hours the other writer, which has no end of its own, is killed. */
  readonly killedAfter: number;
}

/** Two processes write every second hour of a month, others read it, and one of the writers is killed: holds what is kept and seen to it. */
export async function shareInProcesses({ readers: readerCount, hours, killedAfter }: Sharing) {
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
    const readers = Array.from({ length: readerCount }, () => start('read'));
    await Promise.all(readers.map(async reader => once(reader, 'message')));
    const [killed, other] = [start('write', '0', '370'), start('write', '1', String(hours))];
    // In the midst of its work, at a moment nobody chose.
    killed.on('message', ({ kept }: Told) => {
      if (kept !== undefined && kept >= 2 * killedAfter) killed.kill('SIGKILL');
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
    assert.equal(acknowledged.filter(hour => hour % 2 === 1).length, hours);
    assert.ok(acknowledged.filter(hour => hour % 2 === 0).length > killedAfter);
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
}
