import assert from 'node:assert/strict';
import { isKeyName, isKeyText, findKeyLikePart } from '../../../../src/core/savedQueries/keyLike.ts';
import { createFolder, createQuery } from './trees.ts';

describe('detecting API keys', () => {
  for (const name of [
    'key',
    'apiKey',
    'api_key',
    'X-API-KEY',
    'access-key',
    'token',
    'authToken',
    'password',
    'Authorization',
  ])
    it(`detects a field named ${name}`, () => assert.ok(isKeyName(name)));
  for (const name of ['components', 'monkey', 'keyFresh', 'range', 'hotkeys'])
    it(`ignores a field named ${name}`, () => assert.ok(!isKeyName(name)));

  it('detects a key within a text, and ignores a column name with underscores', () => {
    assert.ok(isKeyText('see sb_test_not4arealkey'));
    assert.ok(!isKeyText('wind_test_residual'));
  });

  it('detects a key in any text of an item, and returns the name of the part, not the key', () => {
    const params = { components: 'sb_test_not4arealkey' };
    const query = { dataset: 'systemState', range: 'today', interval: '1h', params, timeZone: 'UTC' };
    assert.equal(findKeyLikePart([createFolder('f', [createQuery('a', { query })])]), 'components');
    assert.equal(findKeyLikePart([createQuery('a', { connection: 'sb_test_not4arealkey' })]), 'connection');
    assert.equal(findKeyLikePart([createQuery('a', { query: { ...query, params: { token: 'x' } } })]), 'token');
    const analysis = { derive: [{ name: 'sb_test_not4arealkey', formula: 'wind_mw' }] };
    assert.equal(findKeyLikePart([createQuery('a', { analysis })]), 'analysis');
    assert.equal(
      findKeyLikePart([createQuery('a', { display: { selectedColumn: 'sb_test_not4arealkey' } })]),
      'display',
    );
    assert.equal(findKeyLikePart([createQuery('a', { note: 'see sb_test_not4arealkey' })]), 'note');
    assert.equal(findKeyLikePart([{ ...createFolder('f', []), note: 'see sb_test_not4arealkey' }]), 'note');
    assert.equal(findKeyLikePart([createQuery('a')]), undefined);
  });
});
