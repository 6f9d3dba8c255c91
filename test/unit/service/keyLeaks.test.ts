import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { summarize } from '../core/summary/results.ts';
import { WebviewStatePublisher } from '../../../src/host/panel/webviewStatePublisher.ts';
import { ResponseReader } from '../../../src/service/client/responseReader.ts';
import { ReaderProcesses } from '../../../src/service/reader/readerProcess.ts';
import { joinBodies, decodeBody } from '../../../src/core/json/responseText.ts';
import { ResponseFetcher } from '../../../src/service/client/responseFetcher.ts';
import { ResponseStore } from '../../../src/service/client/responseStore.ts';
import { queryLanguages, querySnippets } from '../../../src/core/snippets/querySnippets.ts';
import { redactKey } from '../../../src/service/connections/redact.ts';
import { exportFormats, type ExportFormat } from '../../../src/shared/exportOptions.ts';
import type { Result } from '../../../src/shared/result.ts';
import { ignorableCharacters, keySpellings, listSpellings } from '../../hostile/keySpellings.ts';
import { extractServerDetail } from '../../../src/service/client/failure.ts';
import { realClock } from '../../support/realClock.ts';
import { sendJson, startCannedService, type CannedService } from '../../support/cannedService.ts';
import { createTemporaryFolder } from '../../support/temporaryFolder.ts';
import { createTestArchive, type TestArchive } from './archive/archiveSetUp.ts';
import { catchFailure, setUpClient, testKey } from './client/clientSetUp.ts';
import { exportToBytes } from './export/anyFrame.ts';
import { zipTexts } from './export/zipText.ts';
import { GridWorld } from './gridWorld.ts';

const spelledKeys = keySpellings.map(({ inJson }) => inJson(testKey));
const world = new GridWorld('2023-06-01T12:00:00Z');

/** Creates a response with every spelling of the key as a name, a value, a part of one, and nested, in the first and the last hour of a day. */
function createResponse(): string {
  const cells = spelledKeys.flatMap((text, index) => [
    `"${index} ${text}":"${text}"`,
    `"n${index}":{"${text}":["${text}"]}`,
  ]);
  const rows = Array.from({ length: 24 }, (_, hour) => {
    const row = `"ts":"2023-05-01T${String(hour).padStart(2, '0')}:00:00Z","mw":${hour}`;
    return hour % 23 === 0 ? `{${row},${cells.join(',')}}` : `{${row}}`;
  });
  return `{"meta":{"you":"${spelledKeys.join(' ')}","next":null},"data":[${rows.join(',\n')}]}`;
}

/** Creates a response in which each hour has the key with another invisible character in it. */
function splitAnswer(): string {
  const charactersPerHour = Math.ceil(ignorableCharacters.length / 24);
  const rows = Array.from({ length: 24 }, (_, hour) => ({
    ts: new Date(Date.UTC(2023, 4, 2, hour)).toISOString(),
    note: ignorableCharacters.slice(hour * charactersPerHour, (hour + 1) * charactersPerHour).map(split),
    [split(ignorableCharacters[hour] ?? '')]: hour,
  }));
  return JSON.stringify({ data: rows });
}

const split = (between: string): string => testKey.slice(0, 9) + between + testKey.slice(9);
const splitRefusal = JSON.stringify({ detail: ignorableCharacters.slice(0, 200).map(split).join(' ') });

/** Removes the invisible characters. */
function assertUnsplit(text: string, location: string): void {
  assert.ok(!text.replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '').includes(testKey), location);
  assert.match(text, /\[key\]/, location);
}

/** Asserts that no spelling of the key occurs in the bytes, and that its replacement does. */
function assertRedacted(bytes: Uint8Array | string, location: string): void {
  const decoded = Buffer.from(bytes);
  for (const text of listSpellings(testKey)) assert.ok(!decoded.includes(text), `${text} in ${location}`);
  // Markdown escapes the brackets.
  assert.match(decoded.toString('latin1'), /\[key\\?\]/, `the service repeated the key in ${location}`);
}

/** Decompresses the two formats that are compressed. */
async function decompress(bytes: Buffer, format: ExportFormat): Promise<Uint8Array | string> {
  if (format === 'xlsx') return zipTexts(bytes);
  if (format !== 'parquet') return bytes;
  const file = new Uint8Array(bytes).buffer;
  const { key_value_metadata: metadata } = parquetMetadata(file);
  return JSON.stringify([metadata, await parquetReadObjects({ file })]);
}

