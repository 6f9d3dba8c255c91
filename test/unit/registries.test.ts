import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Catalogue from '../../src/core/query/catalogue.ts';
import type * as Schema from '../../src/core/savedQueries/file/queriesSchema.ts';
import type * as Query from '../../src/core/query/query.ts';
import { serviceQuery } from '../support/serviceQuery.ts';
import type * as Snippets from '../../src/core/snippets/querySnippets.ts';
import type * as AlertFields from '../../src/core/watch/alert.ts';
import type * as Exporter from '../../src/service/export/exporter.ts';
import type * as Pricing from '../../src/service/query/requestPricing.ts';
import type * as Embedded from '../../src/sandbox/embedded.ts';
import type * as Decode from '../../src/core/decode/decode.ts';
import type * as Describe from '../../src/core/frame/describeFields.ts';
import type { Limiter } from '../../src/service/limiter/limiter.ts';
import type * as ExportTable from '../../src/core/export/exportTable.ts';
import type * as ChartModes from '../../src/webview/chart/chartModes.ts';
import type * as ChartOptions from '../../src/webview/chart/chartOptions.ts';
import type * as PlotShapes from '../../src/webview/chart/plotShapes.ts';
import type * as Svg from '../../src/webview/chart/svg.ts';
import type * as Words from '../../src/webview/chart/words.ts';
import type * as ChartWorld from './webview/chart/chartWorld.ts';
import type { Frame } from '../../src/shared/frame.ts';
import type * as World from './service/gridWorld.ts';

const root = join(import.meta.dirname, '..', '..');

/** One more of each, as a person adds it: after the text in a file, this text. */
const additions: readonly (readonly [file: string, after: string, added: string])[] = [
  [
    'shared/fields.ts',
    "[totalRenewableField, 'Total renewable', power, 'All renewable generation'],",
    "['csp_mw', 'CSP', power, 'Concentrated solar generation'],",
  ],
  [
    'shared/fields.ts',
    'export const gridStressFields = catalogueOf(gridStress);',
    `export const interchangeFields = catalogueOf([
       ['ts', 'Hour', undefined, 'Beginning of the interval'],
       ['interchange_mw', 'Interchange', power, 'Mean power over the border', { usual: [-1800, 1800] }],
     ]);`,
  ],
  ['core/query/catalogue.ts', 'import { ', 'interchangeFields, '],
  ['core/query/catalogue.ts', 'export const rateLimits = {', 'interchange_data: { requests: 5, seconds: 60 },'],
  [
    'core/query/catalogue.ts',
    'export const datasets: readonly Dataset[] = [',
    `{ id: 'interchange', icon: 'pulse', title: 'Interchange', path: '/api/v1/grid/interchange', scope: 'interchange_data',
       limit: rateLimits.interchange_data, intervals: ['1h', '1d'], fields: interchangeFields, params: [] },`,
  ],
  ['shared/exportOptions.ts', 'export const exportFormats = [', "'columns', "],
  [
    'core/export/formats.ts',
    'export const formats: Readonly<Record<ExportFormat, FormatDescriptor>> = {',
    `columns: { name: 'Columns', extension: 'txt', saysOrigin: 'never', use: 'the names alone', text: { language: 'plaintext',
       layout: ({ columns }) => ({ ...jsonLayout([], () => ''), head: columns.map(({ name }) => name).join(), rows: () => '' }) } },`,
  ],
  ['core/snippets/querySnippets.ts', 'export const queryLanguages = [', "'wget', "],
  [
    'core/snippets/querySnippets.ts',
    'export const querySnippets: Readonly<Record<QueryLanguage, QuerySnippet>> = {',
    `wget: { name: 'wget', editorLanguage: 'shellscript', use: 'a line', write: ({ baseUrl, query }) => \`wget \${baseUrl}\${query.dataset.path}\` },`,
  ],
  [
    'webview/chart/chartModes.ts',
    'export const chartModes: readonly ChartMode[] = [',
    `{ id: 'steps', name: () => 'Steps', fits: frame => frame.rowCount < 10, choosable: numberColumns, draw: (...asked) => ({ ...lines(...asked), stepped: true }) },`,
  ],
];

