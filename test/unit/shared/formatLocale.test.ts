import assert from 'node:assert/strict';
import { usableLocale } from '../../../src/shared/formatNumber.ts';

describe('usableLocale', () => {
  it("accepts VS Code's languages, and uses English for an invalid one", () => {
    assert.equal(usableLocale('zh-cn'), 'zh-CN');
    assert.equal(usableLocale('de'), 'de');
    assert.equal(usableLocale('pt_BR'), 'en');
    assert.equal(usableLocale(''), 'en');
  });
});
