import assert from 'node:assert/strict';
import '../../../support/fakeVscode.ts';
import { GridError } from '../../../../src/core/errors.ts';

const { describeFailure } = await import('../../../../src/host/messages/failures.ts');

describe('the message of a failure', () => {
  const sentence = (...error: ConstructorParameters<typeof GridError>) =>
    describeFailure(new GridError(...error))?.sentence;

  it('offers Set Limits after a 429', () => {
    assert.deepEqual(describeFailure(new GridError('throttled', { status: 429 }))?.actions, ['refresh', 'setLimits']);
  });

  it("states what happened and what to do next, with the service's message if there is one", () => {
    assert.equal(
      sentence('serverError', { status: 500, detail: 'boom' }),
      "The service failed (500). Try again in a few minutes. The service says: 'boom'",
    );
    assert.equal(
      sentence('throttled', { status: 429, detail: 'Request was throttled.', retryAfterMs: 5_000 }),
      "This key's request budget is used up (429). Try again in about 5 s.",
    );
    assert.equal(
      sentence('throttled', { status: 429 }),
      "This key's request budget is used up (429). Try again in about 60 s.",
    );
    assert.equal(
      sentence('damagedResponse', { status: 200 }),
      'The response is damaged. Try again; if it happens again, contact the provider.',
    );
  });

  it('shows no message for a canceled query', () => {
    assert.equal(describeFailure(new GridError('cancelled')), undefined);
  });
});
