import assert from 'node:assert/strict';
import { ResponseReader } from '../../../../src/service/client/responseReader.ts';
import { ReaderProcesses } from '../../../../src/service/reader/readerProcess.ts';
import { hostileAnswers } from '../../../hostile/answers.ts';
import { turnsWithin } from './turnsWithin.ts';

describe('AnswerReader', () => {
  const readers = new ReaderProcesses();
  const reader = new ResponseReader(readers);
  after(() => readers.dispose());

  for (const { name, body, shown } of hostileAnswers)
    it(`leaves the main thread responsive: ${name}`, async () => {
      const bytes = Buffer.from(body());
      const reading = reader.read([bytes], '');
      const turns = await turnsWithin(reading);
      const read = await reading;
      assert.equal(read.ok ? (read.decoded.problem ?? 'table') : 'damaged', shown);
      if (bytes.length > 300_000) assert.ok(turns > 2, `${turns} turns`);
    });
});
