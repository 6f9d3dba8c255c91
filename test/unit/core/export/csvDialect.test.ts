import assert from 'node:assert/strict';
import { getCsvDialect, findSpreadsheetLocale } from '../../../../src/core/export/delimited.ts';

const vscode = (osLocale: unknown) => ({ VSCODE_NLS_CONFIG: JSON.stringify({ userLocale: 'en', osLocale }) });

describe('the dialect of a CSV file', () => {
  it('separates columns by semicolons where numbers have a decimal comma', () => {
    assert.deepEqual(
      ['en-ZA', 'af', 'de', 'en', 'en-US', 'ja'].map(locale => getCsvDialect(locale)),
      ['semicolon', 'semicolon', 'semicolon', 'standard', 'standard', 'standard'],
    );
  });

  it("follows the display language, or the operating system's locale where that is English", () => {
    assert.equal(findSpreadsheetLocale('en', vscode('en-za')), 'en-ZA');
    assert.equal(findSpreadsheetLocale('en', vscode('de')), 'de');
    assert.equal(findSpreadsheetLocale('de', vscode('en-us')), 'de');
    assert.equal(findSpreadsheetLocale('af', {}), 'af');
    assert.equal(findSpreadsheetLocale('en', { LANG: 'en_ZA.UTF-8' }), 'en-ZA');
    assert.equal(findSpreadsheetLocale('en', { LC_NUMERIC: 'de_DE@euro', LANG: 'en_US.UTF-8' }), 'de-DE');
    assert.equal(
      findSpreadsheetLocale('en', { LC_ALL: 'en_GB.UTF-8', LC_NUMERIC: 'de_DE', ...vscode('en-za') }),
      'en-GB',
    );
    // In a window on a server in a container, the container's variables do not describe the user.
    assert.equal(findSpreadsheetLocale('en', { LANG: 'C.UTF-8', ...vscode('en-za') }), 'en-ZA');
  });

  it('does without a locale of the operating system', () => {
    const unusable = [
      {},
      { LANG: 'C' },
      { LC_ALL: 'POSIX' },
      { LANG: '' },
      { VSCODE_NLS_CONFIG: '{' },
      vscode(7),
      vscode('en'),
    ];
    for (const env of unusable) assert.equal(findSpreadsheetLocale('en', env), 'en', JSON.stringify(env));
  });
});
