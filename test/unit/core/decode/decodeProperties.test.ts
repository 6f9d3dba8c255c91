import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decode, recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { parseJson } from '../../../../src/core/json/json.ts';
import { generateRecords } from '../../../../src/core/frame/records.ts';
import { toJsonRecords } from '../../../support/receivedText.ts';
import { cellState, type Frame } from '../../../../src/shared/frame.ts';
import {
  recordsWithExact,
  recordsWithNull,
  spreadNullParentsInRecords,
  recordsWithoutNull,
  type JsonRecord,
} from './records.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const runs = { numRuns: scaleRunCount(500) };

describe('decoding records into a frame', () => {
  it('restores records exactly when no field is null', () => {
    fc.assert(
      fc.property(recordsWithoutNull, records => {
        assert.deepEqual([...generateRecords(recordsToFrame(records))], records);
      }),
      runs,
    );
  });

  it('restores records with nulls in the fields of a null parent', () => {
    fc.assert(
      fc.property(recordsWithNull, records => {
        const rows = spreadNullParentsInRecords([...generateRecords(recordsToFrame(records))]);
        assert.deepEqual(rows, spreadNullParentsInRecords(records));
      }),
      runs,
    );
  });

  it('restores records from any JSON', () => {
    const record = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }), { noNullPrototype: true });
    fc.assert(
      fc.property(fc.array(record, { maxLength: 5 }), generated => {
        const records = JSON.parse(JSON.stringify(generated)) as JsonRecord[];
        const rows = spreadNullParentsInRecords([...generateRecords(recordsToFrame(records))]);
        assert.deepEqual(rows, spreadNullParentsInRecords(records));
      }),
      runs,
    );
  });

  it('restores records from the JSON export to the last digit', () => {
    fc.assert(
      fc.property(recordsWithExact, records => {
        const parsed = parseJson(toJsonRecords(recordsToFrame(records)));
        assert.ok(parsed.ok);
        assert.deepEqual(spreadNullParentsInRecords(parsed.value as unknown[]), spreadNullParentsInRecords(records));
      }),
      runs,
    );
  });

  it('exports the rows that rowsOf returns', () => {
    fc.assert(
      fc.property(recordsWithNull, records => {
        const frame = recordsToFrame(records);
        assert.deepEqual(JSON.parse(toJsonRecords(frame)), [...generateRecords(frame)]);
      }),
      runs,
    );
  });

  it('gives each column a unique name and path, with one cell per row', () => {
    fc.assert(
      fc.property(recordsWithExact, records => {
        const frame = recordsToFrame(records);
        const paths = frame.columns.map(({ path }) => JSON.stringify(path));
        assert.equal(new Set(paths).size, paths.length);
        assert.equal(new Set(frame.columns.map(({ name }) => name)).size, paths.length);
        checkLengths(frame, records.length);
      }),
      runs,
    );
  });

  it('restores the same records from two pages as from one', () => {
    fc.assert(
      fc.property(recordsWithNull, fc.nat(6), (records, cut) => {
        const pages = [records.slice(0, cut), records.slice(cut)].map(data => ({ data }));
        const { frame } = decode(pages);
        assert.ok(frame);
        assert.deepEqual([...generateRecords(frame)], [...generateRecords(recordsToFrame(records))]);
      }),
      runs,
    );
  });
});

function checkLengths(frame: Frame, rowCount: number): void {
  assert.equal(frame.rowCount, rowCount);
  for (const column of frame.columns) {
    if (column.gaps) {
      assert.equal(column.gaps.length, rowCount);
      assert.ok(column.gaps.some(state => state !== cellState.value));
    }
    if ('values' in column) assert.equal(column.values.length, rowCount);
    const texts = 'texts' in column ? column.texts : column.kind === 'time' ? column.received : undefined;
    if (!texts) continue;
    assert.equal(texts.codes.length, rowCount);
    assert.ok(texts.codes.every(code => code < texts.entries.length));
  }
}
