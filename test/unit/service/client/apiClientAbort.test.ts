import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { until } from '../../../support/until.ts';
import { budgetAt, catchFailure, headRead, limit, requestTo, setUpClient } from './clientSetUp.ts';
import { head, respondInTurn, reply, startFaultServer } from './faultServer.ts';
import type { Responder, FaultServer } from './faultServer.ts';

describe('ApiClient when the caller aborts', () => {
  let server: FaultServer;
  const start = async (response: Responder) => (server = await startFaultServer(response));
  afterEach(() => server.close());

  /** Aborts once `ready` returns true. The call must be cancelled and leave no open sockets. */
  async function abortWhen(ready: () => boolean, client: ReturnType<typeof setUpClient>, requestsSpent: number) {
    const aborter = new AbortController();
    const failure = catchFailure(client.client.get(requestTo(server.baseUrl, { signal: aborter.signal })));
    await until('the moment to abort', ready);
    aborter.abort();
    // Without the abort, the call would end with a response or a timeout.
    const error = await failure;
    assert.equal(error.reason, 'cancelled');
    assert.deepEqual(error.facts, { requestsSpent });
    assert.equal(getEventListeners(aborter.signal, 'abort').length, 0);
    const hits = server.requests.length;
    await until(
      'no open socket',
      () => server.openSockets,
      open => open === 0,
    );
    assert.equal(server.requests.length, hits);
  }

  it('sends no request when aborted before the start', async () => {
    await start(reply(200, '1'));
    const { client } = setUpClient();
    const error = await catchFailure(client.get(requestTo(server.baseUrl, { signal: AbortSignal.abort() })));
    assert.equal(error.reason, 'cancelled');
    assert.equal(server.requests.length, 0);
  });

  it('sends no request when aborted while waiting for a permit', async () => {
    await start(reply(200, '1'));
    const setUp = setUpClient();
    const permit = await setUp.limiter.acquire(budgetAt(server.baseUrl), limit);
    permit.release({ throttledUntil: Date.now() + 60_000 });
    await abortWhen(() => true, setUp, 0);
    assert.equal(server.requests.length, 0);
  });

  it('closes the connection when aborted before the headers', async () => {
    await start(() => undefined);
    await abortWhen(() => server.requests.length === 1, setUpClient(), 1);
  });

  it('closes the connection when aborted inside the body', async () => {
    let isRead = false;
    void headRead().then(() => (isRead = true));
    await start(socket => void socket.write(`${head(200, 'Content-Length: 99')}{"da`));
    await abortWhen(() => isRead, setUpClient(), 1);
  });

  it('makes no retry when aborted while waiting for it', async () => {
    await start(respondInTurn(reply(503, '', 'Retry-After: 20'), reply(200, '1')));
    const setUp = setUpClient();
    await abortWhen(() => setUp.lines.length === 1, setUp, 1);
    assert.equal(server.requests.length, 1);
  });

  it('leaves no listener on the signal after the response', async () => {
    await start(reply(200, '1'));
    const aborter = new AbortController();
    await setUpClient().client.get(requestTo(server.baseUrl, { signal: aborter.signal }));
    assert.equal(getEventListeners(aborter.signal, 'abort').length, 0);
  });
});
