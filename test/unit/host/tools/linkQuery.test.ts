import assert from 'node:assert/strict';
import fc from 'fast-check';
import { resolveQuery, countIntervals } from '../../../../src/core/query/query.ts';
import { hostileLinks } from '../../../hostile/links.ts';
import { parseLinkQuery, serializeLinkQuery } from '../../../../src/host/tools/linkQuery.ts';

/** Decodes the query of a link once, as VS Code's `Uri.parse` does. */
function decodeOnce(link: string): string {
  return decodeURIComponent(/^vscode:[^?#]*\?([^#]*)/.exec(link)?.[1] ?? '');
}

function roundTrip(parameters: Record<string, string>): Record<string, string> {
  return Object.fromEntries(parseLinkQuery(decodeOnce(`vscode://grid.data/open?${serializeLinkQuery(parameters)}`)));
}

describe('the query of a link', () => {
  it('round-trips a query through VS Code, whatever characters it has', () => {
    const parameters = {
      connection: 'Ops & planning = 100 % + #1?',
      'param.a&b=c': 'x&range=last 1 hour',
      'param.note': '%26 %2525 a+b é😀 "quoted"/slashed',
      'param.empty': '',
    };
    assert.deepEqual(roundTrip(parameters), parameters);
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), pairs => {
        const input = Object.fromEntries(pairs.filter(([name]) => name !== '__proto__'));
        assert.deepEqual(roundTrip(input), input);
      }),
    );
  });

  it('reads a hand-written link that is encoded once', () => {
    const query = decodeOnce('vscode://grid.data/open?dataset=systemState&range=last%207%20days&dataset=x');
    assert.deepEqual(
      parseLinkQuery(query),
      new Map([
        ['dataset', 'systemState'],
        ['range', 'last 7 days'],
      ]),
    );
  });

  it('drops a lone surrogate without failing', () => {
    assert.deepEqual(roundTrip({ 'param.note': 'a\uD83Db' }), { 'param.note': 'a\uFFFDb' });
  });
});

/** The outcome of each hostile link (a problem or a number of intervals) and the number of its names. */
const outcomes: Readonly<Record<string, readonly [outcome: string | number, names: number]>> = {
  'a century of minutes': ['tooManySteps', 3],
  'a century of minutes, backwards': ['endNotAfterStart', 3],
  'ten thousand years': ['noSuchDate', 3],
  'a million years': ['tooLong', 2],
  'minutes until now': ['tooManySteps', 3],
  'a century of seconds': ['tooManySteps', 3],
  'an interval of no length': ['badInterval', 3],
  'an interval that is a word': ['badInterval', 3],
  'a range of 1 MB of periods': ['notUnderstood', 2],
  'a range of 1 MB of periods and spaces': ['notUnderstood', 2],
  'a range of 1 MB of digits': ['notUnderstood', 2],
  '200,000 parameters': [8, 200_002],
  '200,000 equal parameters': [8, 3],
  'a parameter of 1 MB': [8, 3],
  'a dataset of 1 MB': ['unknownDataset', 2],
  'a connection of 1 MB': [8, 3],
  'only separators': ['unknownDataset', 0],
  'broken encodings': ['notUnderstood', 4],
  'names of built-in object members': [8, 5],
};

describe('the query of a hostile link', () => {
  for (const { name, query } of hostileLinks) {
    it(`reads every name of a hostile link, and resolves it to few intervals or to a problem: ${name}`, () => {
      const parameters = parseLinkQuery(query);
      const [dataset = '', range = '', interval = '1h'] = ['dataset', 'range', 'interval'].map(part =>
        parameters.get(part),
      );
      const now = Date.parse('2026-11-21T08:05Z');
      const resolved = resolveQuery({ dataset, range, interval, params: {}, timeZone: 'UTC' }, now);
      assert.deepEqual(
        [resolved.ok ? countIntervals(resolved.value) : resolved.problem, parameters.size],
        outcomes[name],
      );
    });
  }
});
