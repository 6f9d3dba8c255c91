import assert from 'node:assert/strict';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as vscode from 'vscode';
import type { GridDataApi } from '../../api/grid-data-inspector.d.ts';
import { readFile } from '../../src/host/dataFile/readFile.ts';
import { failureWords } from '../../src/host/messages/failures.ts';
import type { ReaderProcesses } from '../../src/service/reader/readerProcess.ts';
import { hostileAnswers } from '../hostile/answers.ts';
import { hostileTexts } from '../hostile/dataFiles.ts';
import { hostileParquetFiles } from '../hostile/parquetFiles.ts';
import { longestDelay } from '../bench/threadTime.ts';
import { startCannedService, type CannedService } from '../support/cannedService.ts';
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
  const longest = await longestDelay(async () => {
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
        const chosen = { timeZone: 'UTC', isAssumed: true };
        const { result } = await readFile(readers, uri, { signal: new AbortController().signal, chosen });
        return result.frame ? `${result.frame.rowCount} × ${result.frame.columns.length}` : (result.problem ?? '');
      } catch (error) {
        return failureWords(error)?.sentence ?? String(error);
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
      ...hostileAnswers,
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
});
