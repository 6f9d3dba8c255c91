import assert from 'node:assert/strict';
import { AnswerReader } from '../../../../src/service/client/answerReader.ts';
import { hostileAnswers } from '../../../hostile/answers.ts';
import { turnsWithin } from './turnsWithin.ts';

describe('AnswerReader', () => {
  const reader = new AnswerReader();
  after(async () => reader.dispose());

  for (const { name, body, shown } of hostileAnswers)
    it(`leaves the main thread responsive: ${name}`, async () => {
      const bytes = Buffer.from(body());
      const reading = reader.read([bytes], '');
      const turns = await turnsWithin(reading);
      const read = await reading;
      assert.equal(read.ok ? (read.decoded.problem ?? 'table') : 'damaged', shown);
      if (bytes.length > 200_000) assert.ok(turns > 2, `${turns} turns`);
    });
});
