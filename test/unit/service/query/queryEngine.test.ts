import assert from 'node:assert/strict';
import { GridError } from '../../../../src/core/errors.ts';
import { resolveQuery, type ResolvedQuery } from '../../../../src/core/query/query.ts';
import { generateRecords } from '../../../../src/core/frame/records.ts';
import type { ApiResponse, ApiRequest } from '../../../../src/service/client/apiClient.ts';
import { joinBodies, decodeBody } from '../../../../src/core/json/responseText.ts';
import { ResponseReader } from '../../../../src/service/client/responseReader.ts';
import { ReaderProcesses } from '../../../../src/service/reader/readerProcess.ts';
import { readResponse } from '../../../../src/service/client/readResponse.ts';
import { ResponseFetcher } from '../../../../src/service/client/responseFetcher.ts';
import type { RunHandlers } from '../../../support/followRun.ts';
import type { Result } from '../../../../src/shared/result.ts';
import { catchFailure } from '../client/clientSetUp.ts';
import { GridWorld } from '../gridWorld.ts';
import { VirtualClock } from '../virtualClock.ts';

const now = Date.parse('2023-06-01T12:00:00Z');
const path = '/api/v1/grid/system-state';
const endpoint = { name: 'Grid', baseUrl: 'https://api.example.org/base', key: 'not-a-real-key', source: 'grid' };

type Reply = { readonly body: unknown; readonly serverDate?: number; readonly spent?: number } | GridError;

function query(range = '2023-05-01', interval = '1h'): ResolvedQuery {
  const resolved = resolveQuery({ dataset: 'systemState', range, interval, params: { a: 'b' }, timeZone: 'UTC' }, now);
  assert.ok(resolved.ok);
  return resolved.value;
}

/** Creates a runner whose service returns these responses in order, and records its requests. */
const wire = { url: '…', status: 200, headers: [], sentAt: now, firstByteMs: 0, totalMs: 1, attempt: 1 };

function setUp(...replies: readonly Reply[]) {
  const sentRequests: ApiRequest[] = [];
  const get = async (request: ApiRequest): Promise<ApiResponse> => {
    const reply = replies[sentRequests.length] ?? replies.at(-1);
    sentRequests.push(request);
    request.onWait?.(7);
    if (!reply || reply instanceof GridError) return Promise.reject(reply ?? new Error('no reply is left'));
    const { body, serverDate, spent = 1 } = reply;
    const createPage = Buffer.from(JSON.stringify(body));
    const response = readResponse([createPage], '');
    if (!response.ok) throw new Error(response.why);
    const { decoded, next } = response;
    const bytes = createPage.length;
    const trace = { ...wire, bytes };
    const apiResponse = {
      body: createPage,
      decoded,
      next,
      sentAt: now,
      headAt: now,
      requestsSpent: spent,
      trace,
      bytes,
    };
    return Promise.resolve(serverDate === undefined ? apiResponse : { ...apiResponse, serverDate });
  };
  const fetcher = new ResponseFetcher({ get }, new ResponseReader(new ReaderProcesses()));
  const world = new GridWorld('2023-06-01T12:00:00Z');
  return { runner: world.window({ fetcher, clock: new VirtualClock(now) }), sentRequests };
}

const confirm = async (): Promise<boolean> => Promise.resolve(true);

async function run(
  replies: readonly Reply[],
  range?: string,
  options?: RunHandlers,
): Promise<Result & { sentRequests: ApiRequest[] }> {
  const { runner, sentRequests } = setUp(...replies);
  return { ...(await runner.run(query(range), endpoint, { onMoreRequests: confirm, ...options })), sentRequests };
}

function createHours(...at: readonly number[]): { ts: string }[] {
  return at.map(hour => ({ ts: new Date(Date.UTC(2023, 4, 1, hour)).toISOString() }));
}

function readRecords(result: Result): unknown[] {
  assert.ok(result.frame);
  return [...generateRecords(result.frame)];
}

function decodeBodies(bodies: readonly Uint8Array[]): string {
  return decodeBody(joinBodies(bodies));
}

