import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tableFromIPC } from '@uwdata/flechette';
import fc from 'fast-check';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import type { JsonObject } from '../../../../src/core/decode/envelope.ts';
import type { ArchivedResponse } from '../../../../src/service/archive/archive.ts';
import { generateRecords } from '../../../../src/core/frame/records.ts';
import { fileSystems } from '../../../support/windowsFs.ts';
import {
  dayMs,
  getFilePath,
  listFiles,
  createHourlyResponse,
  hourMs,
  listRows,
  listValues,
  series,
  createTestArchive,
  type TestArchive,
} from './archiveSetUp.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const may = Date.UTC(2023, 4, 1);
const nextYear = Date.UTC(2024, 0, 1);

function createSpan(start: number, count: number): { start: number; end: number } {
  return { start, end: start + count * hourMs };
}

for (const { name: system, isWindows, machine } of fileSystems)
  describe(`FileArchive${system}`, () => {
    let test: TestArchive;
    beforeEach(() => {
      test = createTestArchive(isWindows ? { fs: machine() } : {});
    });
    afterEach(() => assert.deepEqual(test.errors, []));

    it('returns no rows for an unknown series', async () => {
      const stored = await test.archive.read(series, hourMs, createSpan(may, 3));
      assert.deepEqual(stored, {
        frame: { rowCount: 0, columns: [] },
        requestedAt: new Float64Array(3),
        meta: {},
      });
      assert.equal(await test.archive.size(), 0);
    });

    it('returns only the archived rows of the range, also in another window', async () => {
      assert.equal(
        await test.archive.merge(series, hourMs, createSpan(may, 4), createHourlyResponse(may, [1, null, 3, 4], 77)),
        true,
      );
      const stored = await test.openAnother().read(series, hourMs, createSpan(may + hourMs, 4));
      assert.deepEqual(listValues(stored), [null, 3, 4]);
      assert.deepEqual([...stored.requestedAt], [77, 77, 77, 0]);
      assert.deepEqual(stored.meta, { requestedAt: 77 });
    });

    it('stores one file per year, and returns all hours across the turn of the year', async () => {
      const values = Array.from({ length: 48 }, (_, hour) => hour);
      await test.archive.merge(
        series,
        hourMs,
        createSpan(nextYear - dayMs, 48),
        createHourlyResponse(nextYear - dayMs, values),
      );
      assert.deepEqual(listFiles(test.folder), ['2023.arrow', '2024.arrow', 'series.json']);
      const stored = await test.archive.read(series, hourMs, createSpan(nextYear - dayMs, 48));
      assert.deepEqual(listValues(stored), values);
      assert.deepEqual(new Set(stored.requestedAt), new Set([1]));
      const file = tableFromIPC(readFileSync(getFilePath(test.folder, '2024.arrow')));
      assert.deepEqual([...file.getChild('mw')], values.slice(24));
    });

    it('lists the years and bytes of each series', async () => {
      assert.deepEqual(await test.archive.contents(), []);
      await test.archive.merge(
        series,
        hourMs,
        createSpan(nextYear - hourMs, 2),
        createHourlyResponse(nextYear - hourMs, [1, 2]),
      );
      // Folders of other programs are not listed.
      for (const name of ['2025', '2023-07.arrow', 'notes.arrow'])
        copyFileSync(getFilePath(test.folder, '2023.arrow'), getFilePath(test.folder, name));
      const [contents, ...others] = await test.archive.contents();
      assert.deepEqual(others, []);
      assert.deepEqual(contents?.series, series);
      assert.deepEqual(
        contents.years.map(({ start }) => start),
        [Date.UTC(2023, 0, 1), nextYear],
      );
      const files = ['2023.arrow', '2024.arrow'].map(name => statSync(getFilePath(test.folder, name)).size);
      assert.equal(
        contents.bytes,
        files.reduce((sum, size) => sum + size),
      );
    });

    it('describes the series of each folder in series.json', async () => {
      await test.archive.merge(
        { ...series, params: { components: 'true' } },
        hourMs,
        createSpan(may, 1),
        createHourlyResponse(may, [1]),
      );
      const about = JSON.parse(readFileSync(getFilePath(test.folder, 'series.json'), 'utf8')) as unknown;
      assert.deepEqual(about, { ...series, params: { components: 'true' } });
    });

    it('returns no rows of a series with another source, dataset, interval or parameter', async () => {
      await test.archive.merge(series, hourMs, createSpan(may, 1), createHourlyResponse(may, [1]));
      for (const otherFields of [
        { source: 'https://b.example.test' },
        { dataset: 'x' },
        { interval: '1d' },
        { params: { a: 'b' } },
      ])
        assert.equal(
          (await test.archive.read({ ...series, ...otherFields }, hourMs, createSpan(may, 1))).frame.rowCount,
          0,
        );
    });

    it('writes the units of documented fields into the Arrow file', async () => {
      const frame = recordsToFrame([{ ts: '2023-05-01T00:00:00Z', residual_demand_mw: 1 }]);
      const known = { ...series, dataset: 'system-state' };
      const { datasets } = await import('../../../../src/core/query/catalogue.ts');
      const dataset = datasets.find(({ fields }) => fields.has('residual_demand_mw'))?.id ?? '';
      await test.archive.merge({ ...known, dataset }, hourMs, createSpan(may, 1), { frame, requestedAt: 1, meta: {} });
      const { fields } = tableFromIPC(readFileSync(getFilePath(test.folder, '2023.arrow'))).schema;
      assert.equal(fields[1]?.metadata.get('unit'), 'MW');
    });

    it('remembers when hours without a row were requested', async () => {
      await test.archive.merge(series, hourMs, createSpan(may, 2), createHourlyResponse(may, [1], 5));
      await test.archive.merge(series, hourMs, createSpan(may + 2 * hourMs, 2), {
        ...createHourlyResponse(may, [], 6),
        meta: {},
      });
      const stored = await test.archive.read(series, hourMs, createSpan(may, 5));
      assert.deepEqual([...stored.requestedAt], [5, 5, 6, 6, 0]);
      assert.deepEqual(listValues(stored), [1]);
    });

    it('stores only the requested range of a response', async () => {
      await test.archive.merge(series, hourMs, createSpan(may, 2), createHourlyResponse(may - hourMs, [0, 1, 2, 3]));
      assert.deepEqual(listValues(await test.archive.read(series, hourMs, createSpan(may - dayMs, 48))), [1, 2]);
    });

    it('returns the metadata of the newest response', async () => {
      await test.archive.merge(series, hourMs, createSpan(nextYear, 1), createHourlyResponse(nextYear, [1], 20));
      await test.archive.merge(series, hourMs, createSpan(may, 1), createHourlyResponse(may, [2], 10));
      assert.deepEqual((await test.archive.read(series, hourMs, { start: may, end: nextYear + hourMs })).meta, {
        requestedAt: 20,
      });
    });

    it('adds the column of a new field, which is absent in earlier rows', async () => {
      await test.archive.merge(series, hourMs, createSpan(may, 1), createHourlyResponse(may, [1]));
      const frame = recordsToFrame([{ ts: '2023-05-01T01:00:00Z', mw: 2, pv: 3 }]);
      await test.archive.merge(series, hourMs, createSpan(may + hourMs, 1), { frame, requestedAt: 1, meta: {} });
      assert.deepEqual(listRows(await test.archive.read(series, hourMs, createSpan(may, 2))), [
        { ts: '2023-05-01T00:00:00.000Z', mw: 1 },
        { ts: '2023-05-01T01:00:00Z', mw: 2, pv: 3 },
      ]);
    });

    it('returns the rows of two years with different columns', async () => {
      const start = nextYear - hourMs;
      const frame = recordsToFrame([
        { ts: '2023-12-31T23:00:00Z', mw: 1, load: { a: [1, null] } },
        { ts: '2024-01-01T00:00:00Z', mw: 2, pv: 'n/a' },
      ]);
      await test.archive.merge(series, hourMs, createSpan(start, 2), { frame, requestedAt: 1, meta: {} });
      const stored = await test.archive.read(series, hourMs, createSpan(start, 2));
      assert.deepEqual(listRows(stored), [...generateRecords(frame)]);
    });

    it('omits a column that has no values in the requested range', async () => {
      await test.archive.merge(series, hourMs, createSpan(may, 1), createHourlyResponse(may, [1]));
      const frame = recordsToFrame([{ ts: '2023-06-01T00:00:00Z', mw: 2, pv: 3 }]);
      const laterStart = Date.UTC(2023, 5, 1);
      await test.archive.merge(series, hourMs, createSpan(laterStart, 1), { frame, requestedAt: 1, meta: {} });
      const columns = async (start: number): Promise<string[]> =>
        (await test.archive.read(series, hourMs, createSpan(start, 1))).frame.columns.map(({ name }) => name);
      assert.deepEqual(await columns(may), ['ts', 'mw']);
      assert.deepEqual(await columns(laterStart), ['ts', 'mw', 'pv']);
    });

    it('does not archive a response that has a row without an instant', async () => {
      for (const records of [
        [{ ts: 'noon', mw: 1 }],
        [
          { ts: '2023-05-01T00:00:00Z', mw: 1 },
          { ts: null, mw: 2 },
        ],
      ]) {
        const response = { frame: recordsToFrame(records), requestedAt: 1, meta: {} };
        assert.equal(await test.archive.merge(series, hourMs, createSpan(may, 1), response), false);
      }
      assert.deepEqual((await test.archive.read(series, hourMs, createSpan(may, 1))).requestedAt, new Float64Array(1));
    });

    it('does not archive rows of more than 200 columns, and logs this once', async () => {
      const createWideFrame = (columns: number, prefix: string): ArchivedResponse => {
        const fields = Array.from({ length: columns - 1 }, (_, index) => [`${prefix}${index}`, index]);
        const record = { ts: '2023-05-01T00:00:00Z', ...(Object.fromEntries(fields) as Record<string, number>) };
        return { frame: recordsToFrame([record]), requestedAt: 1, meta: {} };
      };
      const merge = async (response: ArchivedResponse): Promise<boolean> => {
        return test.archive.merge(series, hourMs, createSpan(may, 1), response);
      };
      const countStoredColumns = async (): Promise<number | undefined> => {
        return (await test.archive.read(series, hourMs, createSpan(may, 1))).frame.columns.length;
      };
      assert.equal(await merge(createWideFrame(201, 'a')), false);
      assert.deepEqual(test.logged, ['archive: rows of 201 columns are not archived (more than 200)']);
      assert.equal(await countStoredColumns(), 0);
      assert.equal(await merge(createWideFrame(200, 'a')), true);
      assert.equal(await countStoredColumns(), 200);
      // Together with the archived columns, these would be more than 200. Only the new columns are stored.
      assert.equal(await merge(createWideFrame(200, 'b')), true);
      assert.equal(await countStoredColumns(), 200);
      assert.equal(test.logged.length, 1);
    });

    it('does not archive more than 33 columns of five-minute intervals, since a year has 105,408 of them', async () => {
      const fields = Array.from({ length: 32 }, (_, index) => [`mw${index}`, index]);
      const record = { ts: '2023-05-01T00:00:00Z', ...(Object.fromEntries(fields) as Record<string, number>) };
      const stored: boolean[] = [];
      for (const changedRecord of [record, { ...record, pv: 1 }])
        stored.push(
          await test.archive.merge(series, 300_000, createSpan(may, 1), {
            frame: recordsToFrame([changedRecord]),
            requestedAt: 1,
            meta: {},
          }),
        );
      assert.deepEqual(stored, [true, false]);
      assert.deepEqual(test.logged, ['archive: rows of 34 columns are not archived (more than 3500000 cells a year)']);
      // Together with the archived columns, this would be too many. Only the new columns are stored.
      const response = { frame: recordsToFrame([{ ts: '2023-05-01T00:00:00Z', pv: 1 }]), requestedAt: 2, meta: {} };
      assert.equal(await test.archive.merge(series, 300_000, createSpan(may, 1), response), true);
      assert.equal((await test.archive.read(series, 300_000, createSpan(may, 1))).frame.columns.length, 2);
    });

    it('replaces the archived year if the time column has another name', async () => {
      const span = { start: may, end: nextYear + hourMs };
      const renamed = { frame: recordsToFrame([{ at: '2023-05-01T01:00:00Z', mw: 2 }]), requestedAt: 2, meta: {} };
      await test.archive.merge(series, hourMs, { ...span, end: may + hourMs }, createHourlyResponse(may, [1]));
      await test.archive.merge(series, hourMs, createSpan(nextYear, 1), createHourlyResponse(nextYear, [9]));
      await test.archive.merge(series, hourMs, createSpan(may + hourMs, 1), renamed);
      const stored = await test.archive.read(series, hourMs, span);
      assert.deepEqual(listRows(stored), [{ at: '2023-05-01T01:00:00Z', mw: 2 }]);
      assert.deepEqual(
        stored.requestedAt.filter(requested => requested > 0),
        Float64Array.of(2),
      );
    });

    for (const [name, intervalMs] of [
      ['15 minutes', hourMs / 4],
      ['days', dayMs],
      ['weeks', 7 * dayMs],
      ['45 minutes', 45 * 60_000],
    ] as const)
      it(`stores intervals of ${name}`, async () => {
        const start =
          Math.floor((nextYear - 3 * intervalMs) / Math.min(intervalMs, dayMs)) * Math.min(intervalMs, dayMs);
        const records = Array.from({ length: 6 }, (_, n) => ({
          ts: new Date(start + n * intervalMs).toISOString(),
          mw: n,
        }));
        const requested = { start, end: start + 6 * intervalMs };
        await test.archive.merge(series, intervalMs, requested, {
          frame: recordsToFrame(records),
          requestedAt: 9,
          meta: {},
        });
        const stored = await test.archive.read(series, intervalMs, {
          start: start - intervalMs,
          end: requested.end + intervalMs,
        });
        assert.deepEqual(listRows(stored), records);
        assert.deepEqual([...stored.requestedAt], [0, 9, 9, 9, 9, 9, 9, 0]);
      });

    it('returns the latest row of each instant for any responses with any gaps', async () => {
      const base = nextYear - 12 * hourMs;
      const cell = fc.constantFrom(1, -0, 0.25, null, true, 'n/a', '⚡', '2023-05-01T05:00:00+02:00', [1]);
      const cells = fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), cell, { maxKeys: 2, noNullPrototype: true });
      const row = fc.record({ hour: fc.integer({ min: 0, max: 23 }), cells });
      const response = fc.record({
        first: fc.integer({ min: 0, max: 20 }),
        length: fc.integer({ min: 1, max: 24 }),
        rows: fc.array(row, { maxLength: 8 }),
        requestedAt: fc.integer({ min: 1, max: 9 }),
        complete: fc.nat(24),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(response, { minLength: 1, maxLength: 5 }), async responses => {
          await test.archive.clear();
          const rows = new Map<number, JsonObject[]>();
          const requestedAt = new Float64Array(48);
          for (const { first, length, rows: generated, requestedAt: at, complete } of responses) {
            const records = generated.map(({ hour, cells: fields }): JsonObject => {
              return { ts: new Date(base + hour * hourMs).toISOString(), ...fields };
            });
            const frame = recordsToFrame(records);
            const requested = createSpan(base + first * hourMs, length);
            const response = { frame, requestedAt: at, meta: {}, completeUntil: requested.start + complete * hourMs };
            assert.equal(await test.archive.merge(series, hourMs, requested, response), true);
            requestedAt.fill(at, first, first + length);
            for (let hour = first; hour < first + Math.min(length, complete); hour++) rows.delete(hour);
            const inside = generated.flatMap(({ hour }, index) =>
              hour >= first && hour < first + length ? [{ hour, index }] : [],
            );
            const allRecords = [...generateRecords(frame)];
            for (const { hour } of inside)
              rows.set(
                hour,
                inside.filter(item => item.hour === hour).map(({ index }) => allRecords[index] as JsonObject),
              );
          }
          const stored = await test.archive.read(series, hourMs, createSpan(base, 48));
          const expected = [...rows].sort(([a], [b]) => a - b).flatMap(([, records]) => records);
          assert.deepEqual(listRows(stored), expected);
          assert.deepEqual(stored.requestedAt, requestedAt);
        }),
        { numRuns: scaleRunCount(30) },
      );
    });

    it('stores all rows if many responses are merged at the same time', async () => {
      const windows = [test.archive, test.openAnother(), test.openAnother()];
      await Promise.all(
        Array.from({ length: 48 }, async (_, hour) => {
          const start = nextYear + (hour - 24) * hourMs;
          return windows[hour % 3]?.merge(series, hourMs, createSpan(start, 1), createHourlyResponse(start, [hour]));
        }),
      );
      const stored = await test.archive.read(series, hourMs, createSpan(nextYear - dayMs, 48));
      assert.deepEqual(
        listValues(stored),
        Array.from({ length: 48 }, (_, hour) => hour),
      );
    });

    it('removes its files, but no others, when it is cleared', async () => {
      await test.archive.merge(series, hourMs, createSpan(may, 1), createHourlyResponse(may, [1]));
      await test.archive.merge({ ...series, dataset: 'x' }, hourMs, createSpan(may, 1), createHourlyResponse(may, [1]));
      assert.ok((await test.archive.size()) > 2000);
      const [reading] = await Promise.all([
        test.openAnother().read(series, hourMs, createSpan(may, 1)),
        test.archive.clear(),
      ]);
      assert.ok(reading.frame.rowCount <= 1);
      assert.equal(await test.archive.size(), 0);
      assert.deepEqual(readdirSync(test.folder), []);
      assert.equal((await test.archive.read(series, hourMs, createSpan(may, 1))).frame.rowCount, 0);
    });
  });
