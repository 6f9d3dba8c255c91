import assert from 'node:assert/strict';
import { isInForeground } from '../../../src/sandbox/cli.ts';

const here = { platform: 'linux', pid: 4242 } as const;

describe('isInForeground', () => {
  for (const [printed, expected, what] of [
    ['   4200    4200\n', true, 'the group that the terminal listens to'],
    ['   4200    3100\n', false, 'a job in the background'],
    ['   4200      -1\n', false, 'a process without a terminal'],
    ['', false, 'a system whose ps cannot tell'],
  ] as const)
    it(`returns ${expected} for ${what}`, () => {
      const asked: unknown[] = [];
      const answer = isInForeground(here, (command, args) => {
        asked.push(command, ...args);
        return printed;
      });
      assert.equal(answer, expected);
      assert.deepEqual(asked, ['ps', '-o', 'pgid=', '-o', 'tpgid=', '-p', '4242']);
    });

  it('returns true on Windows without a check', () => {
    assert.equal(
      isInForeground({ platform: 'win32', pid: 1 }, () => assert.fail('asked')),
      true,
    );
  });
});
