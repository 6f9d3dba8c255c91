import assert from 'node:assert/strict';
import { queryLanguages, queryLanguagesOn } from '../../../../src/core/snippets/querySnippets.ts';

describe('the languages of query snippets', () => {
  it('begin with the shell that Windows has, and are the same ones everywhere', () => {
    assert.deepEqual(queryLanguagesOn('linux'), queryLanguages);
    assert.equal(queryLanguagesOn('win32')[0], 'powerShell');
    assert.deepEqual([...queryLanguagesOn('win32')].sort(), [...queryLanguages].sort());
  });
});