describe('a key that the service repeats in any encoding', () => {
  let service: CannedService;
  let test: TestArchive;
  let lines: string[];
  let run: (range: string, params?: Readonly<Record<string, string>>) => Promise<Result>;

  before(async () => {
    service = await startCannedService(({ query }, response) => {
      const refused = Number(query.get('start')?.slice(0, 4)) - 1900;
      const text = spelledKeys[refused];
      if (query.has('split')) {
        sendJson(response, refused === 100 ? 400 : 200, refused === 100 ? splitRefusal : splitAnswer());
        return;
      }
      if (text !== undefined) {
        sendJson(response, 400, `{"detail":{"start ${text}":"no ${text}"}}`);
        return;
      }
      const echoes = keySpellings.map(({ name }, index) => [
        `X-Echo-${index}`,
        name === 'plain' ? testKey : spelledKeys[index],
      ]);
      const plain = echoes.filter(([, value]) => /^[\x20-\x7e]*$/.test(value ?? ''));
      sendJson(response, 200, createResponse(), Object.fromEntries(plain) as Record<string, string>);
    });
    test = createTestArchive();
    const set = setUpClient();
    lines = set.lines;
    const runner = world.window({
      fetcher: new ResponseFetcher(set.client, new ResponseReader(new ReaderProcesses())),
      archive: test.archive,
    });
    run = async (range, params = {}) => {
      const limits = { normalized_data: { requests: 1000, seconds: 60 } };
      const endpoint = { name: 'Grid', baseUrl: service.baseUrl, key: testKey, source: 'grid', limits };
      const result = await runner.run({ ...world.query(range), params }, endpoint, {});
      await runner.engine.waitForWrites();
      return result;
    };
  });
  after(async () => service.close());

  it('leaves the key out of the result, the archive, the response store and the page', async () => {
    const result = await run('2023-05-01');
    assert.equal(result.frame?.rowCount, 24);
    assertRedacted(JSON.stringify({ ...result, bodies: [] }), 'the result');
    const text = decodeBody(joinBodies(result.bodies));
    assertRedacted(text, 'the raw text');
    assertRedacted(JSON.stringify(result.provenance.requests), 'the requests');
    JSON.parse(text);

    const files = readdirSync(test.folder, { recursive: true, encoding: 'utf8' });
    const paths = files.map(name => join(test.folder, name)).filter(path => statSync(path).isFile());
    assertRedacted(Buffer.concat(paths.map(path => readFileSync(path))), 'the archive');
    assertRedacted(JSON.stringify(await run('2023-05-01')), 'what is read from the archive');

    const folder = createTemporaryFolder();
    const responses = new ResponseStore({ folder, newId: () => 'one', logger: console, clock: realClock });
    // A short text is not stored in a file.
    await responses.store([Buffer.from(text.padEnd(100_000))]).readText();
    assertRedacted(gunzipSync(readFileSync(join(folder, readdirSync(folder)[0] ?? ''))), 'the response store');

    const posted: string[] = [];
    const notify = async (...call: readonly unknown[]): Promise<void> =>
      Promise.resolve(void posted.push(JSON.stringify(call)));
    const mail = new WebviewStatePublisher({ view: 'table', ...result } as never, { notify });
    mail.pageReady();
    assertRedacted(posted.join(), 'the messages to the page');
  });

  it('leaves the key out of exports and replies to language models', async () => {
    const result = await run('2023-05-01');
    assert.ok(result.frame);
    const table = { frame: result.frame };
    for (const format of exportFormats)
      assertRedacted(await decompress(await exportToBytes(table, { format }), format), format);
    assertRedacted(await summarize(result, { rows: 'ends', link: '' }), 'the summary for a model');
  });

  it('leaves the key out of code, regardless of address and parameters', () => {
    // Only a sender who knows the key can write it in parts.
    const unsplitSpellings = keySpellings.filter(({ name }) => !name.startsWith('split'));
    const texts = unsplitSpellings.map(({ inJson }) => JSON.parse(`"${inJson(testKey)}"`) as string);
    const params = Object.fromEntries(texts.map((text, index) => [`p${index}`, text]));
    const query = { ...world.query('2023-05-01'), params: { ...params, [testKey]: 'x' } };
    for (const language of queryLanguages) {
      const snippetRequest = { baseUrl: `${service.baseUrl}/${testKey}`, query, timeZone: 'UTC' };
      // This is the request of a copy command.
      assertRedacted(redactKey(querySnippets[language].write(snippetRequest), testKey), language);
    }
  });

  it('leaves the key out of failures and the log', async () => {
    // The key was pasted into the wrong field.
    const pasted = { note: testKey, [testKey]: Buffer.from(testKey).toString('base64') };
    for (const year of spelledKeys.keys()) {
      const failure = await catchFailure(run(`${1900 + year}-01-01`, pasted));
      assertRedacted(JSON.stringify(failure.facts), `the refusal ${year}`);
      assertRedacted(failure.stack ?? '', `the stack of the refusal ${year}`);
    }
    assertRedacted(lines.join('\n'), 'the log');
  });

  it('redacts a key that any invisible character splits', async () => {
    const query = { split: 'yes' };
    const result = await run('2023-05-02', query);
    assert.equal(result.frame?.rowCount, 24);
    assertUnsplit(JSON.stringify({ ...result, bodies: [] }), 'the result');
    const files = readdirSync(test.folder, { recursive: true, encoding: 'utf8' });
    const paths = files.map(name => join(test.folder, name)).filter(path => statSync(path).isFile());
    for (const path of paths.filter(name => name.endsWith('.arrow')))
      assertUnsplit(readFileSync(path, 'utf8'), 'the archive');
    assertUnsplit(JSON.stringify((await catchFailure(run('2000-01-01', query))).facts), 'a failure');
    assertUnsplit(lines.join('\n'), 'the log');
    for (const between of ignorableCharacters) {
      const detail = extractServerDetail({ detail: `no ${split(between)}` }, testKey) ?? '';
      assertUnsplit(detail, 'the words of a refusal');
    }
  });
});
