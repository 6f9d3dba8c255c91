import assert from 'node:assert/strict';
import { ErrorBoundary } from '../../src/host/messages/errorBoundary.ts';
import * as vscode from 'vscode';
import type { OpenOptions } from '../../src/host/panel/querySessions.ts';
import { createOpenLink } from '../../src/host/tools/linkQuery.ts';
import { followLink, parseOpenLink, type OpenLinksDeps } from '../../src/host/tools/openLink.ts';
import { getRequestedSpan, resolveQuery } from '../../src/core/query/query.ts';
import { hostileLinks, createUnknownLinks } from '../hostile/links.ts';
import { createConnections } from './createConnections.ts';
import { assertInert, captureShownTexts } from './screen.ts';

const link =
  'dataset=gridStress&range=2023-05-01..2023-05-03&interval=1h&timeZone=SAST&param.components=true&connection=Main';
const path = '/open';
const encode = (view: unknown) => Buffer.from(JSON.stringify(view)).toString('base64url');

describe('a link that opens the extension', () => {
  it('opens the query of a link on the named connection, with rows from the archive only', async () => {
    const { deps, requested } = createFakes();
    await followLink({ path, query: link }, deps);
    const params = { components: 'true' };
    const timeZone = 'Africa/Johannesburg';
    assert.deepEqual(requested, [
      [{ dataset: 'gridStress', range: '2023-05-01..2023-05-03', interval: '1h', params, timeZone }, 'Main', 'never'],
    ]);
  });

  it('reveals the open panel of the query with the view of the link, without another run', async () => {
    const { deps, requested, revealed } = createFakes({ isOpen: true });
    const view = { display: { tab: 'chart' } };
    await followLink({ path, query: `${link}&display=${encode(view.display)}` }, deps);
    const query = { dataset: 'gridStress', range: '2023-05-01..2023-05-03', interval: '1h' };
    assert.deepEqual(revealed, [
      [{ ...query, params: { components: 'true' }, timeZone: 'Africa/Johannesburg' }, 'Main', view],
    ]);
    assert.deepEqual(requested, []);
  });

  it('shows the result with the display of the link, and rejects links with an invalid or too long display', async () => {
    const display = { tab: 'chart', zone: 'Africa/Johannesburg', later: { x: [1] } };
    const { deps, requested } = createFakes();
    await followLink({ path, query: `${link}&display=${encode(display)}` }, deps);
    assert.deepEqual(requested.flat().slice(2), ['never', { display }]);
    for (const invalid of [
      'x',
      '',
      encode('chart'),
      encode({ later: [[[[[[['deep']]]]]]] }),
      encode({ x: 'y'.repeat(9_000) }),
    ]) {
      const fakes = createFakes();
      const texts = await captureShownTexts(async () =>
        followLink({ path, query: `${link}&display=${invalid}` }, fakes.deps),
      );
      assertInert(texts, invalid);
      assert.deepEqual([fakes.requested, texts.length], [[], 1], invalid.slice(0, 20));
    }
  });

  it('shows the analysis of a link, and rejects links with an analysis that a panel cannot show', async () => {
    const { deps, requested } = createFakes();
    const analysis = { where: { value: '>0.6' }, resample: 'day', sort: [{ column: 'ts', descending: true }] };
    const appendAnalysis = (value: unknown) => `${link}&analysis=${encodeURIComponent(JSON.stringify(value))}`;
    await followLink({ path, query: appendAnalysis(analysis) }, deps);
    assert.deepEqual(requested.flat().slice(2), ['never', { analysis }]);
    for (const invalid of ['x', { limit: 5 }, { resample: 'decade' }, { filters: {} }]) {
      const fakes = createFakes();
      const texts = await captureShownTexts(async () =>
        followLink({ path, query: appendAnalysis(invalid) }, fakes.deps),
      );
      assertInert(texts, JSON.stringify(invalid));
      assert.deepEqual([fakes.requested, texts.length], [[], 1], JSON.stringify(invalid));
    }
  });

  it('creates links with dates for days of a time zone, and parses them in that zone', () => {
    const [connection] = createConnections('Main').list();
    assert.ok(connection);
    const query = {
      dataset: 'gridStress',
      range: 'last 2 days',
      interval: '1d@SAST',
      params: {},
      timeZone: 'America/New_York',
    };
    const span = { start: Date.UTC(2026, 10, 14, 22), end: Date.UTC(2026, 10, 16, 22) };
    const parsedLink = parseOpenLink(vscode.Uri.parse(createOpenLink('vscode', query, span, connection)));
    assert.equal(parsedLink.query.range, '2026-11-15..2026-11-16');
    const resolved = resolveQuery(parsedLink.query, Date.UTC(2026, 10, 20));
    assert.deepEqual(resolved.ok && getRequestedSpan(resolved.value), span);
  });

  it('creates links with the view of a panel, and fails if a link would be too long', () => {
    const query = { dataset: 'gridStress', range: 'today', interval: '1h', params: {}, timeZone: 'UTC' };
    const main = createConnections('Main');
    const [connection] = main.list();
    assert.ok(connection);
    const analysis = { where: { stress_index: '>0.5 & <0,9 %' } };
    const view = { analysis, display: { tab: 'chart', zone: 'UTC' } };
    const parsedLink = vscode.Uri.parse(
      createOpenLink('vscode', query, { start: 0, end: 3_600_000 }, connection, view),
    );
    assert.deepEqual(parseOpenLink(parsedLink).view, view);
    const long = { analysis: { where: { stress_index: 'x'.repeat(8_000) } } };
    assert.throws(
      () => createOpenLink('vscode', query, { start: 0, end: 3_600_000 }, connection, long),
      /too long for a link/,
    );
  });

  it('rejects hostile links and unknown parameters, with a message in inert text', async () => {
    for (const { name, query } of [...hostileLinks, ...createUnknownLinks()]) {
      const { deps, requested } = createFakes();
      const texts = await captureShownTexts(async () => followLink({ path, query }, deps));
      assertInert(texts, name);
      assert.deepEqual(requested, [], name);
    }
  });

  it('opens the query of a link from the archive if there is no connection', async () => {
    const { deps, requested } = createFakes({ names: [] });
    await followLink({ path, query: link }, deps);
    assert.deepEqual(requested.flat().slice(1), ['Main', 'never']);
  });

  it('prompts for a connection when a link names an unknown one', async () => {
    const followAndRead = async (query: string): Promise<unknown[]> =>
      captureShownTexts(async () =>
        followLink({ path, query: `dataset=systemState&range=2023${query}` }, createFakes().deps),
      );
    const requested = await followAndRead('&connection=Old');
    assert.ok(requested.includes("No connection named 'Old'. Select a connection.") && requested.includes('Main'));
    assert.deepEqual(await followAndRead(''), [
      'Invalid link: it needs a dataset, a range and the name of a connection.',
    ]);
  });
});

function createFakes({ isOpen = false, names = ['Main'] } = {}): {
  deps: OpenLinksDeps;
  requested: unknown[];
  revealed: unknown[];
} {
  const requested: unknown[] = [];
  const revealed: unknown[] = [];
  const sessions = {
    reveal: (query: unknown, { name }: { name: string }, view: unknown) => {
      revealed.push([query, name, view]);
      return isOpen;
    },
    run: async (query: unknown, { name }: { name: string }, openOptions: OpenOptions) => {
      requested.push([query, name, openOptions.refresh, ...(openOptions.view ? [openOptions.view] : [])]);
      return Promise.resolve();
    },
  } as unknown as OpenLinksDeps['sessions'];
  const boundary = new ErrorBoundary({ logError: error => assert.fail(String(error)) });
  const connections = createConnections(...names);
  const choices = { find: (name = '') => connections.findByName(name) };
  return {
    deps: { boundary, sessions, connections, choices, nowAt: () => Date.UTC(2026, 10, 14) },
    requested,
    revealed,
  };
}
