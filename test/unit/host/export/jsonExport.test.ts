import assert from 'node:assert/strict';
import { formatJsonPieces } from '../../../../src/core/json/formatJson.ts';
import { jsonChunks, jsonSize, jsonExportText } from '../../../../src/host/export/exportContent.ts';

const createJson = (hours: number): string =>
  JSON.stringify({
    data: Array.from({ length: hours }, (_, hour) => ({ ts: `hour ${hour}`, outlook: 'reën, µ, 🌩', hour })),
  });

describe('exporting JSON without a table', () => {
  // Below the length up to which texts are formatted, and far above it.
  for (const [millions, hours] of [
    [1, 10_000],
    [23, 400_000],
  ] as const)
    it(`yields to other work while it exports ${millions} million characters`, async () => {
      const text = createJson(hours);
      assert.equal(Math.round(text.length / 1e6), millions);
      const expectedBytes = Buffer.from([...formatJsonPieces(text)].join(''));
      const written = await countTurns(async () => {
        const chunks: Uint8Array[] = [];
        for await (const chunk of jsonChunks(text)) chunks.push(chunk);
        return chunks;
      });
      // About one event-loop turn per piece; the length of pieces does not depend on that of the text.
      const minTurns = Math.floor(expectedBytes.length / 150_000);
      assert.ok(written.turns >= minTurns, `${written.turns} turns`);
      assert.ok(written.value.every(({ length }) => length < 150_000));
      assert.ok(Buffer.concat(written.value).equals(expectedBytes));
      const asText = await countTurns(async () => jsonExportText(text));
      assert.ok(asText.turns >= minTurns && Buffer.from(asText.value).equals(expectedBytes));
      const size = await countTurns(async () => jsonSize(text));
      assert.ok(size.turns >= minTurns && size.value === expectedBytes.length);
    });

  it('stops when canceled', async () => {
    const stop = new AbortController();
    const chunks = jsonChunks(createJson(10_000), { signal: stop.signal });
    assert.equal((await chunks.next()).done, false);
    stop.abort();
    await assert.rejects(chunks.next(), { reason: 'cancelled' });
    await assert.rejects(jsonExportText('[]', { signal: stop.signal }), { reason: 'cancelled' });
  });
});

/** Returns the result of the work, and how many event-loop turns other work had in the meantime. */
async function countTurns<T>(work: () => Promise<T>): Promise<{ value: T; turns: number }> {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const value = await work();
  isOver = true;
  return { value, turns };
}
