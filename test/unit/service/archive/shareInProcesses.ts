import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { firstMessage } from '../../../support/firstMessage.ts';
import { hourMs, keptValues, series, testArchive } from './archiveSetUp.ts';

interface Told {
  readonly kept?: number;
  readonly reads?: number;
  readonly torn?: string;
  readonly trouble?: string;
}

interface Sharing {
  readonly readers: number;
  /** How many hours the writer keeps that lives on, at least: it goes on until others have read often enough meanwhile. */
  readonly hours: number;
  /** After how many hours the other writer, which has no end of its own, is killed. */
  readonly killedAfter: number;
  /** A name out of `systems`. */
  readonly system?: string;
}

const leastReads = 100;

/** Two processes write every second hour of a month, others read it, and one of the writers is killed: holds what is kept and seen to it. */
export async function shareInProcesses({ readers: readerCount, hours, killedAfter, system = '' }: Sharing) {
  const test = testArchive();
  const told: Told[] = [];
  const count = { reads: 0, even: 0, odd: 0 };
  const children: ChildProcess[] = [];
  const start = (...args: string[]): ChildProcess => {
    const child = fork(join(import.meta.dirname, 'archiveWorker.ts'), [test.folder, system, ...args]);
    child.on('message', (message: Told) => {
      told.push(message);
      count.reads += message.reads ?? 0;
      if (message.kept !== undefined) count[message.kept % 2 === 0 ? 'even' : 'odd'] += 1;
    });
    children.push(child);
    return child;
  };
  try {
    const readers = Array.from({ length: readerCount }, () => start('read'));
    await Promise.all(readers.map(async reader => firstMessage(reader, 'a reader')));
    const [killed, other] = [start('write', '0'), start('write', '1')];
    let isStopped = false;
    for (const child of [other, ...readers])
      child.on('message', () => {
        if (isStopped || count.odd < hours || count.reads <= leastReads || killed.signalCode === null) return;
        isStopped = true;
        if (other.connected) other.send('stop');
      });
    // In the midst of its work, at a moment nobody chose.
    killed.on('message', ({ kept }: Told) => {
      if (kept !== undefined && kept >= 2 * killedAfter) killed.kill('SIGKILL');
    });
    // The last message of a process may come after its end, but not after its channel.
    await Promise.all(
      [killed, other].map(async child => Promise.all([once(child, 'exit'), once(child, 'disconnect')])),
    );
    const read = readers.map(async reader => once(reader, 'disconnect'));
    for (const reader of readers) reader.send('stop');
    await Promise.all(read);
    assert.equal(killed.signalCode, 'SIGKILL');
    assert.deepEqual(
      told.filter(({ torn, trouble }) => torn ?? trouble),
      [],
    );
    const acknowledged = told.flatMap(({ kept }) => kept ?? []);
    assert.ok(count.odd >= hours && count.even > killedAfter && count.reads > leastReads, JSON.stringify(count));
    const span = { start: Date.UTC(2023, 4, 1), end: Date.UTC(2023, 5, 1) };
    const values = new Set(keptValues(await test.archive.read(series, hourMs, span)));
    assert.deepEqual(
      acknowledged.filter(hour => !values.has(hour)),
      [],
    );
  } finally {
    for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
  }
}
