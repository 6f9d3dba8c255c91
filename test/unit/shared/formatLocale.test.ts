import assert from 'node:assert/strict';
import { usableLocale } from '../../../src/shared/formatLocale.ts';

describe('usableLocale', () => {
  it('takes the languages of VS Code, and English for what is none', () => {
    assert.equal(usableLocale('zh-cn'), 'zh-CN');
    assert.equal(usableLocale('de'), 'de');
    assert.equal(usableLocale('pt_BR'), 'en');
    assert.equal(usableLocale(''), 'en');
  });
});
