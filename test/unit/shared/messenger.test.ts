import assert from 'node:assert/strict';
import { Messenger, type Message } from '../../../src/shared/messenger.ts';

interface Left {
  double(value: number): number;
  note(text: string): void;
}
interface Right {
  fail(): void;
}

const failUnexpected = (error: unknown): never => assert.fail(String(error));

/** Creates two messengers that receive each other's messages immediately. */
function createMessengers() {
  const notes: string[] = [];
  const failures: unknown[] = [];
  const sentMessages: Message[] = [];
  const left: Messenger<Left, Right> = new Messenger<Left, Right>(
    message => {
      sentMessages.push(message);
      right.receive(message);
    },
    {
      double: async value => Promise.resolve(2 * value),
      note: text => {
        if (text === '') throw new Error('No text.');
        notes.push(text);
      },
    },
    error => failures.push(error),
  );
  const right: Messenger<Right, Left> = new Messenger<Right, Left>(
    message => left.receive(message),
    {
      fail: () => {
        throw new Error('No.');
      },
    },
    error => failures.push(error),
  );
  return { left, right, notes, failures, sentMessages };
}

describe('Messenger', () => {
  it('returns the result or the error of each request, in both directions', async () => {
    const { left, right } = createMessengers();
    assert.deepEqual(await Promise.all([right.request('double', 2), right.request('double', 3)]), [4, 6]);
    await assert.rejects(left.request('fail', undefined), { message: 'No.' });
  });

  it('handles a notification immediately, and sends no reply', async () => {
    const { right, notes, sentMessages } = createMessengers();
    void right.notify('note', 'a');
    assert.deepEqual(notes, ['a']);
    await Promise.resolve();
    assert.deepEqual(sentMessages, []);
  });

  it('reports the error of a notification on the receiving side, and sends no reply', async () => {
    const { right, failures, sentMessages } = createMessengers();
    await right.notify('note', '');
    await new Promise(setImmediate);
    assert.deepEqual([failures, sentMessages], [[new Error('No text.')], []]);
  });

  it('resolves a request to undefined if the other side is gone', async () => {
    const disconnected = new Messenger<Right, Left>(
      async () => Promise.resolve(false),
      { fail: () => undefined },
      failUnexpected,
    );
    assert.equal(await disconnected.request('double', 1), undefined);
    const silent = new Messenger<Right, Left>(() => undefined, { fail: () => undefined }, failUnexpected);
    const pending = silent.request('double', 1);
    silent.resolvePending();
    assert.equal(await pending, undefined);
  });

  it('replies with an error to an unknown method, and ignores values that are not messages', async () => {
    const { left, sentMessages, failures } = createMessengers();
    for (const method of ['toString', '__proto__', 7, undefined]) left.receive({ id: 5, method, params: 1 });
    for (const raw of [null, 7, 'double', {}, { reply: 99 }, { method: 'nothing' }]) left.receive(raw);
    await new Promise(setImmediate);
    assert.deepEqual([sentMessages, failures], [Array(4).fill({ reply: 5, error: 'Unknown message.' }), []]);
  });
});
