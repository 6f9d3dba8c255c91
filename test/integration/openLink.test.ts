import assert from 'node:assert/strict';
import { ErrorBoundary } from '../../src/host/messages/errorBoundary.ts';
import * as vscode from 'vscode';
import type { OpenOptions } from '../../src/host/panel/querySessions.ts';
import { followLink, createOpenLink, parseOpenLink, type OpenLinksDeps } from '../../src/host/tools/openLink.ts';
import { getRequestedSpan, resolveQuery } from '../../src/core/query/query.ts';
import { hostileLinks, unknownLinks } from '../hostile/links.ts';
import { connectionsNamed } from './connectionsNamed.ts';
import { assertInert, textsShownBy } from './screen.ts';

const link =
  'dataset=gridStress&range=2023-05-01..2023-05-03&interval=1h&timeZone=SAST&param.components=true&connection=Main';
const path = '/open';
const written = (view: unknown) => Buffer.from(JSON.stringify(view)).toString('base64url');

describe('a link that opens the extension', () => {
  it('opens the query of a link from the archive, on the connection it names', async () => {
    const { deps, asked } = fakes();
    await followLink({ path, query: link }, deps);
    const params = { components: 'true' };
    const timeZone = 'Africa/Johannesburg';
    assert.deepEqual(asked, [
      [{ dataset: 'gridStress', range: '2023-05-01..2023-05-03', interval: '1h', params, timeZone }, 'Main', 'never'],
    ]);
  });

  it('reveals an open panel of its query in its view, without a new run', async () => {
    const { deps, asked, revealed } = fakes({ isOpen: true });
    const view = { display: { tab: 'chart' } };
    await followLink({ path, query: `${link}&display=${written(view.display)}` }, deps);
    const query = { dataset: 'gridStress', range: '2023-05-01..2023-05-03', interval: '1h' };
    assert.deepEqual(revealed, [
      [{ ...query, params: { components: 'true' }, timeZone: 'Africa/Johannesburg' }, 'Main', view],
    ]);
    assert.deepEqual(asked, []);
  });

  it('shows the result as in the display of the link, and opens none whose display cannot be read or is too long', async () => {
    const display = { tab: 'chart', zone: 'Africa/Johannesburg', later: { x: [1] } };
    const { deps, asked } = fakes();
    await followLink({ path, query: `${link}&display=${written(display)}` }, deps);
    assert.deepEqual(asked.flat().slice(2), ['never', { display }]);
    for (const bad of [
      'x',
      '',
      written('chart'),
      written({ later: [[[[[[['deep']]]]]]] }),
      written({ x: 'y'.repeat(9_000) }),
    ]) {
      const other = fakes();
      const shown = await textsShownBy(async () => followLink({ path, query: `${link}&display=${bad}` }, other.deps));
      assertInert(shown, bad);
      assert.deepEqual([other.asked, shown.length], [[], 1], bad.slice(0, 20));
    }
  });

  it('shows the analysis of a link, and opens none whose analysis a panel cannot show', async () => {
    const { deps, asked } = fakes();
    const analysis = { where: { value: '>0.6' }, resample: 'day', sort: [{ column: 'ts', descending: true }] };
    const inLink = (one: unknown) => `${link}&analysis=${encodeURIComponent(JSON.stringify(one))}`;
    await followLink({ path, query: inLink(analysis) }, deps);
    assert.deepEqual(asked.flat().slice(2), ['never', { analysis }]);
    for (const bad of ['x', { limit: 5 }, { resample: 'decade' }, { filters: {} }]) {
      const other = fakes();
      const shown = await textsShownBy(async () => followLink({ path, query: inLink(bad) }, other.deps));
      assertInert(shown, JSON.stringify(bad));
      assert.deepEqual([other.asked, shown.length], [[], 1], JSON.stringify(bad));
    }
  });

  it('names days of a zone by their dates, which are read in that zone', () => {
    const [connection] = connectionsNamed('Main').list();
    assert.ok(connection);
    const query = {
      dataset: 'gridStress',
      range: 'last 2 days',
      interval: '1d@SAST',
      params: {},
      timeZone: 'America/New_York',
    };
    const span = { start: Date.UTC(2026, 10, 14, 22), end: Date.UTC(2026, 10, 16, 22) };
    const made = parseOpenLink(vscode.Uri.parse(createOpenLink(query, span, connection)));
    assert.equal(made.query.range, '2026-11-15..2026-11-16');
    const resolved = resolveQuery(made.query, Date.UTC(2026, 10, 20));
    assert.deepEqual(resolved.ok && getRequestedSpan(resolved.value), span);
  });

  it('is made with the view of a panel, and refused where it would be too long to be read', () => {
    const query = { dataset: 'gridStress', range: 'today', interval: '1h', params: {}, timeZone: 'UTC' };
    const main = connectionsNamed('Main');
    const [connection] = main.list();
    assert.ok(connection);
    const analysis = { where: { stress_index: '>0.5 & <0,9 %' } };
    const view = { analysis, display: { tab: 'chart', zone: 'UTC' } };
    const made = vscode.Uri.parse(createOpenLink(query, { start: 0, end: 3_600_000 }, connection, view));
    assert.deepEqual(parseOpenLink(made).view, view);
    const long = { analysis: { where: { stress_index: 'x'.repeat(8_000) } } };
    assert.throws(() => createOpenLink(query, { start: 0, end: 3_600_000 }, connection, long), /too long for a link/);
  });

  it('opens no link with an unknown part, and explains why in inert words', async () => {
    for (const { name, query } of [...hostileLinks, ...unknownLinks()]) {
      const { deps, asked } = fakes();
      const shown = await textsShownBy(async () => followLink({ path, query }, deps));
      assertInert(shown, name);
      assert.deepEqual(asked, [], name);
    }
  });

  it('opens the query of a link without a request also where there is no connection', async () => {
    const { deps, asked } = fakes({ names: [] });
    await followLink({ path, query: link }, deps);
    assert.deepEqual(asked.flat().slice(1), ['Main', 'never']);
  });

  it('asks for a connection when a link names another', async () => {
    const of = async (query: string): Promise<unknown[]> =>
      textsShownBy(async () => followLink({ path, query: `dataset=systemState&range=2023${query}` }, fakes().deps));
    const asked = await of('&connection=Old');
    assert.ok(asked.includes("No connection named 'Old'. Select a connection.") && asked.includes('Main'));
    assert.deepEqual(await of(''), ['Invalid link: it needs a dataset, a range and the name of a connection.']);
  });
});

function fakes({ isOpen = false, names = ['Main'] } = {}): {
  deps: OpenLinksDeps;
  asked: unknown[];
  revealed: unknown[];
} {
  const asked: unknown[] = [];
  const revealed: unknown[] = [];
  const sessions = {
    reveal: (query: unknown, { name }: { name: string }, view: unknown) => {
      revealed.push([query, name, view]);
      return isOpen;
    },
    run: async (query: unknown, { name }: { name: string }, opened: OpenOptions) => {
      asked.push([query, name, opened.refresh, ...(opened.view ? [opened.view] : [])]);
      return Promise.resolve();
    },
  } as unknown as OpenLinksDeps['sessions'];
  const boundary = new ErrorBoundary({ logError: error => assert.fail(String(error)) });
  const connections = connectionsNamed(...names);
  const choices = { find: (name = '') => connections.findByName(name) };
  return {
    deps: { boundary, sessions, connections, choices, nowAt: () => Date.UTC(2026, 10, 14) },
    asked,
    revealed,
  };
}
