import assert from 'node:assert/strict';
import { parseCliOptions } from '../../../src/sandbox/cliOptions.ts';

const defaults = {
  port: 0,
  seed: 1,
  replay: undefined,
  shiftToNow: false,
  windowMs: 60_000,
  noSignIn: false,
  json: false,
  limits: {},
  delayHours: 0,
  now: undefined,
  stateFolder: undefined,
  keyName: undefined,
  keyTerms: {},
  faults: undefined,
};

describe('parseCliOptions', () => {
  it('returns a default for every option', () => {
    assert.deepEqual(parseCliOptions([]), { kind: 'start', options: defaults });
  });

  it('reads every option', () => {
    assert.deepEqual(parseCliOptions(['--port', '8011', '--seed=7', '--window', '0.5', '--json', '--no-sign-in']), {
      kind: 'start',
      options: { ...defaults, port: 8011, seed: 7, windowMs: 500, noSignIn: true, json: true },
    });
    assert.deepEqual(parseCliOptions(['--replay', 'hours.csv']), {
      kind: 'start',
      options: { ...defaults, replay: ['hours.csv'] },
    });
    assert.deepEqual(parseCliOptions(['--replay', 'a.csv', '--shift-to-now', '--replay=b.csv']), {
      kind: 'start',
      options: { ...defaults, replay: ['a.csv', 'b.csv'], shiftToNow: true },
    });
    const limits = ['--limits', 'normalized_data=100,features=none'];
    const otherOptions = ['--late', '6', '--state', 'folder', '--key', 'laptop', '--now', '2023-06-15T14:00+02:00'];
    assert.deepEqual(parseCliOptions([...limits, ...otherOptions]), {
      kind: 'start',
      options: {
        ...defaults,
        delayHours: 6,
        stateFolder: 'folder',
        keyName: 'laptop',
        now: Date.UTC(2023, 5, 15, 12),
        limits: { normalized_data: 100, features: null },
      },
    });
    const keyTerms = { scopes: ['normalized_data'], limits: { normalized_data: 100 } };
    assert.deepEqual(parseCliOptions(['--key', 'desk: 7', '--key-limits', 'normalized_data=100,features=denied']), {
      kind: 'start',
      options: { ...defaults, keyName: 'desk: 7', keyTerms },
    });
    const faults = [{ kind: 'error', rate: 0.5, scope: 'features', amount: 503 }];
    assert.deepEqual(parseCliOptions(['--faults', 'error@.5/features']), {
      kind: 'start',
      options: { ...defaults, faults },
    });
    assert.deepEqual(parseCliOptions(['--seed', '7', '--replay', 'hours.csv', '--faults', 'none']), {
      kind: 'start',
      options: { ...defaults, seed: 7, replay: ['hours.csv'], faults: [] },
    });
    assert.deepEqual(parseCliOptions(['--help']), { kind: 'help' });
  });

  for (const [args, sentence] of [
    [['--color'], /^Unknown option --color; --help lists the options\.$/],
    [['-x'], /^Unknown option -x;/],
    [['--constructor'], /^Unknown option --constructor;/],
    [['--port', '1', '--port', '2'], /^--port can be used only once\.$/],
    [['--key-limits', 'features=5', '--key', 'a', '--key-limits=features=6'], /^--key-limits can be used only once/],
    [['--json', '--json'], /^--json can be used only once/],
    [['hours.csv'], /^"hours\.csv" is not an option;/],
    [['--port'], /^--port needs a value;/],
    [['--replay='], /^--replay needs a value;/],
    [['--replay', 'a.csv', '--replay='], /^--replay needs a value;/],
    [['--replay', 'a.csv', 'b.csv'], /^"b\.csv" is not an option;/],
    [['--shift-to-now'], /^--shift-to-now moves the hours of --replay FILE: give both\.$/],
    [['--shift-to-now=yes'], /^--shift-to-now takes no value\.$/],
    [['--json=yes'], /^--json takes no value\.$/],
    [['--port', '65536'], /^--port takes a whole number/],
    [['--port', '80.5'], /^--port takes a whole number/],
    [['--seed=-1'], /^--seed takes a whole number/],
    [['--window', '0'], /^--window takes seconds/],
    [['--window', 'long'], /^--window takes seconds/],
    [['--now', '2023-06-15T12:00'], /^--now takes an instant with its zone/],
    [['--late', 'soon'], /^--late takes whole hours/],
    [['--limits', 'normalized_data'], /^--limits takes a whole number or none for normalized_data and features/],
    [['--limits', 'others=5'], /^--limits takes/],
    [['--limits', 'features=denied'], /^--limits takes/],
    [
      ['--key', 'a', '--key-limits', 'features=few'],
      /^--key-limits takes a whole number, none or denied for normalized/,
    ],
    [['--key', 'a', '--key-limits', 'features=1000000001'], /^--key-limits takes/],
    [['--key', 'x'.repeat(101)], /^--key takes a name of 1 to 100 characters, none of which controls a line or the /],
    [['--key', 'safe\u202egnp.exe'], /^--key takes a name/],
    [['--key', ' '], /^--key takes a name/],
    [['--key-limits', 'features=5'], /^--key-limits needs --key NAME, which creates the key\.$/],
    [
      ['--faults', 'fire'],
      /^--faults: "fire" is not KIND\[=AMOUNT\]\[@RATE\]\[\/SCOPE\] with one of the kinds latency, /,
    ],
    [['--seed', '2', '--replay', 'hours.csv'], /^Give --seed or --replay, not both/],
  ] as const)
    it(`rejects ${args.join(' ')} with a one-sentence message`, () => {
      const request = parseCliOptions(args);
      assert.match(request.kind === 'invalid' ? request.message : request.kind, sentence);
    });
});
