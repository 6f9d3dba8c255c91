import assert from 'node:assert/strict';
import { readCliOptions } from '../../../src/sandbox/cliOptions.ts';

const defaults = { port: 0, seed: 1, replay: undefined, windowMs: 60_000, json: false };

describe('readCliOptions', () => {
  it('has a default for everything', () => {
    assert.deepEqual(readCliOptions([]), { kind: 'start', options: defaults });
  });

  it('reads every option', () => {
    assert.deepEqual(readCliOptions(['--port', '8011', '--seed=7', '--window', '0.5', '--json']), {
      kind: 'start',
      options: { ...defaults, port: 8011, seed: 7, windowMs: 500, json: true },
    });
    assert.deepEqual(readCliOptions(['--replay', 'hours.csv']), {
      kind: 'start',
      options: { ...defaults, replay: 'hours.csv' },
    });
    assert.deepEqual(readCliOptions(['--help']), { kind: 'help' });
  });

  for (const [args, sentence] of [
    [['--colour'], /^Unknown option --colour; --help lists the options\.$/],
    [['-x'], /^Unknown option -x;/],
    [['--constructor'], /^Unknown option --constructor;/],
    [['hours.csv'], /^"hours\.csv" is not an option;/],
    [['--port'], /^--port needs a value;/],
    [['--replay='], /^--replay needs a value;/],
    [['--json=yes'], /^--json takes no value\.$/],
    [['--port', '65536'], /^--port takes a whole number/],
    [['--port', '80.5'], /^--port takes a whole number/],
    [['--seed=-1'], /^--seed takes a whole number/],
    [['--window', '0'], /^--window takes seconds/],
    [['--window', 'long'], /^--window takes seconds/],
    [['--seed', '2', '--replay', 'hours.csv'], /^Give --seed or --replay, not both/],
  ] as const)
    it(`refuses ${args.join(' ')} in one sentence`, () => {
      const request = readCliOptions(args);
      assert.match(request.kind === 'wrong' ? request.sentence : request.kind, sentence);
    });
});
