import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Connection } from '../../src/core/connections/connection.ts';
import { queriedDatasets } from '../../src/core/query/catalogue.ts';
import { maxReplyLength } from '../../src/core/summary/modelText.ts';
import { queryToolName, settings, tools } from '../../src/host/ids.ts';
import type { GridDataApi } from '../../api/grid-data-inspector.d.ts';
import type { GridTool } from '../../src/host/tools/gridTool.ts';
import { toLanguageModelTool } from '../../src/host/tools/languageModelTools.ts';
import { createOpenLink } from '../../src/host/tools/linkQuery.ts';
import { parseOpenLink } from '../../src/host/tools/openLink.ts';
import { startSandbox, type RunningSandbox } from '../../src/sandbox/embedded.ts';
import { hostileResponses } from '../hostile/responses.ts';
import { hostileTexts } from '../hostile/texts.ts';
import { sendJson, startCannedService } from '../support/cannedService.ts';

describe('the tools for language models', () => {
  let sandbox: RunningSandbox;
  let key: string;
  let api: GridDataApi;

  before(async () => {
    sandbox = await startSandbox();
    key = sandbox.createKey('tools').value;
    const extension = vscode.extensions.getExtension<GridDataApi>('grid-data.grid-data-inspector');
    assert.ok(extension);
    api = await extension.activate();
    await addConnection('Tools', sandbox.baseUrl, key);
    // The suite sends more requests than agents may send in an hour by default.
    await setMaxRequestsPerHour(1_000);
  });
  after(async () => {
    await setMaxRequestsPerHour(undefined);
    await sandbox.close();
  });

  it('registers each tool with its description and input schema', () => {
    const registered = vscode.lm.tools.filter(({ name }) => name.startsWith('gridData_'));
    assert.deepEqual(
      registered.map(({ name }) => name).sort(),
      [...queriedDatasets.map(({ id }) => queryToolName(id)), ...Object.values(tools)].sort(),
    );
    for (const { description, inputSchema } of registered) assert.ok(description && inputSchema);
  });

  it('returns a bounded summary, without a request if all hours are in the archive', async () => {
    await api.query({ dataset: 'systemState', range: '2023-04-03..2023-04-09', connection: 'Tools' });
    const text = await invoke(queryToolName('systemState'), { range: '2023-04-03..2023-04-09', connection: 'Tools' });
    assert.ok(text.length <= maxReplyLength, `${text.length}`);
    assert.match(text, /From 2023-04-03T00:00Z to 2023-04-10T00:00Z \(UTC/);
    assert.match(text, /\d+ of 168 hours have a row/);
    assert.match(text, /Requests spent: 0;/);
    assert.match(text, /"residual_demand_mw" \[MW\] \| \d+, \d+, 0 \| /);
    assert.match(text, /^SAMPLE DATA: no grid was measured/);
    assert.ok(!text.includes(key.slice(0, 10)) && !text.includes(sandbox.baseUrl), text);
    const link = vscode.Uri.parse(/\S+$/.exec(text)?.[0] ?? '');
    const { query, connection } = parseOpenLink(link);
    assert.deepEqual(
      [query, connection],
      [
        {
          dataset: 'systemState',
          range: '2023-04-03T00:00Z..2023-04-10T00:00Z',
          interval: '1h',
          params: {},
          timeZone: 'UTC',
        },
        'Tools',
      ],
    );
  });

  it('draws the rows as a chart on request, and lists the kinds of charts if the requested one is unknown', async () => {
    const input = { range: '2023-04-03..2023-04-09', connection: 'Tools', rows: 'none' };
    assert.deepEqual(await readPictureSize({ ...input, chart: 'lines', fields: ['wind_mw', 'pv_mw'] }), [1080, 420]);
    const [width, height = 0] = await readPictureSize({ ...input, chart: 'mix', analysis: { resample: 'day' } });
    assert.ok(width === 1080 && height >= 420);
    const noColumns = { chart: 'lines', fields: ['ts'], analysis: { columns: ['residual_demand_mw'] } };
    assert.deepEqual(await readPictureSize({ ...input, ...noColumns }), [1080, 420]);
    const readRejection = async (more: object) =>
      invoke(queryToolName('systemState'), { ...input, ...more }).catch(String);
    assert.match(await readRejection({ chart: 'stress' }), /no chart 'stress'\. Use lines, mix, /);
    assert.match(await readRejection({ chart: 'pie' }), /cannot be read \(chart/);
    assert.match(
      await readRejection({ chart: 'lines', analysis: { summarize: ['energy'] } }),
      /Leave out 'chart', or 'find'/,
    );
  });

  it('returns an analysis of the rows, and describes the result of each part', async () => {
    const input = { range: '2023-04-03..2023-04-09', timeZone: 'SAST', connection: 'Tools' };
    const peaks = await invoke(queryToolName('systemState'), {
      ...input,
      analysis: { find: { column: 'residual_demand_mw', rule: { kind: 'peak' } } },
    });
    assert.match(peaks, /computed from the received rows: "peaks: hours with the highest residual_demand_mw/);
    const days = await invoke(queryToolName('systemState'), {
      ...input,
      fields: ['share', 'wind_mw'],
      analysis: { derive: [{ name: 'share', formula: 'share(wind_mw, total)' }], resample: 'day' },
    });
    assert.match(days, /"the column share = share\(wind_mw, total\); days of SAST/);
    const { view } = parseOpenLink(vscode.Uri.parse(/\S+$/.exec(days)?.[0] ?? ''));
    assert.deepEqual(view, {
      analysis: { derive: [{ name: 'share', formula: 'share(wind_mw, total)' }], resample: 'day' },
    });
    assert.match(days, /^2023-04-03,/m);
    assert.match(days, /^2023-04-09,/m);
    const compare = { kind: 'previousPeriod', align: 'position' } as const;
    const changes = await invoke(queryToolName('systemState'), {
      ...input,
      analysis: { compare, summarize: ['energy'] },
      rows: 'ends',
    });
    assert.match(changes, /energy_mwh · percent/);
    assert.match(changes, /"compared with the previous period, aligned by position; a row for each column/);
    assert.match(changes, /Requests spent: 1;/);
    // Adjacent periods need only one request, which the price takes into account.
    const comparison = await invoke(queryToolName('systemState'), {
      ...input,
      range: '2022-03-07..2022-03-09',
      fields: ['wind_mw'],
      analysis: { compare, summarize: ['energy', 'extremes'] },
    });
    assert.match(comparison, /Requests spent: 1;/);
    assert.match(comparison, /^"Wind","MW",/m);
    assert.doesNotMatch(comparison, /^"PV",|Not in the result/m);
    // The rows are statistics already, so there are none of them.
    assert.doesNotMatch(changes, /^Figures: /m);
    const link = parseOpenLink(vscode.Uri.parse(/\S+$/.exec(changes)?.[0] ?? ''));
    assert.deepEqual(link.view, { analysis: { compare, summarize: ['energy'] } });
    const message = await invoke(queryToolName('systemState'), {
      ...input,
      analysis: { resample: '3h', limit: 0 },
    }).catch((error: unknown) => (error as Error).message);
    assert.match(message, /analysis\.limit/);
  });

  it('links to the same query, with any characters', () => {
    const params = { components: 'a&b=c 100 % + #1 %26' };
    const query = {
      dataset: 'gridStress',
      interval: '1h',
      params,
      range: 'last 1 hour',
      timeZone: 'Africa/Johannesburg',
    };
    const connection = { name: 'Ops & + 50 % #2' } as Connection;
    const link = vscode.Uri.parse(createOpenLink('vscode', query, { start: 0, end: 3_600_000 }, connection));
    const read = parseOpenLink(link);
    const range = '1970-01-01T00:00Z..1970-01-01T01:00Z';
    assert.deepEqual(read, { query: { ...query, range }, connection: connection.name });
  });

  it('rejects a link that is too long for a query', () => {
    const link = { path: '/open', query: `dataset=systemState&range=today&param.a=${'x'.repeat(10_000)}` };
    assert.throws(() => parseOpenLink(link), /too long/);
  });

  it('sends the confirmed requests, and reports them', async () => {
    // VS Code accepts its own confirmations while a suite runs in it.
    const text = await invoke(queryToolName('gridStress'), {
      range: '2023-04-03',
      components: true,
      connection: 'Tools',
    });
    assert.match(text, /Requests spent: 1;/);
    assert.match(text, /"components\.reserve_margin" \|/);
  });

  it('describes fields, lists saved queries and reports the budget, without a request or an API key', async () => {
    const readBudget = async (): Promise<string> => invoke(tools.checkBudget, {});
    const lastUsed = (): unknown => sandbox.keys.list().map(known => known.lastUsed);
    const usedBefore = lastUsed();
    const previousBudget = await readBudget();
    assert.match(await invoke(tools.describeFields, { dataset: 'gridStress' }), /gridStress\.value: Grid stress index/);
    assert.match(await invoke(tools.listSavedQueries, {}), /^\d+ saved queries/);
    assert.match(previousBudget, /"Tools" \(.*\): systemState: \d+ of 10 requests left/);
    for (const text of [previousBudget, await readBudget(), await invoke(tools.describeFields, {})])
      assert.ok(!text.includes(key.slice(0, 10)), text);
    assert.deepEqual(lastUsed(), usedBefore);
  });

  it('returns an error that tells the model what to change', async () => {
    const readError = async (name: string, input: object): Promise<string> =>
      invoke(name, input).then(String, (error: unknown) => (error as Error).message);
    assert.match(
      await readError(queryToolName('systemState'), { range: 'whenever' }),
      /isn't a valid time range.*"last 36 hours"/,
    );
    assert.match(
      await readError(queryToolName('systemState'), { range: 'today', connection: 'nobody' }),
      /'nobody'.*Tools/,
    );
    assert.match(
      await readError(queryToolName('systemState'), { range: `sb_test_${'a1'.repeat(8)}` }),
      /looks like a key\. Tools take no keys/,
    );
  });

  it('returns a bounded, inert text for any response of the service', async function () {
    this.timeout(1_200_000);
    const texts = hostileTexts.filter(({ text }) => text.length < 900).map(({ text }) => ({ [text]: text }));
    const responses = [
      ...hostileResponses,
      { name: 'hostile texts as names and values', body: () => JSON.stringify(texts), expected: 'table' },
    ];
    let body = '';
    const service = await startCannedService((_, response) => sendJson(response, 200, body));
    try {
      for (const [index, response] of responses.entries()) {
        body = response.body();
        // Longer responses take seconds each, so hostileRuns.long.test.ts covers them.
        if (body.length > 3_000_000) continue;
        // A new key has a full budget, and these hours have not been requested before.
        await addConnection('Hostile', service.baseUrl, `not-a-real-key-${index}`);
        const range = new Date(Date.UTC(2020, 0, 1 + index)).toISOString().slice(0, 10);
        const input = { range, connection: 'Hostile' };
        const text = await invoke(queryToolName('systemState'), input).catch(
          (error: unknown) => (error as Error).message,
        );
        assert.equal(/Requests spent: 1;/.test(text), response.expected !== 'damaged', `${response.name}: ${text}`);
        assert.ok(text.length <= maxReplyLength, `${response.name}: ${text.length} characters`);
        assert.doesNotMatch(text, /(?!\n)\p{C}/u, response.name);
      }
    } finally {
      await service.close();
    }
  });

  it('passes the cancellation of a call on to the tool', async () => {
    const cancel = new vscode.CancellationTokenSource();
    cancel.cancel();
    const tool: GridTool = {
      prepare: async () => Promise.resolve({}),
      invoke: async (_, signal) => Promise.resolve({ text: signal.aborted ? 'stopped' : 'ran' }),
    };
    const options = { input: {}, toolInvocationToken: undefined };
    const result = await toLanguageModelTool(tool, () => undefined).invoke(options, cancel.token);
    assert.deepEqual(result?.content, [new vscode.LanguageModelTextPart('stopped')]);
  });

  async function setMaxRequestsPerHour(value: number | undefined): Promise<void> {
    const configuration = vscode.workspace.getConfiguration();
    await configuration.update(settings.maxAgentRequestsPerHour, value, vscode.ConfigurationTarget.Global);
  }

  async function addConnection(name: string, baseUrl: string, key: string): Promise<void> {
    await vscode.commands.executeCommand('gridData.addConnection', { name, baseUrl, key, verify: false });
  }

  /** Returns the width and height of the image in the reply. */
  async function readPictureSize(input: object): Promise<readonly number[]> {
    const options = { input, toolInvocationToken: undefined };
    const { content } = await vscode.lm.invokeTool(queryToolName('systemState'), options);
    const dataPart = content.find(item => item instanceof vscode.LanguageModelDataPart);
    assert.ok(dataPart);
    assert.equal(dataPart.mimeType, 'image/png');
    const bytes = Buffer.from(dataPart.data);
    assert.equal(bytes.toString('latin1', 1, 4), 'PNG');
    return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  }

  async function invoke(name: string, input: object): Promise<string> {
    const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
    return content.map(part => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
  }
});
