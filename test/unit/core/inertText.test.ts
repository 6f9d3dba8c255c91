import assert from 'node:assert/strict';
import fc from 'fast-check';
import { toInertText } from '../../../src/core/inertText.ts';
import { scaleRunCount } from '../../support/runCount.ts';

describe('inertText', () => {
  it('neutralizes links and icons and keeps them readable', () => {
    assert.equal(
      toInertText('[Sign in](command:workbench.action.terminal.new) $(sync~spin) costs $5 (a [note] (b))'),
      '[Sign in] (command:workbench.action.terminal.new) $ (sync~spin) costs $5 (a [note] (b))',
    );
  });

  it('replaces characters that hide or reorder text with visible ones on one line', () => {
    assert.equal(toInertText('\u202eevil\u202c\u2066 a\r\n\tb\u0000\u001b[31m\u200bc\ud800'), 'evil a b[31mc');
    assert.equal(toInertText(']\u200b(command:x) $\u00ad(add)'), '] (command:x) $ (add)');
  });

  it('shows a placeholder for an invisible text', () => {
    assert.deepEqual(
      ['\u200b \u202e', '\ueb32', '\u3164\u115f\u1160\uffa0\u{e0101}', ''].map(text => toInertText(text)),
      ['\ufffd', '\ufffd', '\ufffd', ''],
    );
  });

  it('keeps the start and the end of a text that is too long', () => {
    const message = toInertText(`Delete '${'x'.repeat(10_000_000)}'?`);
    assert.equal(message.length, 601);
    assert.match(message, /^Delete 'x+…x+'\?$/);
  });

  it('is idempotent, unless the text was cut', () => {
    const syntax = fc.constantFrom(...'[]()$ \u202e\u200b\n\ud800aé😀'.split(''));
    fc.assert(
      fc.property(fc.string({ unit: syntax, maxLength: 100 }), text => {
        const once = toInertText(text);
        assert.equal(toInertText(once), once);
        assert.doesNotMatch(once, /\]\(|\$\(|\p{C}|\n/u);
      }),
      { numRuns: scaleRunCount(2_000) },
    );
  });
});
