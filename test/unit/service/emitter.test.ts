import assert from 'node:assert/strict';
import { Emitter } from '../../../src/service/emitter.ts';

describe('Emitter', () => {
  it('calls its listeners in order, until they are disposed of', () => {
    const emitter = new Emitter<number>();
    const calls: string[] = [];
    const first = emitter.event(value => calls.push(`first ${value}`));
    emitter.event(value => calls.push(`second ${value}`));
    emitter.fire(1);
    first.dispose();
    emitter.fire(2);
    assert.deepEqual(calls, ['first 1', 'second 1', 'second 2']);
  });

  it('calls all listeners even if one throws, and then throws its error', () => {
    const emitter = new Emitter();
    const calls: string[] = [];
    const wrong = new Error('wrong');
    emitter.event(() => {
      throw wrong;
    });
    emitter.event(() => calls.push('called'));
    assert.throws(
      () => emitter.fire(),
      error => error === wrong,
    );
    assert.deepEqual(calls, ['called']);
  });
});
