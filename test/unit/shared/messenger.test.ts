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

/** Creates two ends of a channel that delivers messages immediately. */
function setUp() {
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
  return { left, right, notes, failures, sent: sentMessages };
}

describe('Messenger', () => {
  it('gives each request its result, in both directions', async () => {
    const { left, right } = setUp();
    assert.deepEqual(await Promise.all([right.request('double', 2), right.request('double', 3)]), [4, 6]);
    await assert.rejects(left.request('fail', undefined), { message: 'No.' });
  });

  it('handles a notification immediately, without a reply', async () => {
    const { right, notes, sent } = setUp();
    void right.notify('note', 'a');
    assert.deepEqual(notes, ['a']);
    await Promise.resolve();
    assert.deepEqual(sent, []);
  });

  it('reports a notification that fails, since its sender does not wait for it', async () => {
    const { right, failures, sent } = setUp();
    await right.notify('note', '');
    await new Promise(setImmediate);
    assert.deepEqual([failures, sent], [[new Error('No text.')], []]);
  });

  it('resolves to nothing when the other side is gone', async () => {
    const alone = new Messenger<Right, Left>(
      async () => Promise.resolve(false),
      { fail: () => undefined },
      failUnexpected,
    );
    assert.equal(await alone.request('double', 1), undefined);
    const silent = new Messenger<Right, Left>(() => undefined, { fail: () => undefined }, failUnexpected);
    const pending = silent.request('double', 1);
    silent.resolvePending();
    assert.equal(await pending, undefined);
  });

  it('rejects an unknown method, and ignores values that are not messages', async () => {
    const { left, sent, failures } = setUp();
    for (const method of ['toString', '__proto__', 7, undefined]) left.receive({ id: 5, method, params: 1 });
    for (const raw of [null, 7, 'double', {}, { reply: 99 }, { method: 'nothing' }]) left.receive(raw);
    await new Promise(setImmediate);
    assert.deepEqual([sent, failures], [Array(4).fill({ reply: 5, error: 'Unknown message.' }), []]);
  });
});
