import assert from 'node:assert/strict';
import { describeFault, faultKinds, parseFaultRules } from '../../../../src/sandbox/faults/faultRules.ts';

describe('parseFaultRules', () => {
  it('parses the name of each fault, with the default rate and scope', () => {
    for (const kind of Object.keys(faultKinds)) {
      const rules = parseFaultRules(kind);
      assert.ok(typeof rules !== 'string' && rules.length === 1, kind);
      assert.deepEqual([rules[0]?.kind, rules[0]?.rate, rules[0]?.scope], [kind, 1, undefined]);
    }
    assert.deepEqual(parseFaultRules('none'), []);
  });

  it('parses amount, rate and scope', () => {
    assert.deepEqual(parseFaultRules('latency=800@0.2, error=599@.05/features,reset/normalized_data'), [
      { kind: 'latency', amount: 800, rate: 0.2, scope: undefined },
      { kind: 'error', amount: 599, rate: 0.05, scope: 'features' },
      { kind: 'reset', amount: 0, rate: 1, scope: 'normalized_data' },
    ]);
  });

  it('returns rules that describeFault formats without their rate', () => {
    const rules = parseFaultRules('latency=800@0.2,reset');
    assert.deepEqual(typeof rules === 'string' ? rules : rules.map(describeFault), ['latency=800', 'reset']);
  });

  for (const [text, sentence] of [
    ['', /^"" is not KIND/],
    ['fire', /^"fire" is not KIND/],
    ['error=5xx', /^"error=5xx" is not KIND/],
    ['error@2', /^The rate in "error@2" is a share/],
    ['error@0', /^The rate in "error@0" is a share/],
    ['error=404', /^The amount of "error" \(status\) is from 500 to 599\.$/],
    ['reset=3', /^"reset" takes no amount\.$/],
    ['error/grid', /^"grid" is not a scope; there are normalized_data and features\.$/],
  ] as const)
    it(`rejects "${text}" and explains the problem`, () => {
      const parsed = parseFaultRules(text);
      assert.match(typeof parsed === 'string' ? parsed : 'valid', sentence);
    });
});
