import assert from 'node:assert/strict';
import { queryLanguages, getQueryLanguages } from '../../../../src/core/snippets/querySnippets.ts';

describe('the languages of query snippets', () => {
  it('lists the shell that Windows has first, and the same languages everywhere', () => {
    assert.deepEqual(getQueryLanguages('linux'), queryLanguages);
    assert.equal(getQueryLanguages('win32')[0], 'powerShell');
    assert.deepEqual([...getQueryLanguages('win32')].sort(), [...queryLanguages].sort());
  });
});
