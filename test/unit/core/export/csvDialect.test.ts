import assert from 'node:assert/strict';
import { getCsvDialect, findSpreadsheetLocale } from '../../../../src/core/export/delimited.ts';

const createEnvironment = (osLocale: unknown) => ({
  VSCODE_NLS_CONFIG: JSON.stringify({ userLocale: 'en', osLocale }),
});

describe('the dialect of a CSV file', () => {
  it('separates columns by semicolons if numbers have a decimal comma', () => {
    assert.deepEqual(
      ['en-ZA', 'af', 'de', 'en', 'en-US', 'ja'].map(locale => getCsvDialect(locale)),
      ['semicolon', 'semicolon', 'semicolon', 'standard', 'standard', 'standard'],
    );
  });

  it("follows the display language, or the operating system's locale if the display language is English", () => {
    assert.equal(findSpreadsheetLocale('en', createEnvironment('en-za')), 'en-ZA');
    assert.equal(findSpreadsheetLocale('en', createEnvironment('de')), 'de');
    assert.equal(findSpreadsheetLocale('de', createEnvironment('en-us')), 'de');
    assert.equal(findSpreadsheetLocale('af', {}), 'af');
    assert.equal(findSpreadsheetLocale('en', { LANG: 'en_ZA.UTF-8' }), 'en-ZA');
    assert.equal(findSpreadsheetLocale('en', { LC_NUMERIC: 'de_DE@euro', LANG: 'en_US.UTF-8' }), 'de-DE');
    assert.equal(
      findSpreadsheetLocale('en', { LC_ALL: 'en_GB.UTF-8', LC_NUMERIC: 'de_DE', ...createEnvironment('en-za') }),
      'en-GB',
    );
    // On a remote server, the environment variables do not describe the user.
    assert.equal(findSpreadsheetLocale('en', { LANG: 'C.UTF-8', ...createEnvironment('en-za') }), 'en-ZA');
  });

  it('does not require a locale of the operating system', () => {
    const unusable = [
      {},
      { LANG: 'C' },
      { LC_ALL: 'POSIX' },
      { LANG: '' },
      { VSCODE_NLS_CONFIG: '{' },
      createEnvironment(7),
      createEnvironment('en'),
    ];
    for (const env of unusable) assert.equal(findSpreadsheetLocale('en', env), 'en', JSON.stringify(env));
  });
});
