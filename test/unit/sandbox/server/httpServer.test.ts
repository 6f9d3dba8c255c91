import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { close, createHttpServer, listen } from '../../../../src/sandbox/embedded.ts';

describe('createHttpServer', () => {
  it('disconnects a client that does not read its response', async () => {
    const server = createHttpServer({ headMs: 5_000, requestMs: 5_000, idleMs: 100 });
    const port = await listen(server, 0);
    const client = connect(port, '127.0.0.1').on('error', () => undefined);
    try {
      const [served] = (await once(server, 'connection')) as [Socket];
      const closed = once(served, 'close');
      server.on('request', (_request, response) => {
        const megabyte = Buffer.alloc(1_048_576);
        // The client reads only what fits into the network buffers.
        while (response.write(megabyte));
      });
      client.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
      await closed;
      assert.equal(served.destroyed, true);
    } finally {
      client.destroy();
      await close(server);
    }
  });
});
