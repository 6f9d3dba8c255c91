import assert from 'node:assert/strict';
import { decode } from '../../../../src/core/decode/decode.ts';
import { formatInstant } from '../../../../src/core/time/instant.ts';
import { createRequestParameters } from '../../../../src/core/query/query.ts';
import { generateRecords, type GridRecord } from '../../../../src/core/frame/records.ts';
import type { SnippetQuery } from '../../../../src/core/snippets/snippetQuery.ts';
import { querySnippets, type QueryLanguage } from '../../../../src/core/snippets/querySnippets.ts';
import { createSnippetQuery } from './questions.ts';
import { startSnippetService, type SnippetService } from './snippetService.ts';
import { has, python, runText, type RunResult } from './tools.ts';
import { clipFrame } from '../../../../src/core/frame/clip.ts';

const hour = 3_600_000;

/** Prints the rows as received without pandas, by omitting its part of the program. */
const pandas = `
import sys, types
try:
    import pandas
except ImportError:
    import json
    stub = types.ModuleType("pandas")
    stub.json_normalize = lambda rows: sys.exit(print("ROWS", json.dumps(rows)))
    sys.modules["pandas"] = stub
`;

/** Runs a program in each language that this machine may have, and parses its output. */
const runners: Readonly<
  Partial<Record<QueryLanguage, (text: string, env: Record<string, string>) => Promise<RunResult>>>
> = {
  curl: async (text, env) => runText('sh', 's.sh', text, env),
  typeScript: async (text, env) => runText(process.execPath, 's.mts', text, env),
  python: async (text, env) =>
    runText(
      python,
      's.py',
      `${pandas}${text}\nprint("ROWS", frame.reset_index().to_json(orient="records", date_format="iso"))`,
      env,
    ),
  r: async (text, env) =>
    runText('Rscript', 's.R', `${text}\ncat("\\nROWS", jsonlite::toJSON(rows, digits = NA, na = "null"))`, env),
};

/** The statement with which a program waits, and a replacement that only prints the time. curl waits by itself. */
const sleepers: Readonly<Partial<Record<QueryLanguage, { readonly original: string; readonly replacement: string }>>> =
  {
    typeScript: {
      original: `import { setTimeout as sleep } from 'node:timers/promises';`,
      replacement: 'const sleep = async (ms: number) => console.error(`WAIT ${ms / 1000}`);',
    },
    python: {
      original: 'import time\n',
      replacement: 'import time\ntime.sleep = lambda seconds: print("WAIT", seconds, file=sys.stderr)\n',
    },
  };

function parsePrintedRows(language: QueryLanguage, { stdout }: RunResult): GridRecord[] {
  if (language === 'typeScript') return JSON.parse(stdout) as GridRecord[];
  if (language === 'python' || language === 'r')
    return JSON.parse(stdout.slice(stdout.indexOf('ROWS ') + 5)) as GridRecord[];
  const responses = stdout.trim().split('\n');
  return responses.flatMap(response => (JSON.parse(response) as { data: GridRecord[] }).data);
}

/** Returns the rows as the extension decodes them. */
async function decodedRows({ query }: SnippetQuery, { baseUrl, key }: SnippetService): Promise<GridRecord[]> {
  const parameters = new URLSearchParams(createRequestParameters(query));
  const response = await fetch(`${baseUrl}${query.dataset.path}?${parameters.toString()}`, {
    headers: { 'X-API-KEY': key },
  });
  const { frame } = decode([await response.json()]);
  assert.ok(frame && frame.rowCount > 0);
  return [...generateRecords(clipFrame(frame, query).frame)];
}

/** Formats times and nested fields like pandas: with milliseconds, and as columns with a dot. */
function normalizeRows(rows: readonly GridRecord[]): GridRecord[] {
  return rows.map(({ ts, components, ...otherFields }) => {
    const parts = Object.entries(components ?? {}).map(([name, value]) => [`components.${name}`, value] as const);
    return { ...otherFields, ...Object.fromEntries(parts), ts: formatInstant(Date.parse(String(ts))) };
  });
}

