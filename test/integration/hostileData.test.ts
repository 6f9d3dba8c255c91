import assert from 'node:assert/strict';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, readFile as readBytes, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as vscode from 'vscode';
import type { GridDataApi } from '../../api/grid-data-inspector.d.ts';
import { ImportOptionsStore } from '../../src/host/dataFile/importOptionsStore.ts';
import { readFile } from '../../src/host/dataFile/readFile.ts';
import { describeArchiveProblem, describeFailure } from '../../src/host/messages/failures.ts';
import type { ReaderProcesses } from '../../src/service/reader/readerProcess.ts';
import { hostileResponses } from '../hostile/responses.ts';
import { hostileTexts } from '../hostile/dataFiles.ts';
import { hostileParquetFiles } from '../hostile/parquetFiles.ts';
import { hostileYearFiles, hostileYearRows, unusualYearFiles } from '../hostile/yearFiles.ts';
import { measureLongestBlock } from '../bench/threadTime.ts';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { endlessFiles } from '../support/endlessFiles.ts';
import { FakeState } from '../unit/service/storeFakes.ts';
import { captureShownTexts } from './screen.ts';
import { createShippedReaders } from './shippedReaders.ts';

/** The limits for each file and response: blocking time and added memory of this process. */
const maxBlockedMs = 100;
const maxAddedBytes = 400_000_000;

/** Runs `work` and asserts the limits. Measures the time of this thread, which other programs do not affect. */
async function runWithinLimits<T>(name: string, work: () => Promise<T>): Promise<T> {
  const initialBytes = process.memoryUsage.rss();
  let peak = initialBytes;
  const sampling = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 10);
  let result: Promise<T> | undefined;
  const longestBlockMs = await measureLongestBlock(async () => {
    result = work();
    await result;
  });
  clearInterval(sampling);
  assert.ok(longestBlockMs <= maxBlockedMs, `${name}: ${Math.round(longestBlockMs)} ms of blocking`);
  assert.ok(peak - initialBytes <= maxAddedBytes, `${name}: ${Math.round((peak - initialBytes) / 1e6)} MB added`);
  assert.ok(result);
  return result;
}

