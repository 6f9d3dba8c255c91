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
import { hostileResponses } from '../hostile/answers.ts';
import { hostileTexts } from '../hostile/dataFiles.ts';
import { hostileParquetFiles } from '../hostile/parquetFiles.ts';
import { hostileYearFiles, hostileYearRows, unusualYearFiles } from '../hostile/yearFiles.ts';
import { measureLongestBlock } from '../bench/threadTime.ts';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { endlessFiles } from '../support/endlessFiles.ts';
import { FakeState } from '../unit/service/storeFakes.ts';
import { textsShownBy } from './screen.ts';
import { shippedReaders } from './shippedReaders.ts';

/** How long this process may do nothing else, and how much more it may have in memory: of each file and response. */
const [mostBlockedMs, mostMoreBytes] = [100, 400_000_000];

/** Runs the work in this extension host, which goes on meanwhile: by the time of its thread, which other programs do not change. */
async function unharmed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 10);
  let done: Promise<T> | undefined;
  const longest = await measureLongestBlock(async () => {
    done = work();
    await done;
  });
  clearInterval(watch);
  assert.ok(longest <= mostBlockedMs, `${what}: ${Math.round(longest)} ms in one go`);
  assert.ok(most - before <= mostMoreBytes, `${what}: ${Math.round((most - before) / 1e6)} MB more`);
  assert.ok(done);
  return done;
}

describe('hostile data in the extension host', () => {
  let folder = '';
  let readers: ReaderProcesses;
  const importOptions = new ImportOptionsStore(new FakeState());
  let extension: vscode.Extension<GridDataApi>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'grid-data-hostile-'));
    const found = vscode.extensions.getExtension<GridDataApi>('grid-data.grid-data-inspector');
    assert.ok(found);
    extension = found;
    readers = shippedReaders();
  });
  after(async () => {
    readers.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  /** The size of the table, or the sentence that a person reads. */
  const shownOf = async (name: string): Promise<string> =>
    unharmed(name, async () => {
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
    it(`shows ${name}, or says in one sentence why not`, async () => {
      await writeFile(join(folder, name), bytes);
      const shown = await shownOf(name);
      assert.ok(/^\d+ × \d+$|^too|^nested/.test(shown) || (shown.includes(`'${name}'`) && shown.endsWith('.')), shown);
    });

  it('refuses 85 MB of JSON that takes gigabytes as objects', async () => {
    const name = 'objects.json';
    const file = createWriteStream(join(folder, name));
    file.write('[{"a":[');
    for (let part = 0; part < 28; part++) file.write('{},'.repeat(1_000_000));
    await new Promise(resolve => file.end('{}]}]', () => resolve(undefined)));
    assert.match(await shownOf(name), /^'objects\.json' is too large to be shown \(.+\)\. .+\.$|^cellTooLong$/);
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
    for (const [at, { name, body: text }] of bodies.entries())
      it(`survives a response with ${name}`, async () => {
        body = gzipSync(text());
        const api = await extension.activate();
        const day = new Date(Date.UTC(2020, 0, 1 + at)).toISOString().slice(0, 10);
        const query = { dataset: 'systemState', range: day, connection: 'Hostile', refresh: 'always' } as const;
        const outcome = await unharmed(name, async () =>
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
    /** How many requests the day takes, and what the person reads meanwhile. */
    const fetchDay = async (): Promise<{ requests: number; shown: unknown[] }> => {
      const api = await extension.activate();
      let requests = NaN;
      const shown = await textsShownBy(async () => {
        requests = (await api.query(query)).provenance.requestsSpent;
        // The rows are archived again, which this waits for.
        const archived = await api.query(query, { refresh: 'never' });
        assert.deepEqual([...archived.rows()], hostileYearRows(Date.UTC(2023, 0)));
      });
      return { requests, shown };
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

    it('says once that a damaged year is set aside and fetched again', async () => {
      const expected = [[describeArchiveProblem('damaged')], []];
      for (const shown of expected) {
        await writeFile(file, good.subarray(1));
        assert.deepEqual(await fetchDay(), { requests: 1, shown });
      }
    });

    for (const { name, change } of hostileYearFiles)
      it(`fetches a year again: ${name}`, async () => {
        const hostile = Buffer.from(change(good));
        await writeFile(file, hostile);
        assert.deepEqual(await unharmed(name, fetchDay), { requests: 1, shown: [] });
        const aside = (await readdir(dirname(file))).filter(one => one.endsWith('.damaged')).sort();
        assert.ok(hostile.equals(await readBytes(join(dirname(file), aside.at(-1) ?? ''))));
      });

    if (process.platform !== 'win32')
      for (const { name, create } of endlessFiles)
        it(`fetches a year again: ${name}`, async () => {
          await rm(file);
          create(file);
          assert.deepEqual(await unharmed(name, fetchDay), { requests: 1, shown: [] });
        });

    for (const { name, change } of unusualYearFiles)
      it(`reads a year: ${name}`, async () => {
        await writeFile(file, change(good));
        // A fetch time in the future may come from a wrong clock.
        const requests = name.startsWith('hours asked for') ? 1 : 0;
        assert.deepEqual(await unharmed(name, fetchDay), { requests, shown: [] });
      });
  });
});
