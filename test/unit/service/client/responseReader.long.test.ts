import assert from 'node:assert/strict';
import { ResponseReader } from '../../../../src/service/client/responseReader.ts';
import { ReaderProcesses } from '../../../../src/service/reader/readerProcess.ts';
import { hostileResponses } from '../../../hostile/responses.ts';
import { countTurns } from './turnsWithin.ts';

describe('ResponseReader', () => {
  const readers = new ReaderProcesses();
  const reader = new ResponseReader(readers);
  after(() => readers.dispose());

  for (const { name, body, expected } of hostileResponses)
    it(`leaves the main thread responsive: ${name}`, async () => {
      const bytes = Buffer.from(body());
      const reading = reader.read([bytes], '');
      const turnCount = await countTurns(reading);
      const response = await reading;
      assert.equal(response.ok ? (response.decoded.problem ?? 'table') : 'damaged', expected);
      if (bytes.length > 300_000) assert.ok(turnCount > 2, `${turnCount} turns`);
    });
});
