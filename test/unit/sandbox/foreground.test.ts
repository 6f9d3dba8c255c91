import assert from 'node:assert/strict';
import { isInForeground } from '../../../src/sandbox/cli.ts';

const linuxProcess = { platform: 'linux', pid: 4242 } as const;

describe('isInForeground', () => {
  for (const [printed, expected, description] of [
    ['   4200    4200\n', true, 'the group that the terminal listens to'],
    ['   4200    3100\n', false, 'a job in the background'],
    ['   4200      -1\n', false, 'a process without a terminal'],
    ['', false, 'a system whose ps has no such columns'],
  ] as const)
    it(`returns ${expected} for ${description}`, () => {
      const commands: unknown[] = [];
      const result = isInForeground(linuxProcess, (command, args) => {
        commands.push(command, ...args);
        return printed;
      });
      assert.equal(result, expected);
      assert.deepEqual(commands, ['ps', '-o', 'pgid=', '-o', 'tpgid=', '-p', '4242']);
    });

  it('returns true on Windows without a check', () => {
    assert.equal(
      isInForeground({ platform: 'win32', pid: 1 }, () => assert.fail('the system was queried')),
      true,
    );
  });
});
