import assert from 'node:assert/strict';
import type { PageMessage } from '../../../src/shared/protocol.ts';
import { HostLink } from '../../../src/webview/hostLink.ts';

describe('HostLink', () => {
  it('matches each response to its request by number', async () => {
    const sent: PageMessage[] = [];
    const link = new HostLink({
      postMessage: message => sent.push(message),
      getState: () => null,
      setState: () => undefined,
    });
    const first = link.request({ type: 'ready' });
    const second = link.request({ type: 'act', action: 'refresh' });
    assert.deepEqual(sent, [
      { type: 'ready', id: 1 },
      { type: 'act', action: 'refresh', id: 2 },
    ]);
    link.settle({ type: 'reply', id: 2, error: 'No.' });
    link.settle({ type: 'reply', id: 1 });
    link.settle({ type: 'reply', id: 99 });
    assert.equal(await second, 'No.');
    assert.equal(await first, undefined);
  });
});