/** Defines tests that run queries as programs of a language, if this machine has it, and check their requests and output. */
export function describeRun(language: 'curl' | 'typeScript' | 'python' | 'r'): void {
  describe(`a query as ${querySnippets[language].name} code`, function () {
    let service: SnippetService;
    let isStarted: SnippetService | undefined;

    before(async function () {
      if (language === 'curl' && process.platform === 'win32') this.skip();
      if (language === 'python' && !(await has(python, '-c', 'import requests'))) this.skip();
      if (language === 'r' && !(await has('Rscript', '-e', 'library(httr2); library(jsonlite)'))) this.skip();
      service = isStarted = await startSnippetService();
    });
    after(async () => isStarted?.close());
    beforeEach(() => Object.assign(service, { pageLength: Infinity, escapes: false }));

    async function runQuery(
      snippetQuery: SnippetQuery,
      env: Record<string, string> = { GRID_DATA_API_KEY: service.key },
    ) {
      return (await runners[language]?.(querySnippets[language].write(snippetQuery), env)) ?? assert.fail();
    }

    async function assertSameRows(snippetQuery: SnippetQuery): Promise<void> {
      const expected = await decodedRows(snippetQuery, { ...service, pageLength: Infinity });
      const run = await runQuery(snippetQuery);
      assert.deepEqual([run.stderr, run.code], ['', 0]);
      assert.deepEqual(normalizeRows(parsePrintedRows(language, run)), normalizeRows(expected));
    }

    it('returns the rows that the extension decodes', async () => {
      await assertSameRows(createSnippetQuery(service.baseUrl));
      assert.equal(service.receivedRequests.at(-1)?.key, service.key);
    });

    it('sends parameters unchanged', async () => {
      const params = { components: 'true', note: `it's "a" $HOME \`id\` \\ 100% é😀\nand=more&b` };
      await assertSameRows(createSnippetQuery(service.baseUrl, { dataset: 'gridStress', params }));
      const { query } = service.receivedRequests.at(-1) ?? assert.fail();
      assert.deepEqual(Object.fromEntries(query), {
        start: '2023-05-01T00:00:00Z',
        end: '2023-05-04T00:00:00Z',
        interval: '1h',
        ...params,
      });
    });

    it('waits for Retry-After, and continues', async () => {
      service.before.push({ status: 429, headers: { 'Retry-After': '1' } });
      const requestsBefore = service.receivedRequests.length;
      const snippetQuery = createSnippetQuery(service.baseUrl);
      const ran = await runQuery(snippetQuery);
      assert.deepEqual([ran.stderr.includes('429: '), ran.code], [false, 0]);
      assert.equal(parsePrintedRows(language, ran).length, 72);
      assert.equal(service.receivedRequests.length - requestsBefore, 2);
    });

    const sleeper = sleepers[language];
    if (sleeper)
      it('reads a date in Retry-After by the clock of the service, and waits briefly without a Date header', async () => {
        const Date = 'Wed, 21 Oct 2015 07:00:00 GMT';
        for (const retryAfter of ['Wed, 21 Oct 2015 07:28:00 GMT', 'Wed, 21 Oct 2015 06:00:00 GMT', 'soon'])
          service.before.push({ status: 429, headers: { Date, 'Retry-After': retryAfter } });
        const text = querySnippets[language].write(createSnippetQuery(service.baseUrl));
        assert.ok(text.includes(sleeper.original));
        const programText = text.replace(sleeper.original, sleeper.replacement);
        const ran = (await runners[language]?.(programText, { GRID_DATA_API_KEY: service.key })) ?? assert.fail();
        assert.deepEqual(
          Array.from(ran.stderr.matchAll(/^WAIT (\S+)$/gm), ([, seconds]) => Number(seconds)),
          [28 * 60, 1, 8],
        );
        assert.equal(parsePrintedRows(language, ran).length, 72);
      });

    it('requests a long range in parts', async () => {
      const snippetQuery = createSnippetQuery(service.baseUrl, {}, { maxRangeMs: 25 * hour });
      const requestsBefore = service.receivedRequests.length;
      assert.equal(parsePrintedRows(language, await runQuery(snippetQuery)).length, 72);
      const spans = service.receivedRequests
        .slice(requestsBefore)
        .map(({ query }) => [query.get('start'), query.get('end')]);
      assert.deepEqual(spans, [
        ['2023-05-01T00:00:00Z', '2023-05-02T01:00:00Z'],
        ['2023-05-02T01:00:00Z', '2023-05-03T02:00:00Z'],
        ['2023-05-03T02:00:00Z', '2023-05-04T00:00:00Z'],
      ]);
    });

    for (const escapes of [false, true])
      it(`follows pages at the same address only${escapes ? ', also where JSON escapes their links' : ''}`, async () => {
        Object.assign(service, { pageLength: 30, escapes });
        const note = 'a b&c[1-2]{x,y}';
        const snippetQuery = createSnippetQuery(service.baseUrl, { params: { note } });
        const requestsBefore = service.receivedRequests.length;
        assert.equal(parsePrintedRows(language, await runQuery(snippetQuery)).length, 72);
        const pages = service.receivedRequests
          .slice(requestsBefore)
          .map(({ query }) => [query.get('page'), query.get('note')]);
        assert.deepEqual(
          pages,
          [null, '2', '3'].map(page => [page, note]),
        );
      });

    it('resolves a relative range when it runs', async () => {
      const startedAt = Date.now();
      const ran = await runQuery(
        createSnippetQuery(service.baseUrl, { range: 'last 3 days', present: startedAt - 9 * 24 * hour }),
      );
      assert.equal(ran.code, 0);
      const end = Date.parse(service.receivedRequests.at(-1)?.query.get('end') ?? '');
      // A new hour may have begun since then.
      assert.ok([Math.floor(startedAt / hour) * hour, Math.floor(Date.now() / hour) * hour].includes(end));
      assert.equal(Date.parse(service.receivedRequests.at(-1)?.query.get('start') ?? ''), end - 72 * hour);
    });

    it('follows no redirect', async () => {
      const elsewhere = await startSnippetService();
      service.before.push({ status: 302, headers: { Location: `${elsewhere.baseUrl}/api/v1/grid/system-state` } });
      const ran = await runQuery(createSnippetQuery(service.baseUrl));
      assert.notEqual(ran.code, 0);
      assert.match(ran.stderr, /302/);
      assert.deepEqual(elsewhere.receivedRequests, []);
      await elsewhere.close();
    });

    it('reports the message of the service', async () => {
      service.before.push({ status: 401, body: { detail: 'Invalid API key.' } });
      const ran = await runQuery(createSnippetQuery(service.baseUrl));
      assert.notEqual(ran.code, 0);
      assert.match(ran.stderr, /The service returned 401: .*Invalid API key\./);
    });

    it('reports a missing key, and sends no request', async () => {
      const requestsBefore = service.receivedRequests.length;
      const ran = await runQuery(createSnippetQuery(service.baseUrl), {});
      assert.notEqual(ran.code, 0);
      assert.match(ran.stderr, /GRID_DATA_API_KEY/);
      assert.equal(service.receivedRequests.length, requestsBefore);
    });
  });
}