describe('a copy of the source with one more dataset, field, export format, snippet language and chart', () => {
  let copy = '';
  const load = async <T>(path: string): Promise<T> => (await import(pathToFileURL(join(copy, path)).href)) as T;

  before(() => {
    mkdirSync(join(root, 'out'), { recursive: true });
    copy = mkdtempSync(join(root, 'out', 'registries-'));
    for (const folder of ['src', 'test/support', 'test/unit/service', 'test/unit/webview/chart', 'test/package.json'])
      cpSync(join(root, folder), join(copy, folder), { recursive: true });
    for (const [file, after, added] of additions) {
      const path = join(copy, 'src', file);
      const text = readFileSync(path, 'utf8');
      const at = text.lastIndexOf(after) + after.length;
      assert.ok(at >= after.length, `${file} lacks ${after}`);
      writeFileSync(path, `${text.slice(0, at)}\n${added}\n${text.slice(at)}`);
    }
  });

  after(() => rmSync(copy, { recursive: true }));

  it('prices a query of the dataset, fetches it from the route of the sandbox within a scope of its own, and knows its field', async () => {
    const { GridWorld, mayGo } = await load<typeof World>('test/unit/service/gridWorld.ts');
    const { planPrice } = await load<typeof Pricing>('src/service/query/requestPricing.ts');
    const { decode } = await load<typeof Decode>('src/core/decode/decode.ts');
    const { startSandbox } = await load<typeof Embedded>('src/sandbox/embedded.ts');
    const world = new GridWorld('2023-06-01T12:00:00Z');
    const query = world.query('2023-05-01', 'interchange');
    const unknown = { nextSlotInMs: undefined, blockedUntil: undefined, detectedUntil: undefined, refusal: undefined };
    const budget: Limiter['budget'] = async (_, { requests }) =>
      Promise.resolve({
        ...unknown,
        allowed: requests,
        left: requests,
        lastStartsInMs: 0,
        nextFreeInMs: 0,
        waiting: 0,
      });
    assert.deepEqual(await planPrice({ budget }, 1, query, world.endpoint), { requests: 1, now: 1, waitMs: 0 });

    const sandbox = await startSandbox();
    try {
      const key = sandbox.createKey('one').value;
      const runner = world.window({
        fetcher: {
          async fetch({ dataset, start, end, interval }, _, options = {}) {
            assert.ok(await mayGo(options));
            const asked = new URLSearchParams({ start: iso(start), end: iso(end), interval });
            const headers = { 'x-api-key': key };
            const answer = await fetch(`${sandbox.baseUrl}${dataset.path}?${asked.toString()}`, { headers });
            assert.equal(answer.status, 200);
            const decoded = decode([await answer.json()]);
            const times = { answeredAt: world.now, sentAt: world.now, headAt: world.now };
            return { decoded, bodies: [], traces: [], requestsSpent: 1, incomplete: false, ...times };
          },
        },
      });
      const { frame, coverage } = await runner.run(query, world.endpoint);
      assert.deepEqual([frame?.rowCount, coverage?.missing], [24, 0]);
      const column = frame?.columns.find(({ name }) => name === 'interchange_mw');
      assert.ok(column?.kind === 'number');
      assert.deepEqual([column.field?.label, column.field?.unit?.text], ['Interchange', 'MW']);
      assert.ok(column.values.every(value => value >= -1800 && value <= 1800));
      const range = new URLSearchParams({ start: '2023-05-01T00:00:00Z', end: '2023-05-01T01:00:00Z' });
      const state = await fetch(`${sandbox.baseUrl}/api/v1/grid/system-state?${range.toString()}`, {
        headers: { 'x-api-key': key },
      });
      const { data } = (await state.json()) as { data: readonly Record<string, unknown>[] };
      assert.equal(data[0]?.['csp_mw'], null);
      const document = (await (await fetch(`${sandbox.baseUrl}/openapi.json`)).json()) as { paths: object };
      assert.ok('/api/v1/grid/interchange' in document.paths);
    } finally {
      await sandbox.close();
    }
  });

  it('offers the dataset in queries files', async () => {
    const { queriesSchema } = await load<typeof Schema>('src/core/savedQueries/file/queriesSchema.ts');
    assert.match(
      JSON.stringify(queriesSchema()),
      /"enum":\["interchange","systemState","gridStress","stateAndStress"\]/,
    );
  });

  it('knows the field: its numbers, its unit, and alerts of it', async () => {
    const { frameOf } = await load<typeof Decode>('src/core/decode/decode.ts');
    const { describeFields } = await load<typeof Describe>('src/core/frame/describeFields.ts');
    const { datasetById } = await load<typeof Catalogue>('src/core/query/catalogue.ts');
    const { alertFields } = await load<typeof AlertFields>('src/core/watch/alert.ts');
    const fields = datasetById('systemState')?.fields ?? assert.fail();
    // Without a value only the registry says that it holds numbers.
    const [column] = describeFields(frameOf([{ csp_mw: null }]), fields).columns;
    assert.deepEqual([column?.kind, column?.field?.label, column?.field?.unit?.text], ['number', 'CSP', 'MW']);
    assert.ok(alertFields('systemState', '1h').some(({ name }) => name === 'csp_mw'));
  });

  it('writes an export format that was added', async () => {
    const { exportText } = await load<typeof Exporter>('src/service/export/exporter.ts');
    const { writtenTable } = await load<typeof ExportTable>('src/core/export/exportTable.ts');
    const { frameOf } = await load<typeof Decode>('src/core/decode/decode.ts');
    const frame: Frame = frameOf([{ ts: '2023-05-01T00:00:00Z', wind_mw: 1 }]);
    const zone = { timeZone: 'UTC', label: 'UTC' };
    const options = { dialect: 'standard', times: 'utc', zone, heading: 'names', provenance: 'none' } as const;
    const format = 'columns' as 'csv';
    assert.match(await exportText(writtenTable({ frame }), { ...options, format }), /^ts,wind_mw/);
  });

  it('writes a snippet in a language that was added', async () => {
    const { queryLanguages, querySnippets } = await load<typeof Snippets>('src/core/snippets/querySnippets.ts');
    const { resolveQuery } = await load<typeof Query>('src/core/query/query.ts');
    const asked = { dataset: 'interchange', range: '2023-05-01', interval: '1h', params: {} };
    const resolved = resolveQuery(asked, Date.parse('2023-06-01T00:00:00Z'), 'UTC');
    assert.ok(resolved.ok);
    const [language] = queryLanguages;
    const question = { baseUrl: 'https://grid.example', query: serviceQuery(resolved.value), timeZone: 'UTC' };
    assert.equal(querySnippets[language].write(question), 'wget https://grid.example/api/v1/grid/interchange');
  });

  it('offers the chart with its name and its columns, keeps it with the panel, and draws it on screen and in a picture', async () => {
    const { availableModes } = await load<typeof ChartModes>('src/webview/chart/chartModes.ts');
    const { readChartOptions } = await load<typeof ChartOptions>('src/webview/chart/chartOptions.ts');
    const { plotOf, frameOf, numbers, palette } = await load<typeof ChartWorld>(
      'test/unit/webview/chart/chartWorld.ts',
    );
    const { plotShapes } = await load<typeof PlotShapes>('src/webview/chart/plotShapes.ts');
    const { PlotWords } = await load<typeof Words>('src/webview/chart/words.ts');
    const { svgOf } = await load<typeof Svg>('src/webview/chart/svg.ts');
    const frame = frameOf([numbers('residual_demand_mw', [1, 2])]);
    const [mode] = availableModes(frame);
    assert.deepEqual([mode?.name(), mode?.choosable?.(frame).length], ['Steps', 1]);
    const { mode: kept } = readChartOptions({ mode: 'steps' }, frame);
    const plot = plotOf(frame, { mode: kept });
    assert.equal(plot.mode, mode);
    const [width, height] = [400, 300];
    const room = { area: { x: 0, y: 0, width, height }, width, isLow: false, ratio: 1 };
    const scene = { plot, words: new PlotWords(plot, 'en'), palette, measure: () => 20 };
    const { shapes } = plotShapes(scene, plot.domain, room);
    const svg = svgOf(shapes, { width, height, title: '', description: '', background: '#ffffff', font: 'sans-serif' });
    // From one hour to the next, up, and on to the end of the second: lines alone would be M and one L.
    assert.match(svg, /<path d="M[\d. ]+(L[\d. ]+){3}"[^>]*stroke="#111111"/);
  });
});

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
