import assert from 'node:assert/strict';
import { toIntlLocale } from '../../../src/shared/formatNumber.ts';

describe('toIntlLocale', () => {
  it("accepts VS Code's languages, and uses English for an invalid one", () => {
    assert.equal(toIntlLocale('zh-cn'), 'zh-CN');
    assert.equal(toIntlLocale('de'), 'de');
    assert.equal(toIntlLocale('pt_BR'), 'en');
    assert.equal(toIntlLocale(''), 'en');
  });
});
