import assert from 'node:assert/strict';
import { ShownRequests } from '../../../src/host/panel/shownRequests.ts';
import type { ShownTable } from '../../../src/shared/shownTable.ts';

const table: ShownTable = { columns: [{ name: 'ts' }], missingRows: false, isChanged: false, rowCount: 1 };

describe('ShownRequests', () => {
  it('hands each answer to the question with its ticket', async () => {
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

  it('has no answer where no page takes the question', async () => {
    assert.equal(await new ShownRequests().ask(() => Promise.resolve(false)), undefined);
  });

  it('ends the waiting where the page goes away', async () => {
    const requests = new ShownRequests();
    const asked = requests.ask(() => Promise.resolve(true));
    requests.forget();
    assert.equal(await asked, undefined);
  });

  it('does not mind an answer that nobody waits for', () => {
    assert.doesNotThrow(() => new ShownRequests().answer(7, table));
  });
});