describe('the query engine', () => {
  it('sends one request with the parameters in order, and returns its provenance', async () => {
    const body = { meta: { dataset: 'x' }, data: createHours(0, 1) };
    const { sentRequests, provenance, coverage, bodies } = await run([{ body, spent: 2 }]);
    assert.equal(sentRequests.length, 1);
    const { scope, limit, ...request } = sentRequests[0] ?? assert.fail();
    assert.deepEqual([scope, limit], ['normalized_data', { requests: 10, seconds: 60 }]);
    assert.deepEqual([request.baseUrl, request.path, request.key], [endpoint.baseUrl, path, endpoint.key]);
    assert.deepEqual(request.query, [
      ['start', '2023-05-01T00:00:00Z'],
      ['end', '2023-05-02T00:00:00Z'],
      ['interval', '1h'],
      ['a', 'b'],
    ]);
    assert.deepEqual(provenance, {
      connection: 'Grid',
      dataset: 'systemState',
      datasetTitle: 'System state',
      range: '2023-05-01',
      start: Date.UTC(2023, 4, 1),
      end: Date.UTC(2023, 4, 2),
      interval: '1h',
      timeZone: 'UTC',
      params: { a: 'b' },
      fetchedAt: now,
      requestsSpent: 2,
      requests: [
        { ...wire, start: Date.UTC(2023, 4, 1), end: Date.UTC(2023, 4, 2), bytes: JSON.stringify(body).length },
      ],
      archivedIntervals: 0,
      nextPublication: now + 3_600_000,
      rowsOutside: 0,
      incomplete: false,
      meta: { meta: { dataset: 'x' } },
    });
    assert.equal(decodeBodies(bodies), JSON.stringify(body));
    assert.deepEqual([coverage?.expected, coverage?.present, coverage?.missing], [24, 2, 22]);
  });

  it('reports the time of the response, and none without a request', async () => {
    const noSteps = query('2023-05-01', 'monthly');
    const { runner } = setUp({ body: createHours(0) });
    const requestedResult = await runner.run(noSteps, endpoint, { onMoreRequests: confirm });
    const archivedResult = await runner.run(noSteps, endpoint, { refresh: 'never' });
    assert.deepEqual([requestedResult.provenance.fetchedAt, archivedResult.provenance.fetchedAt], [now, undefined]);
  });

  it('reports the wait of every request', async () => {
    const waits: number[] = [];
    const pages = [{ body: { next: '?page=2', results: [] } }, { body: [] }];
    await run(pages, undefined, { onWait: ms => waits.push(ms) });
    assert.deepEqual(waits, [7, 7]);
  });

  it('drops rows outside the range, and counts them', async () => {
    const result = await run([{ body: createHours(-1, 0, 23, 24) }]);
    assert.deepEqual(readRecords(result), createHours(0, 23));
    assert.equal(result.provenance.rowsOutside, 2);
    assert.equal(result.coverage?.present, 2);
  });

  it('returns JSON without a table as received', async () => {
    const { frame, problem, bodies, coverage } = await run([{ body: 'maintenance' }]);
    assert.deepEqual([frame, problem, coverage], [undefined, 'notRecords', undefined]);
    assert.equal(decodeBodies(bodies), '"maintenance"');
  });

  describe('coverage', () => {
    it("uses the server's clock if known", async () => {
      const early = Date.UTC(2023, 4, 1, 6);
      const { runner } = setUp(
        { body: createHours(0), serverDate: early },
        { body: createHours(0), serverDate: early },
      );
      // A single response may be wrong; two that agree are trusted.
      await runner.run(query('2023-05-02'), endpoint, { onMoreRequests: confirm });
      const { coverage } = await runner.run(query(), endpoint, { onMoreRequests: confirm });
      assert.deepEqual([coverage?.present, coverage?.missing, coverage?.notPublished], [1, 5, 18]);
    });

    it('uses the local clock otherwise', async () => {
      const { coverage } = await run([{ body: createHours(0) }]);
      assert.deepEqual([coverage?.present, coverage?.missing, coverage?.notPublished], [1, 23, 0]);
    });
  });

  describe('with more pages', () => {
    const page = (next: unknown, ...at: number[]): Reply => ({
      body: { next, results: createHours(...at) },
      spent: at.length,
    });

    it('joins pages, sums their cost and keeps each text', async () => {
      const result = await run([
        page(`https://api.example.org${path}?page=2`, 0),
        page('?page=3', 1, 2),
        page(null, 3),
      ]);
      assert.deepEqual(readRecords(result), createHours(0, 1, 2, 3));
      assert.equal(result.provenance.requestsSpent, 4);
      assert.equal(result.provenance.incomplete, false);
      assert.equal((JSON.parse(decodeBodies(result.bodies)) as unknown[]).length, 3);
      assert.deepEqual(
        result.sentRequests.slice(1).map(request => request.query),
        [[['page', '2']], [['page', '3']]],
      );
    });

    it('requests only from its own address with its own key, wherever the link leads', async () => {
      for (const next of [
        `https://evil.example.org${path}?page=2`,
        `http://api.example.org${path}?page=2`,
        `https://evil.example.org/prefix${path}/?page=2`,
      ]) {
        const { sentRequests } = await run([page(next, 0), page(null, 1)]);
        assert.equal(sentRequests.length, 2);
        for (const request of sentRequests) {
          assert.deepEqual([request.baseUrl, request.path, request.key], [endpoint.baseUrl, path, endpoint.key]);
          assert.equal(request.scope, 'normalized_data');
        }
        assert.ok(!JSON.stringify(sentRequests).includes('evil'));
      }
    });

    it('follows no link to another path, and reports more rows', async () => {
      const result = await run([page('https://api.example.org/api/v1/keys?page=2', 0)]);
      assert.equal(result.sentRequests.length, 1);
      assert.equal(result.provenance.incomplete, true);
      assert.deepEqual(readRecords(result), createHours(0));
    });

    it('stops at a page that links to itself or to an earlier one', async () => {
      const itself = await run([page('?page=2', 0), page('?page=2', 1)]);
      assert.equal(itself.sentRequests.length, 2);
      assert.equal(itself.provenance.incomplete, true);
      const start = '?start=2023-05-01T00:00:00Z&end=2023-05-02T00:00:00Z&interval=1h&a=b';
      const first = await run([page(start, 0)]);
      assert.equal(first.sentRequests.length, 1);
      const turns = await run([page('?page=2', 0), page('?page=3', 1), page('?page=2', 2)]);
      assert.equal(turns.sentRequests.length, 3);
      assert.deepEqual(readRecords(turns), createHours(0, 1, 2));
    });

    it('stops after fifty pages', async () => {
      const pages = Array.from({ length: 60 }, (_, index) => page(`?page=${index + 2}`, 0));
      const { sentRequests, provenance } = await run(pages);
      assert.deepEqual([sentRequests.length, provenance.requestsSpent, provenance.incomplete], [50, 50, true]);
    });

    it('keeps earlier pages when a later one fails, reports the total cost, and requests only the rest', async () => {
      const failure = new GridError('throttled', { requestsSpent: 1, retryAfterMs: 5000 });
      const { runner, sentRequests } = setUp(page('?page=2', 0, 1), failure, page(null, 2, 3));
      const result = await runner.run(query(), endpoint, { onMoreRequests: confirm });
      assert.deepEqual(readRecords(result), createHours(0, 1));
      const { requestsSpent, incomplete, failure: reported } = result.provenance;
      assert.deepEqual([requestsSpent, incomplete, reported?.reason], [3, false, 'throttled']);
      const remainingSpan = [Date.UTC(2023, 4, 1, 2), Date.UTC(2023, 4, 2)];
      assert.deepEqual(reported?.ranges, [remainingSpan]);
      assert.deepEqual([result.coverage?.present, result.coverage?.failed], [2, 22]);
      const laterResult = await runner.run(query(), endpoint);
      assert.deepEqual(sentRequests[2]?.query[0], ['start', '2023-05-01T02:00:00Z']);
      assert.deepEqual(readRecords(laterResult), createHours(0, 1, 2, 3));
    });

    it('keeps earlier pages when canceled between pages', async () => {
      const { runner, sentRequests } = setUp(
        page('?page=2', 0),
        new GridError('cancelled', { requestsSpent: 0 }),
        page(null),
      );
      const cancelled = new AbortController();
      const onMoreRequests = async (): Promise<boolean> => {
        cancelled.abort();
        return confirm();
      };
      const answered = runner.run(query(), endpoint, { signal: cancelled.signal, onMoreRequests });
      assert.deepEqual((await catchFailure(answered)).facts, { requestsSpent: 1 });
      assert.deepEqual(readRecords(await runner.run(query(), endpoint, { refresh: 'never' })), createHours(0));
      assert.equal(sentRequests.length, 1);
    });

    it('returns the received pages for an interval of unknown length', async () => {
      const { runner } = setUp(page('?page=2', 0), new GridError('serverError', { status: 500, requestsSpent: 3 }));
      const result = await runner.run({ ...query(), intervalMs: undefined }, endpoint, { onMoreRequests: confirm });
      assert.deepEqual(readRecords(result), createHours(0));
      const { requestsSpent, failure } = result.provenance;
      assert.deepEqual([requestsSpent, failure], [4, { reason: 'serverError', status: 500, ranges: [] }]);
    });
  });

  it('rethrows any other error unchanged', async () => {
    const { runner } = setUp();
    await assert.rejects(runner.run(query(), endpoint), /no reply is left/);
  });

  it('leaves the key out of the result', async () => {
    const result = await run([
      { body: { next: '?page=2', results: createHours(0) } },
      { body: { results: createHours(1) } },
    ]);
    assert.ok(JSON.stringify(result.sentRequests).includes(endpoint.key));
    // The bytes of bodies are serialized as numbers.
    const exposedText = [JSON.stringify({ ...result, sentRequests: [] }), decodeBodies(result.bodies)].join();
    assert.ok(!exposedText.includes(endpoint.key));
  });
});