describe('hostile data in the extension host', () => {
  let folder = '';
  let readers: ReaderProcesses;
  const importOptions = new ImportOptionsStore(new FakeState());
  let extension: vscode.Extension<GridDataApi>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'grid-data-hostile-'));
    const installed = vscode.extensions.getExtension<GridDataApi>('grid-data.grid-data-inspector');
    assert.ok(installed);
    extension = installed;
    readers = createShippedReaders();
  });
  after(async () => {
    readers.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  /** Returns the size of the table, or the message that is shown instead. */
  const readAndDescribe = async (name: string): Promise<string> =>
    runWithinLimits(name, async () => {
      try {
        const uri = vscode.Uri.file(join(folder, name));
        const decision = { options: {}, assumesUtc: true };
        const { signal } = new AbortController();
        const { result } = await readFile({ readers, importOptions }, uri, { signal, decision });
        return result.frame ? `${result.frame.rowCount} × ${result.frame.columns.length}` : (result.problem ?? '');
      } catch (error) {
        return describeFailure(error)?.sentence ?? String(error);
      }
    });

  for (const { name, bytes } of [...hostileParquetFiles(), ...hostileTexts()])
    it(`shows ${name}, or one sentence that explains why not`, async () => {
      await writeFile(join(folder, name), bytes);
      const description = await readAndDescribe(name);
      assert.ok(
        /^\d+ × \d+$|^too|^nested/.test(description) ||
          (description.includes(`'${name}'`) && description.endsWith('.')),
        description,
      );
    });

  it('rejects 85 MB of JSON that would take gigabytes as objects', async () => {
    const name = 'objects.json';
    const file = createWriteStream(join(folder, name));
    file.write('[{"a":[');
    for (let chunk = 0; chunk < 28; chunk++) file.write('{},'.repeat(1_000_000));
    await new Promise(resolve => file.end('{}]}]', () => resolve(undefined)));
    assert.match(await readAndDescribe(name), /^'objects\.json' is too large to be shown \(.+\)\. .+\.$|^cellTooLong$/);
  });

  describe('from a service', () => {
    let service: CannedService;
    let body = Buffer.alloc(0);

    before(async () => {
      service = await startCannedService((_, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
        response.end(body);
      });
      const connection = {
        name: 'Hostile',
        baseUrl: service.baseUrl,
        key: 'not-a-real-key-but-a-long-one',
        verify: false,
      };
      await extension.activate();
      await vscode.commands.executeCommand('gridData.addConnection', connection);
    });
    after(async () => service.close());

    const bodies = [
      { name: 'one list of 21 million empty objects', body: () => `[{"a":[${'{},'.repeat(20_999_999)}{}]}]` },
      ...hostileResponses,
    ];
    for (const [index, { name, body: text }] of bodies.entries())
      it(`survives a response with ${name}`, async () => {
        body = gzipSync(text());
        const api = await extension.activate();
        const day = new Date(Date.UTC(2020, 0, 1 + index)).toISOString().slice(0, 10);
        const query = { dataset: 'systemState', range: day, connection: 'Hostile', refresh: 'always' } as const;
        const outcome = await runWithinLimits(name, async () =>
          api.query(query).then(
            ({ columns }) => `${columns.length} columns`,
            (error: unknown) => String(error),
          ),
        );
        assert.ok(outcome.length < 2_000, outcome);
      });
  });

  describe('in the archive', () => {
    let service: CannedService;
    let file = '';
    let good: Buffer;

    const query = {
      dataset: 'systemState',
      range: '2023-01-01',
      params: { series: 'hostile' },
      connection: 'Archived',
    };
    /** Fetches the day. Returns the number of requests and the messages shown. */
    const fetchDay = async (): Promise<{ requests: number; messages: unknown[] }> => {
      const api = await extension.activate();
      let requests = NaN;
      const messages = await captureShownTexts(async () => {
        requests = (await api.query(query)).provenance.requestsSpent;
        // This query waits until the rows are archived again.
        const archived = await api.query(query, { refresh: 'never' });
        assert.deepEqual([...archived.rows()], hostileYearRows(Date.UTC(2023, 0)));
      });
      return { requests, messages };
    };

    before(async () => {
      service = await startCannedService((_, response) => {
        sendJson(response, 200, hostileYearRows(Date.UTC(2023, 0)));
      });
      await vscode.commands.executeCommand('gridData.addConnection', {
        name: query.connection,
        baseUrl: service.baseUrl,
        key: 'another-key-that-is-not-a-real-one',
        verify: false,
        limits: { normalized_data: { requests: 1_000, seconds: 1 } },
      });
      assert.equal((await fetchDay()).requests, 1);
      const archive = join(process.env['TEST_STORAGE'] ?? '', 'archive');
      for (const name of await readdir(archive))
        if ((await readBytes(join(archive, name, 'series.json'), 'utf8')).includes('"hostile"'))
          file = join(archive, name, '2023.arrow');
      good = await readBytes(file);
    });
    after(async () => service.close());

    it('reports once that a damaged year is set aside and fetched again', async () => {
      const expected = [[describeArchiveProblem('damaged')], []];
      for (const messages of expected) {
        await writeFile(file, good.subarray(1));
        assert.deepEqual(await fetchDay(), { requests: 1, messages });
      }
    });

    for (const { name, change } of hostileYearFiles)
      it(`fetches an archived year again: ${name}`, async () => {
        const hostile = Buffer.from(change(good));
        await writeFile(file, hostile);
        assert.deepEqual(await runWithinLimits(name, fetchDay), { requests: 1, messages: [] });
        const damagedCopies = (await readdir(dirname(file))).filter(copy => copy.endsWith('.damaged')).sort();
        assert.ok(hostile.equals(await readBytes(join(dirname(file), damagedCopies.at(-1) ?? ''))));
      });

    if (process.platform !== 'win32')
      for (const { name, create } of endlessFiles)
        it(`fetches an archived year again: ${name}`, async () => {
          await rm(file);
          create(file);
          assert.deepEqual(await runWithinLimits(name, fetchDay), { requests: 1, messages: [] });
        });

    for (const { name, change } of unusualYearFiles)
      it(`reads an archived year: ${name}`, async () => {
        await writeFile(file, change(good));
        // A fetch time in the future may come from a wrong clock.
        const requests = name.startsWith('hours asked for') ? 1 : 0;
        assert.deepEqual(await runWithinLimits(name, fetchDay), { requests, messages: [] });
      });
  });
});
