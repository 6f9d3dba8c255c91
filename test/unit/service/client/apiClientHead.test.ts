import assert from 'node:assert/strict';
import { answerTo, failureOf, requestTo, setUpClient, testKey, textOf } from './clientSetUp.ts';
import { reply, startFaultServer, type FaultServer } from './faultServer.ts';

describe('ApiClient, the first rows of a long answer', () => {
  let server: FaultServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  /** Asks; gives what was told, in order, and the rows of what was told ahead. */
  const ask = async (body: string) => {
    server = await startFaultServer(reply(200, body));
    const events: string[] = [];
    const asking = setUpClient().client.get(
      requestTo(server.baseUrl, { onHead: records => void events.push(`head ${records.length}`) }),
    );
    return { events, asking };
  };
  const body = (note: string) =>
    JSON.stringify({ data: Array.from({ length: 4000 }, (_, row) => ({ row, note: row === 7 ? note : 'x' })) });

  it('reports the first rows before the whole response', async () => {
    const { events, asking } = await ask(body('y'));
    await answerTo(asking).then(() => events.push('whole'));
    assert.deepEqual(events, ['head 200', 'whole']);
  });

  it('reports no first rows that would show the key', async () => {
    const { events, asking } = await ask(body(testKey));
    assert.ok(!textOf(await answerTo(asking)).includes(testKey));
    assert.deepEqual(events, []);
  });

  it('fails as usual when the response is damaged after its first rows', async () => {
    const { events, asking } = await ask(body('y').replace('"row":3000', '"row":'));
    assert.equal((await failureOf(asking)).reason, 'damagedResponse');
    assert.deepEqual(events, ['head 200']);
  });
});
