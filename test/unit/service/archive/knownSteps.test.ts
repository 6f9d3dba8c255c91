import assert from 'node:assert/strict';
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { formatInstant } from '../../../../src/core/time/instant.ts';
import { frameOf } from '../../../../src/core/decode/decode.ts';
import { seriesName } from '../../../../src/service/archive/months.ts';
import { fileVersion, notesPlace, seal, withNotes } from '../../../../src/service/archive/seal.ts';
import { MemoryArchive } from '../gridWorld.ts';
import { hourMs, series, testArchive, unsyncedFs, type TestArchive } from './archiveSetUp.ts';
import { manyRuns } from '../../../support/manyRuns.ts';

const start = Date.UTC(2023, 0, 30);

/** Rows at these hours after the start; every fifth reading is null. */
function answerAt(hours: readonly number[]) {
  const rows = hours.map(at => ({
    ts: formatInstant(start + at * hourMs),
    wind_mw: at % 5 === 0 ? null : at,
    version: 'v1',
    ...(at > 300 && { late_mw: at }),
  }));
  return { frame: frameOf(rows), askedAt: Date.UTC(2023, 5, 1), meta: {} };
}

describe('which steps the archive knows', () => {
  let test: TestArchive;
  let readBytes: number;
  beforeEach(() => {
    readBytes = 0;
    test = testArchive({
      fs: {
        ...unsyncedFs,
        open: async (...asked) => {
          const handle = await open(...asked);
          const read = handle.read.bind(handle) as (...place: unknown[]) => Promise<{ bytesRead: number }>;
          const counting = async (...place: unknown[]): Promise<{ bytesRead: number }> => {
            const done = await read(...place);
            readBytes += done.bytesRead;
            return done;
          };
          return Object.assign(handle, { read: counting });
        },
      },
    });
  });

  it('are those that reading the rows finds, of any hours', async () => {
    const hours = fc.uniqueArray(fc.nat(900), { minLength: 1, maxLength: 60 });
    const spans = fc.tuple(fc.nat(900), fc.integer({ min: 1, max: 400 }));
    await fc.assert(
      fc.asyncProperty(hours, spans, spans, async (at, [from, length], [asked, askedLength]) => {
        const model = new MemoryArchive();
        await test.archive.clear();
        const answered = { start: start + asked * hourMs, end: start + (asked + askedLength) * hourMs };
        const inside = at.filter(hour => hour >= asked && hour < asked + askedLength).sort((a, b) => a - b);
        for (const archive of [model, test.archive]) await archive.merge(series, hourMs, answered, answerAt(inside));
        const span = { start: start + from * hourMs, end: start + (from + length) * hourMs };
        const [expected, found] = await Promise.all(
          [model, test.archive].map(async archive => archive.readSteps(series, hourMs, span)),
        );
        assert.deepEqual(found?.hasRow, expected?.hasRow);
        assert.deepEqual(found?.askedAt, expected?.askedAt);
        for (const [name, values] of expected?.hasValue ?? []) assert.deepEqual(found?.hasValue.get(name), values);
      }),
      { numRuns: manyRuns(60) },
    );
  });

  it('take a seventh of the bytes that the rows of ten years have', async () => {
    const numbers = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`column_${index}_mw`, index + 0.5]));
    const years = { start: Date.UTC(2013, 0, 1), end: Date.UTC(2023, 0, 1) };
    const count = (years.end - years.start) / hourMs;
    const values = Float64Array.from({ length: count }, (_, row) => years.start + row * hourMs);
    const frame = {
      rowCount: count,
      columns: [
        { kind: 'time' as const, name: 'ts', path: ['ts'], values },
        ...Object.keys(numbers).map(name => ({ kind: 'number' as const, name, path: [name], values })),
      ],
    };
    await test.archive.merge(series, hourMs, years, { frame, askedAt: Date.UTC(2023, 5, 1), meta: {} });
    const folder = join(test.folder, seriesName(series));
    const onDisk = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    readBytes = 0;
    const known = await test.archive.readSteps(series, hourMs, years);
    assert.ok(known.hasRow.every(there => there === 1));
    assert.equal(known.hasValue.size, 16);
    assert.ok(readBytes > 0 && readBytes < onDisk / 7, `${readBytes} of ${onDisk} bytes`);
  });

  it('are none in a file that is cut off, of another kind or newer', async () => {
    const span = { start, end: start + 24 * hourMs };
    await test.archive.merge(series, hourMs, span, answerAt([1, 2, 3]));
    const file = join(test.folder, seriesName(series), '2023-01.arrow');
    const good = readFileSync(file);
    const place = await notesPlace(good, 0, async () => Promise.resolve());
    assert.ok(place);
    const newer = withNotes(good, good.toString('utf8', place.start, place.end), fileVersion + 1);
    seal(newer);
    appendFileSync(file, 'x');
    const longer = await test.archive.readSteps(series, hourMs, span);
    for (const bytes of [Buffer.alloc(0), Buffer.from('ARROW1'), Buffer.alloc(50_000, 7), newer]) {
      writeFileSync(file, bytes);
      const known = await test.archive.readSteps(series, hourMs, span);
      assert.deepEqual([known.hasRow, known.askedAt], [new Uint8Array(24), new Float64Array(24)]);
    }
    assert.deepEqual(longer.hasRow, new Uint8Array(24));
    assert.deepEqual(test.logged, []);
  });
});
