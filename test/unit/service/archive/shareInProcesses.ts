import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { firstMessage } from '../../../support/firstMessage.ts';
import { hourMs, listValues, series, createTestArchive } from './archiveSetUp.ts';

interface WorkerMessage {
  readonly stored?: number;
  readonly reads?: number;
  readonly torn?: string;
  readonly error?: string;
}

interface Sharing {
  readonly readers: number;
  /** The minimum number of hours that the surviving writer stores. It continues until readers have read often enough. */
  readonly hours: number;
  /** The number of hours after which the other writer, which never ends by itself, is killed. */
  readonly killedAfter: number;
  /** A name from `systems`. */
  readonly system?: string;
}

const minReads = 100;

/** Two processes write every second hour of a month and others read it, while one writer is killed. Compares the stored rows with the reported ones. */
export async function shareInProcesses({ readers: readerCount, hours, killedAfter, system = '' }: Sharing) {
  const test = createTestArchive();
  const messages: WorkerMessage[] = [];
  const count = { reads: 0, even: 0, odd: 0 };
  const children: ChildProcess[] = [];
  const start = (...args: string[]): ChildProcess => {
    const child = fork(join(import.meta.dirname, 'archiveWorker.ts'), [test.folder, system, ...args]);
    child.on('message', (message: WorkerMessage) => {
      messages.push(message);
      count.reads += message.reads ?? 0;
      if (message.stored !== undefined) count[message.stored % 2 === 0 ? 'even' : 'odd'] += 1;
    });
    children.push(child);
    return child;
  };
  try {
    const readers = Array.from({ length: readerCount }, () => start('read'));
    await Promise.all(readers.map(async reader => firstMessage(reader, 'a reader')));
    const killedWriter = start('write', '0');
    const writer = start('write', '1');
    let isStopped = false;
    for (const child of [writer, ...readers])
      child.on('message', () => {
        if (isStopped || count.odd < hours || count.reads <= minReads || killedWriter.signalCode === null) return;
        isStopped = true;
        if (writer.connected) writer.send('stop');
      });
    // It is killed at an arbitrary instant during its work.
    killedWriter.on('message', ({ stored }: WorkerMessage) => {
      if (stored !== undefined && stored >= 2 * killedAfter) killedWriter.kill('SIGKILL');
    });
    // The last message of a process may follow its end, but not the end of its channel.
    await Promise.all(
      [killedWriter, writer].map(async child => Promise.all([once(child, 'exit'), once(child, 'disconnect')])),
    );
    const readersDone = readers.map(async reader => once(reader, 'disconnect'));
    for (const reader of readers) reader.send('stop');
    await Promise.all(readersDone);
    assert.equal(killedWriter.signalCode, 'SIGKILL');
    assert.deepEqual(
      messages.filter(({ torn, error }) => torn ?? error),
      [],
    );
    const acknowledged = messages.flatMap(({ stored }) => stored ?? []);
    assert.ok(count.odd >= hours && count.even > killedAfter && count.reads > minReads, JSON.stringify(count));
    const span = { start: Date.UTC(2023, 4, 1), end: Date.UTC(2023, 5, 1) };
    const values = new Set(listValues(await test.archive.read(series, hourMs, span)));
    assert.deepEqual(
      acknowledged.filter(hour => !values.has(hour)),
      [],
    );
  } finally {
    for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
  }
}
