import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { readDemoOptions } from '../../../scripts/demo/demoOptions.mjs';

describe('the command line of the demo', () => {
  const parse = (...args: string[]) => readDemoOptions(args, path => path === 'day.csv');

  it('needs no options', () => {
    assert.deepEqual(parse(), { kind: 'start', options: { port: 0, open: true, shift: false } });
  });

  it('accepts every option', () => {
    assert.deepEqual(parse('--port', '8080', '--no-open', '--replay', 'day.csv', '--shift', '--range=yesterday'), {
      kind: 'start',
      options: { port: 8080, open: false, shift: true, range: 'yesterday', replay: resolve('day.csv') },
    });
    assert.deepEqual(parse('--service', 'http://127.0.0.1:9/'), {
      kind: 'start',
      options: { port: 0, open: true, shift: false, service: 'http://127.0.0.1:9/' },
    });
  });

  it('prints its help', () => {
    assert.deepEqual(parse('--help'), { kind: 'help' });
  });

  const wrong: readonly (readonly [string[], RegExp])[] = [
    [['--bogus'], /^Unknown option --bogus/],
    [['--toString'], /^Unknown option --toString/],
    [['day.csv'], /"day\.csv" is not an option/],
    [['--port'], /^--port needs a value/],
    [['--port', 'x'], /^--port takes a whole number/],
    [['--port', '65536'], /^--port takes a whole number/],
    [['--no-open=yes'], /^--no-open takes no value/],
    [['--replay', 'gone.csv'], /^There is no file gone\.csv\.$/],
    [['--service', 'ftp://example.com'], /^--service takes https/],
    [['--shift'], /^--shift moves the hours of --replay FILE/],
    [['--service', 'http://example.com', '--replay', 'day.csv'], /not both/],
  ];
  for (const [args, message] of wrong)
    it(`rejects ${args.join(' ')} with a message`, () => {
      const request = parse(...args);
      assert.match(request.kind === 'invalid' ? request.message : request.kind, message);
    });
});
