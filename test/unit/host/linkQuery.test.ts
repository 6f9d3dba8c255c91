import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readLinkQuery, writeLinkQuery } from '../../../src/host/tools/linkQuery.ts';

/** As VS Code's `Uri.parse` decodes the query of a link: once. */
function asHandedOver(link: string): string {
  return decodeURIComponent(/^vscode:[^?#]*\?([^#]*)/.exec(link)?.[1] ?? '');
}

function cameBack(asked: Record<string, string>): Record<string, string> {
  return Object.fromEntries(readLinkQuery(asHandedOver(`vscode://grid.data/open?${writeLinkQuery(asked)}`)));
}

describe('what a link asks', () => {
  it('comes back through VS Code, whatever characters are in it', () => {
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

  it('is read also of a link somebody wrote by hand, encoded once', () => {
    const query = asHandedOver('vscode://grid.data/open?dataset=systemState&range=last%207%20days&dataset=x');
    assert.deepEqual(
      readLinkQuery(query),
      new Map([
        ['dataset', 'systemState'],
        ['range', 'last 7 days'],
      ]),
    );
  });

  it('loses half a surrogate pair, and does not fail', () => {
    assert.deepEqual(cameBack({ 'param.note': 'a\uD83Db' }), { 'param.note': 'a\uFFFDb' });
  });
});
