import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatJson } from '../../../src/core/formatJson.ts';

describe('formatJson', () => {
  it('indents, and keeps every digit', () => {
    assert.equal(
      formatJson('{"a":[1,2.50],"b":12345678901234567891}'),
      '{\n  "a": [\n    1,\n    2.50\n  ],\n  "b": 12345678901234567891\n}',
    );
  });

  it('changes nothing but white space', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        assert.deepEqual(JSON.parse(formatJson(JSON.stringify(value))), JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('leaves a text alone that nobody would read', () => {
    const long = `[${'1,'.repeat(1_000_001)}1]`;
    assert.equal(formatJson(long), long);
  });
});
