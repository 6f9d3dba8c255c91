import assert from 'node:assert/strict';
import { ErrorBoundary } from '../../src/host/errorBoundary.ts';
import { followLink, type OpenLinksDeps } from '../../src/host/tools/openLink.ts';
import { hostileLinks, unknownLinks } from '../hostile/links.ts';
import { connectionsNamed } from './connectionsNamed.ts';
import { assertInert, textsShownBy } from './screen.ts';

const link = 'dataset=gridStress&range=2023-05-01..2023-05-03&interval=1h&param.components=true&connection=Main';
const path = '/open';

describe('a link that opens the extension', () => {
  it('opens the query of a link from the archive, on the connection it names', async () => {
    const { deps, asked } = fakes();
    await followLink({ path, query: link }, deps);
    const params = { components: 'true' };
    assert.deepEqual(asked, [
      [{ dataset: 'gridStress', range: '2023-05-01..2023-05-03', interval: '1h', params }, 'Main', 'never'],
    ]);
  });

  it('reveals an open panel without a new run', async () => {
    const { deps, asked } = fakes({ isOpen: true });
    await followLink({ path, query: link }, deps);
    assert.deepEqual(asked, []);
  });

  it('opens no link with an unknown part, and explains why in one inert sentence', async () => {
    for (const { name, query } of [...hostileLinks, ...unknownLinks()]) {
      const { deps, asked } = fakes();
      const shown = await textsShownBy(async () => followLink({ path, query }, deps));
      assertInert(shown, name);
      assert.deepEqual([asked, shown.length], [[], 1], name);
    }
  });

  it('lists the existing connections when a link names another', async () => {
    const of = async (query: string): Promise<unknown[]> =>
      textsShownBy(async () => followLink({ path, query: `dataset=systemState&range=2023${query}` }, fakes().deps));
    assert.deepEqual(await of('&connection=Old'), ["Unknown connection 'Old'. Use Main."]);
    assert.deepEqual(await of(''), ['Invalid link: it needs a dataset, a range and the name of a connection.']);
  });
});

function fakes({ isOpen = false } = {}): { deps: OpenLinksDeps; asked: unknown[] } {
  const asked: unknown[] = [];
  const sessions = {
    reveal: () => isOpen,
    run: async (query: unknown, { name }: { name: string }, refresh: unknown) => {
      asked.push([query, name, refresh]);
      return Promise.resolve();
    },
  } as unknown as OpenLinksDeps['sessions'];
  const boundary = new ErrorBoundary({ logError: error => assert.fail(String(error)) });
  return {
    deps: { boundary, sessions, connections: connectionsNamed('Main'), nowAt: () => Date.UTC(2026, 10, 14) },
    asked,
  };
}
