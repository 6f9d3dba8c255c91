import assert from 'node:assert/strict';
import { ShownRequests } from '../../../src/host/panel/shownRequests.ts';
import type { ShownTable } from '../../../src/shared/shownTable.ts';

const table: ShownTable = { columns: [{ name: 'ts' }], missingRows: false, isChanged: false, rowCount: 1 };

describe('ShownRequests', () => {
  it('returns each reply to the request with its id', async () => {
    const requests = new ShownRequests();
    const tickets: number[] = [];
    const post = (ticket: number): Promise<boolean> => {
      tickets.push(ticket);
      return Promise.resolve(true);
    };
    const [first, second] = [requests.ask(post), requests.ask(post)];
    requests.answer(tickets[1] ?? 0, table);
    requests.answer(tickets[0] ?? 0, undefined);
    assert.deepEqual(await Promise.all([first, second]), [undefined, table]);
  });

  it('returns nothing when no page takes the request', async () => {
    assert.equal(await new ShownRequests().ask(() => Promise.resolve(false)), undefined);
  });

  it('stops waiting when the page closes', async () => {
    const requests = new ShownRequests();
    const asked = requests.ask(() => Promise.resolve(true));
    requests.forget();
    assert.equal(await asked, undefined);
  });

  it('ignores a reply that nobody awaits', () => {
    assert.doesNotThrow(() => new ShownRequests().answer(7, table));
  });
});
