import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { MessageParser, writeMessage } from '../../../../src/service/reader/messageStream.ts';

const values = Float64Array.from({ length: 10_000 }, (_, index) => index / 3);
const messages = [
  { kind: 'small', text: 'ü\0', none: undefined, empty: new Float64Array() },
  {
    values,
    again: values,
    part: values.subarray(5, 9),
    codes: Uint32Array.of(1, 2 ** 32 - 1),
    signed: Int32Array.of(-1),
    gaps: Uint8Array.of(0, 1, 2),
    buffer: Buffer.from('abc'),
  },
  ['the next'],
];

describe('messages to and from the reader', () => {
  for (const size of [1, 7, 4096, 1_000_000])
    it(`assembles messages and their arrays from chunks of ${size} bytes`, async () => {
      const stream = new PassThrough({ highWaterMark: 1e9 });
      for (const message of messages) await writeMessage(stream, message);
      const bytes = stream.read() as Buffer;
      const received: unknown[] = [];
      const parser = new MessageParser(message => received.push(message));
      for (let offset = 0; offset < bytes.length; offset += size) parser.push(bytes.subarray(offset, offset + size));
      const [first, second, third] = received as [unknown, { values: unknown; again: unknown }, unknown];
      assert.deepEqual([first, third], [messages[0], messages[2]]);
      assert.deepEqual(second, { ...(messages[1] as object), buffer: Uint8Array.from(Buffer.from('abc')) });
      // Each array has its own memory, which can be transferred.
      assert.equal(second.values, second.again);
      assert.ok(bytes.length < values.byteLength + 1_000);
    });
});
