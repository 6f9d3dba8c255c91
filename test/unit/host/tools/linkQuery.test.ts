import assert from 'node:assert/strict';
import fc from 'fast-check';
import { resolveQuery, stepCount } from '../../../../src/core/query/query.ts';
import { hostileLinks } from '../../../hostile/links.ts';
import { readLinkQuery, writeLinkQuery } from '../../../../src/host/tools/linkQuery.ts';

/** As VS Code's `Uri.parse` decodes the query of a link: once. */
function asHandedOver(link: string): string {
  return decodeURIComponent(/^vscode:[^?#]*\?([^#]*)/.exec(link)?.[1] ?? '');
}

function cameBack(asked: Record<string, string>): Record<string, string> {
  return Object.fromEntries(readLinkQuery(asHandedOver(`vscode://grid.data/open?${writeLinkQuery(asked)}`)));
}

describe('the query of a link', () => {
  it('round-trips a query through VS Code, whatever characters it has', () => {
    const asked = {
      connection: 'Ops & planning = 100 % + #1?',
      'param.a&b=c': 'x&range=last 1 hour',
      'param.note': '%26 %2525 a+b é😀 "quoted"/slashed',
      'param.empty': '',
    };
    assert.deepEqual(cameBack(asked), asked);
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), pairs => {
        const made = Object.fromEntries(pairs.filter(([name]) => name !== '__proto__'));
        assert.deepEqual(cameBack(made), made);
      }),
    );
  });

  it('reads a hand-written link that is encoded once', () => {
    const query = asHandedOver('vscode://grid.data/open?dataset=systemState&range=last%207%20days&dataset=x');
    assert.deepEqual(
      readLinkQuery(query),
      new Map([
        ['dataset', 'systemState'],
        ['range', 'last 7 days'],
      ]),
    );
  });

  it('drops a lone surrogate without failing', () => {
    assert.deepEqual(cameBack({ 'param.note': 'a\uD83Db' }), { 'param.note': 'a\uFFFDb' });
  });
});

describe('the query of a hostile link', () => {
  for (const { name, query } of hostileLinks) {
    it(`reads a hostile link in one pass, and resolves it to a bounded number of steps: ${name}`, () => {
      const asked = readLinkQuery(query);
      const [dataset = '', range = '', interval = '1h'] = ['dataset', 'range', 'interval'].map(part => asked.get(part));
      const now = Date.parse('2026-11-21T08:05Z');
      const resolved = resolveQuery({ dataset, range, interval, params: {} }, now, 'UTC');
      if (resolved.ok) assert.ok((stepCount(resolved.value) ?? 0) <= 1_000_000);
    });
  }

  it('refuses a link with more steps than the limit', () => {
    const asked = readLinkQuery(hostileLinks[0]?.query ?? '');
    const query = { dataset: 'systemState', range: asked.get('range') ?? '', interval: '1m', params: {} };
    const resolved = resolveQuery(query, Date.parse('2026-11-21T08:05Z'), 'UTC');
    assert.equal(resolved.ok ? 'ok' : resolved.problem, 'tooManySteps');
  });
});
