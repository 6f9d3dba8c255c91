import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { fetchDocumented } from '../../../support/documentedResponses.ts';
import { startSandboxChild } from '../../../support/sandboxChild.ts';
import { noon, range, systemState } from '../fakes.ts';

const day = range(noon - 24 * 3_600_000, noon);
const tenYears = range(Date.UTC(2018, 0), Date.UTC(2028, 0));
const megabyte = 1_048_576;

async function assertResponds({ baseUrl, key }: { baseUrl: string; key: string }): Promise<void> {
  const response = await fetchDocumented(baseUrl + systemState + day, { headers: { 'x-api-key': key } });
  assert.equal(response.status, 200);
}

describe('sandbox with many connections', () => {
  it('holds 10,000 idle connections and slow readers in little memory, and frees it', async () => {
    const child = await startSandboxChild();
    const sockets: Socket[] = [];
    try {
      // Fills the caches of the sandbox, which are not part of the measurement.
      await (
        await fetch(child.baseUrl + systemState + tenYears, { headers: { 'x-api-key': child.key } })
      ).arrayBuffer();
      const initialBytes = (await child.measureUsage()).usedBytes;
      // Each side is a process with its own limit of open files.
      const fileLimit = getOpenFileLimit();
      const connectionCount = Math.min(10_000, fileLimit - 500);
      if (connectionCount < 10_000)
        console.log(`      (${connectionCount} connections: this machine allows ${fileLimit} open files a process)`);
      const port = Number(new URL(child.baseUrl).port);
      const statusLines = new Set<string>();
      while (sockets.length < connectionCount) {
        const batch = Array.from({ length: Math.min(200, connectionCount - sockets.length) }, () =>
          connect(port, '127.0.0.1'),
        );
        await Promise.all(batch.map(async socket => once(socket, 'connect')));
        for (const socket of batch)
          socket
            .on('error', () => undefined)
            .on('data', chunk => statusLines.add(chunk.toString().split('\r\n')[0] ?? ''));
        sockets.push(...batch);
      }
      const idle = [...sockets];
      for (let slow = 0; slow < 10; slow++)
        for (const encoding of ['identity', 'gzip'])
          sockets.push(await requestWithoutReading(child.baseUrl, child.key, encoding));
      await assertResponds(child);
      const heldBytes = (await child.measureUsage()).usedBytes - initialBytes;
      const open = idle.filter(({ closed }) => !closed).length;
      if (open < connectionCount)
        console.log(`      (${connectionCount - open} connections were closed before all were open)`);
      // Twenty responses of 29 MB would take 580 MB.
      assert.ok(heldBytes < 150 * megabyte, `${Math.round(heldBytes / megabyte)} MB`);
      // The timeouts of the service close them.
      await Promise.all(idle.map(async socket => socket.closed || once(socket, 'close')));
      assert.deepEqual([...statusLines], ['HTTP/1.1 408 Request Timeout']);
      for (const socket of sockets) socket.destroy();
      let remainingBytes = Number.POSITIVE_INFINITY;
      // The service notices the closed connections while it responds to other requests.
      for (let attempt = 0; attempt < 20 && remainingBytes >= 10 * megabyte; attempt++) {
        await assertResponds(child);
        remainingBytes = (await child.measureUsage()).usedBytes - initialBytes;
      }
      assert.ok(remainingBytes < 10 * megabyte, `${Math.round(remainingBytes / megabyte)} MB are left`);
    } finally {
      for (const socket of sockets) socket.destroy();
      await child.close();
    }
  });
});

/** Requests ten years and stops reading after the first bytes. */
async function requestWithoutReading(baseUrl: string, key: string, encoding: string): Promise<Socket> {
  const { port, host } = new URL(baseUrl);
  const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
  const head = [`Host: ${host}`, `X-API-KEY: ${key}`, `Accept-Encoding: ${encoding}`].join('\r\n');
  socket.write(`GET ${systemState}${tenYears} HTTP/1.1\r\n${head}\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

/** Returns the number of files and sockets that this process may have open. */
function getOpenFileLimit(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  return Number(userLimits?.open_files?.soft) || Number.POSITIVE_INFINITY;
}
