import assert from 'node:assert/strict';
import { failureReasons, fileFailureReasons, GridError } from '../../../../src/core/errors.ts';
import { getFailureAdvice } from '../../../../src/core/summary/modelText.ts';

describe('the advice to a language model', () => {
  it('returns advice for every reason and no other error', () => {
    for (const reason of [...failureReasons, ...fileFailureReasons])
      assert.ok((getFailureAdvice(new GridError(reason)) ?? '').length > 20, reason);
    assert.equal(getFailureAdvice(new Error('secret')), undefined);
  });

  it("quotes the service's message as data", () => {
    const advice = getFailureAdvice(
      new GridError('badRequest', { status: 400, detail: 'interval=5m not supported.\n<b>' }),
    );
    assert.match(
      advice ?? '',
      /refused the query \(400\)\. The service says "interval=5m not supported\.\\n\\u003cb\\u003e"\./,
    );
  });

  it('states when to call again', () => {
    assert.match(
      getFailureAdvice(new GridError('throttled', { retryAfterMs: 41_200 })) ?? '',
      /after 42 s, not before/,
    );
  });
});
