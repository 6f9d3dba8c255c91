import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { fetchDescribed } from '../../../support/describedAnswers.ts';
import { startSandboxChild } from '../../../support/sandboxChild.ts';
import { noon, range, systemState } from '../fakes.ts';

const day = range(noon - 24 * 3_600_000, noon);
const tenYears = range(Date.UTC(2018, 0), Date.UTC(2028, 0));
const megabyte = 1_048_576;

async function assertAnswers({ baseUrl, key }: { baseUrl: string; key: string }): Promise<void> {
  const response = await fetchDescribed(baseUrl + systemState + day, { headers: { 'x-api-key': key } });
  assert.equal(response.status, 200);
}

describe('sandbox among many', () => {
  it('holds 10,000 idle connections and slow readers in little memory, and frees it', async () => {
    const child = await startSandboxChild();
    const sockets: Socket[] = [];
    try {
      // What it keeps of its data, it keeps from here on.
      await (
        await fetch(child.baseUrl + systemState + tenYears, { headers: { 'x-api-key': child.key } })
      ).arrayBuffer();
      const before = (await child.use()).held;
      // Each side has a process, and so a limit of open files, of its own.
      const files = openFiles();
      const wanted = Math.min(10_000, files - 500);
      if (wanted < 10_000)
        console.log(`      (${wanted} connections: this machine allows ${files} open files a process)`);
      const port = Number(new URL(child.baseUrl).port);
      const told = new Set<string>();
      while (sockets.length < wanted) {
        const some = Array.from({ length: Math.min(200, wanted - sockets.length) }, () => connect(port, '127.0.0.1'));
        await Promise.all(some.map(async socket => once(socket, 'connect')));
        for (const socket of some)
          socket.on('error', () => undefined).on('data', chunk => told.add(chunk.toString().split('\r\n')[0] ?? ''));
        sockets.push(...some);
      }
      const idle = [...sockets];
      for (let slow = 0; slow < 10; slow++)
        for (const encoding of ['identity', 'gzip'])
          sockets.push(await askWithoutReading(child.baseUrl, child.key, encoding));
      await assertAnswers(child);
      const held = (await child.use()).held - before;
      const open = idle.filter(({ closed }) => !closed).length;
      if (open < wanted) console.log(`      (${wanted - open} connections were cut off before all were there)`);
      // Twenty answers of 29 MB would be 580.
      assert.ok(held < 150 * megabyte, `${Math.round(held / megabyte)} MB`);
      // The patience of the service ends: nobody else closes them.
      await Promise.all(idle.map(async socket => socket.closed || once(socket, 'close')));
      assert.deepEqual([...told], ['HTTP/1.1 408 Request Timeout']);
      for (const socket of sockets) socket.destroy();
      let left = Number.POSITIVE_INFINITY;
      // It hears of the last ones while it answers others.
      for (let asked = 0; asked < 20 && left >= 10 * megabyte; asked++) {
        await assertAnswers(child);
        left = (await child.use()).held - before;
      }
      assert.ok(left < 10 * megabyte, `${Math.round(left / megabyte)} MB are left`);
    } finally {
      for (const socket of sockets) socket.destroy();
      await child.close();
    }
  });
});

/** Asks for ten years and takes nothing after the first bytes. */
async function askWithoutReading(baseUrl: string, key: string, encoding: string): Promise<Socket> {
  const { port, host } = new URL(baseUrl);
  const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
  const head = [`Host: ${host}`, `X-API-KEY: ${key}`, `Accept-Encoding: ${encoding}`].join('\r\n');
  socket.write(`GET ${systemState}${tenYears} HTTP/1.1\r\n${head}\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

/** How many files (and sockets) this process may have open. */
function openFiles(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  return Number(userLimits?.open_files?.soft) || Number.POSITIVE_INFINITY;
}
