import assert from 'node:assert/strict';
import { join } from 'node:path';
import { findDataset } from '../../../../src/core/query/catalogue.ts';
import { GridError } from '../../../../src/core/errors.ts';
import type { GridTool } from '../../../../src/host/tools/gridTool.ts';
import { createGridTools, type ToolsDeps } from '../../../../src/host/tools/gridTools.ts';
import { tools } from '../../../../src/host/ids.ts';
import { QueryTool } from '../../../../src/host/tools/queryTool.ts';
import { AgentAllowance } from '../../../../src/service/limiter/agentAllowance.ts';
import { QueryEngine } from '../../../../src/service/query/queryEngine.ts';
import { RequestPricing } from '../../../../src/service/query/requestPricing.ts';
import { connection } from '../../../support/connection.ts';
import { realClock } from '../../../support/realClock.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { GridWorld } from '../../service/gridWorld.ts';

const { signal } = new AbortController();

describe('a tool that queries a dataset', () => {
  let world: GridWorld;
  let deps: ToolsDeps;
  let maxPerHour: number;
  /** The rate limit: the requests left, and when the last one starts. */
  let rateLimit: { left: number; lastStartsInMs: number };

  beforeEach(() => {
    world = new GridWorld('2026-11-21T12:00Z');
    maxPerHour = 5;
    rateLimit = { left: 8, lastStartsInMs: 0 };
    const endpoints = {
      resolve: async () => Promise.resolve(world.endpoint),
      noteResult: async () => Promise.resolve(),
      noteFailure: async () => Promise.resolve(),
    };
    const engine = new QueryEngine({ ...world.deps(), endpoints });
    const limiter = { budget: async () => Promise.resolve({ ...rateLimit, allowed: 10, waiting: 0, nextFreeInMs: 0 }) };
    deps = {
      connections: { active: () => connection, findByName: () => undefined, list: () => [connection] },
      engine,
      pricing: new RequestPricing({ endpoints, engine, limiter, sandbox: { isRunning: false } } as never),
      nowAt: () => world.now,
      getSource: async () => Promise.resolve('world'),
      allowance: new AgentAllowance({
        path: join(createTemporaryFolder(), 'agents', 'agents.json'),
        clock: { now: () => world.now, sleep: realClock.sleep.bind(realClock) },
        random: Math.random,
        maxPerHour: () => maxPerHour,
      }),
      stores: { list: () => [], settle: async () => Promise.resolve() },
      readers: { run: async () => Promise.reject(new Error('nothing to draw')) },
      uriScheme: 'vscode',
    } as unknown as ToolsDeps;
  });

  function createTool(id = 'systemState'): GridTool {
    const dataset = findDataset(id);
    assert.ok(dataset);
    return new QueryTool(dataset, deps);
  }

  /** Calls the tool as after a confirmation, or as VS Code does where no confirmation is needed. */
  async function call(input: object, tool = createTool()): Promise<string> {
    await tool.prepare(input).catch(() => undefined);
    return (await tool.invoke(input, signal)).text;
  }

  const countLeft = async (scope: string): Promise<number> => (await deps.allowance.getBudget('world', scope)).left;

  it('asks for a number of requests with range, dataset, connection and archived hours, and sends nothing', async () => {
    await call({ range: '2026-11-14..2026-11-17' });
    const { confirmationMessages } = await createTool().prepare({ range: '2026-11-14..2026-11-18' });
    assert.deepEqual(confirmationMessages, {
      title: 'Allow the agent to send 1 request?',
      message:
        'System state · 2026-11-14..2026-11-18 · hourly, 14 Nov 2026 00:00 – 19 Nov 2026 00:00 UTC, Grid. ' +
        'This needs 1 request of the 8 left. 96 of 120 hours are in the archive.',
    });
    const compare = { kind: 'range', range: '2025-11-14..2025-11-18' };
    const { confirmationMessages: both } = await createTool().prepare({
      range: '2026-11-14..2026-11-18',
      analysis: { compare },
    });
    assert.equal(both?.title, 'Allow the agent to send 2 requests?');
    assert.equal(world.sentRequests.length, 1);
  });

  it('shows how long a tool call takes when it has to wait', async () => {
    rateLimit = { left: 0, lastStartsInMs: 110_000 };
    const { confirmationMessages } = await createTool().prepare({ range: '2026-11-14' });
    assert.match(confirmationMessages?.message ?? '', /This needs 1 request: 0 now, 1 over about 110 s\./);
  });

  it('needs no confirmation and no allowance for archived hours', async () => {
    await call({ range: '2026-11-14' });
    maxPerHour = 0;
    const { confirmationMessages, invocationMessage } = await createTool().prepare({ range: '2026-11-14' });
    assert.equal(confirmationMessages, undefined);
    assert.match(invocationMessage ?? '', /No requests: all available data is in the archive\./);
    assert.match(await call({ range: '2026-11-14' }), /Requests spent: 0;/);
  });

  it('spends only confirmed requests, and each confirmation once', async () => {
    const [tool, input] = [createTool(), { range: '2026-11-14' }];
    await assert.rejects(tool.invoke(input, signal), /now needs 1 requests, which the person has not confirmed/);
    await tool.prepare(input);
    await assert.rejects(tool.invoke({ range: '2026-11-15' }, signal), /has not confirmed/);
    assert.equal(world.sentRequests.length, 0);
    await tool.invoke(input, signal);
    await assert.rejects(tool.invoke({ range: '2026-11-16' }, signal), /has not confirmed/);
    assert.equal(world.sentRequests.length, 1);
  });

  it('sends no more requests in an hour than agents may send, and says when the next call is allowed', async () => {
    maxPerHour = 2;
    await call({ range: '2026-11-01' });
    world.now += 90_500;
    await call({ range: '2026-11-02' });
    const refusal =
      'The person allows agents 2 requests an hour (setting gridData.agents.maxRequestsPerHour), and this call needs 1: ' +
      'the next call is allowed at 2026-11-21T13:00Z; hours in the archive cost nothing. Nothing was sent.';
    await assert.rejects(call({ range: '2026-11-03' }), { message: refusal });
    await assert.rejects(createTool().prepare({ range: '2026-11-03' }), { message: refusal });
    assert.equal(world.sentRequests.length, 2);
    world.now = Date.parse('2026-11-21T13:00Z');
    await call({ range: '2026-11-03' });
    assert.equal(world.sentRequests.length, 3);
  });

  it('applies the limit to calls that were confirmed before another call used it up', async () => {
    maxPerHour = 1;
    const [first, second] = [createTool(), createTool()];
    await first.prepare({ range: '2026-11-01' });
    await second.prepare({ range: '2026-11-02' });
    await first.invoke({ range: '2026-11-01' }, signal);
    await assert.rejects(second.invoke({ range: '2026-11-02' }, signal), /next call is allowed at 2026-11-21T13:00Z/);
    assert.equal(world.sentRequests.length, 1);
  });

  it('asks for a shorter range if an hour never allows the requests', async () => {
    maxPerHour = 0;
    await assert.rejects(call({ range: '2026-11-01' }), /allows agents 0 requests an hour .* request a shorter range;/);
  });

  it('counts requests that failed or were retried, and no others', async () => {
    world.beforeResponse = () => {
      throw new GridError('serverError', { status: 500, requestsSpent: 1 });
    };
    await assert.rejects(call({ range: '2026-11-01' }));
    assert.equal(await countLeft('normalized_data'), 4);
    world.beforeResponse = () => {
      throw new GridError('keyRejected', { requestsSpent: 0 });
    };
    await assert.rejects(call({ range: '2026-11-02' }));
    assert.equal(await countLeft('normalized_data'), 4);
    world.beforeResponse = () => {
      throw new GridError('throttled', { status: 429, requestsSpent: 2 });
    };
    await assert.rejects(call({ range: '2026-11-02' }));
    assert.equal(await countLeft('normalized_data'), 2);
  });

  it('spends the allowances of both rate limits for a joined dataset', async () => {
    await call({ range: '2026-11-01' });
    const tool = createTool('stateAndStress');
    await call({ range: '2026-11-01' }, tool);
    assert.deepEqual([await countLeft('normalized_data'), await countLeft('features')], [4, 4]);
    await call({ range: '2026-11-02' }, tool);
    assert.deepEqual([await countLeft('normalized_data'), await countLeft('features')], [3, 3]);
    await deps.allowance.reserve('world', 'features', 3);
    await assert.rejects(call({ range: '2026-11-03' }, tool), /next call is allowed/);
    assert.equal(await countLeft('normalized_data'), 3);
  });

  it('reports how many requests agents may still send', async () => {
    await call({ range: '2026-11-01' });
    const { text = '' } = (await createGridTools(deps)[tools.checkBudget]?.invoke({}, signal)) ?? {};
    assert.match(text, /systemState: 8 of 10 requests left, 0 waiting, agents may send 4 of 5 an hour;/);
  });

  it('rejects an API key in the input, an unknown interval and an invalid range before pricing', async () => {
    const tool = createTool();
    await assert.rejects(tool.prepare({ range: 'today', connection: `sb_test_${'a1'.repeat(8)}` }), /looks like a key/);
    await assert.rejects(tool.prepare({ range: 'today', interval: '5m' }), /systemState has 1h and 1d/);
    await assert.rejects(tool.prepare({ range: 7 }), /cannot be read \(range:.*Ranges:/);
  });

  it('returns no rows by default, and those that an analysis makes or selects', async () => {
    const input = { range: '2026-11-14..2026-11-16' };
    assert.doesNotMatch(await call(input), /^2026-11-14T/m);
    const sort = [{ column: 'residual_demand_mw', descending: true }];
    const top = await call({ ...input, analysis: { sort, limit: 2 } });
    assert.match(top, /All 2 rows;.*\n.*\n2026-11-16T23:00Z,498575\n2026-11-16T22:00Z,498574\n/);
    assert.match(await call({ ...input, analysis: { sort } }), /48 of 72 rows, the first;/);
    assert.match(await call({ ...input, rows: 'ends' }), /48 of 72 rows, the first and the last;/);
  });

  it('writes days of a zone as dates there, in rows, extremes, events, summaries and missing ranges', async () => {
    const days = { range: '2026-11-14..2026-11-17', interval: '1d@SAST' };
    const hours = { range: '2026-11-14..2026-11-17', timeZone: 'SAST' };
    for (let ms = Date.parse('2026-11-14T22:00Z'); ms < Date.parse('2026-11-15T22:00Z'); ms += 3_600_000)
      world.holes.add(ms);
    const condition = { kind: 'condition', condition: 'residual_demand_mw > 0' };
    const column = 'residual_demand_mw';
    const texts = {
      days: await call({ ...days, rows: 'ends' }),
      summary: await call({ ...days, analysis: { summarize: ['extremes'] } }),
      events: await call({ ...days, interval: '1d', analysis: { find: { rule: condition, column } } }),
      compared: await call({
        ...days,
        rows: 'ends',
        analysis: { compare: { kind: 'previousPeriod', align: 'position' } },
      }),
      worst: await call({ ...days, analysis: { sort: [{ column, descending: true }], limit: 1 } }),
      resampled: await call({ ...hours, analysis: { resample: 'day' } }),
      resampledSummary: await call({ ...hours, analysis: { resample: 'day', summarize: ['extremes'] } }),
      weeks: await call({ ...hours, analysis: { resample: 'week' } }),
      unusual: await call({
        ...hours,
        range: '2026-10-01..2026-11-17',
        analysis: { find: { rule: { kind: 'unusual', by: 'day' }, column } },
      }),
    };
    for (const [name, text] of Object.entries(texts)) {
      const [head = '', data = ''] = text.split('<grid-data>');
      assert.doesNotMatch(data.split('</grid-data>')[0] ?? '', /T22:00Z?/i, `${name}: ${data}`);
      if (name in { days: 1, summary: 1, compared: 1, worst: 1 }) assert.doesNotMatch(head, /T2[12]:\d\d/, head);
    }
    assert.match(texts.days, /^From 2026-11-14 to 2026-11-17 \(both days included\)/m);
    assert.match(texts.days, /1 missing: 2026-11-15\./);
    assert.match(texts.days, /^2026-11-14,/m);
    assert.match(texts.summary, /,2026-11-14,.*,2026-11-17/);
    assert.match(texts.events, /never 0; an end is exclusive, or the last day:$/m);
    assert.match(texts.events, /^2026-11-14,2026-11-14,.*\n2026-11-16,2026-11-17,/m);
    assert.match(texts.resampled, /Their dates are days of SAST \(UTC\+2\)\.$/m);
    assert.match(texts.resampled, /^2026-11-17,/m);
    assert.match(texts.resampledSummary, /,2026-11-14,.*,2026-11-17/);
    assert.match(texts.weeks, /^2026-11-09,/m);
    assert.match(texts.unusual, /^2026-1\d-\d\d,2026-1\d-\d\d,/m);
  });
});
