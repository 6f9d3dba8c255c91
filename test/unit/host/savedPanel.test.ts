import assert from 'node:assert/strict';
import { readSavedPanel, savedQuestion } from '../../../src/host/panel/savedPanel.ts';

const query = { dataset: 'systemState', range: 'last 7 days', interval: '1h', params: { components: 'true' } };
const sast = { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' };

describe('a saved panel', () => {
  it('comes back as it was kept', () => {
    const question = savedQuestion(query, 'id-1', sast);
    assert.deepEqual(readSavedPanel({ question, view: { tab: 'chart' } }), { query, connection: 'id-1', zone: sast });
    assert.deepEqual(readSavedPanel({ question: savedQuestion(query, 'id-1', undefined) }), {
      ...{ query, connection: 'id-1', zone: undefined },
    });
  });

  it('is nothing where something else was kept', () => {
    const question = savedQuestion(query, 'id-1', undefined);
    for (const state of [undefined, null, 7, 'text', {}, { question: [] }, { question: { ...question, range: 7 } }])
      assert.equal(readSavedPanel(state), undefined);
    assert.equal(readSavedPanel({ question: { ...question, params: { a: 1 } } }), undefined);
    assert.equal(readSavedPanel({ question: { ...question, range: 'x'.repeat(2_000) } }), undefined);
  });

  it('forgets a zone nobody knows, not the question', () => {
    const question = { ...savedQuestion(query, 'id-1', undefined), zone: 'Mars/Olympus' };
    assert.deepEqual(readSavedPanel({ question }), { query, connection: 'id-1', zone: undefined });
  });
});
