import assert from 'node:assert/strict';
import type { RequestPricing } from '../../../../src/service/query/requestPricing.ts';
import { vscode } from '../../../support/fakeVscode.ts';

const { confirmRuns } = await import('../../../../src/host/query/confirmRuns.ts');
const { showInformationMessage } = vscode.window;

describe('the confirmation before several queries run', () => {
  let confirmations: string[];

  beforeEach(() => {
    confirmations = [];
    const showMessage = async (message: string, { detail }: { detail: string }, run: string): Promise<string> => {
      confirmations.push(`${message} ${detail}`);
      return Promise.resolve(run);
    };
    Object.assign(vscode.window, { showInformationMessage: showMessage });
  });
  after(() => Object.assign(vscode.window, { showInformationMessage }));

  it('states that many queries open in tabs, and a board as one', async () => {
    await confirmQueries({ requests: 3 });
    await confirmQueries({ requests: 3, isBoard: true });
    assert.deepEqual(confirmations, [
      'Run 10 queries? This needs 3 requests. Each result opens in a separate tab.',
      'Open 10 queries as a board? This needs 3 requests.',
    ]);
  });

  it('confirms a board that has to wait, or if every request needs confirmation', async () => {
    await confirmQueries({ requests: 9, now: 4, waitMs: 180_000, maxUnconfirmed: 10, isBoard: true });
    await confirmQueries({ requests: 1, maxUnconfirmed: 0, isBoard: true });
    assert.deepEqual(confirmations, [
      'Open 10 queries as a board? This needs 9 requests: 4 now, 5 over about 3 min.',
      'Open 10 queries as a board? This needs 1 request.',
    ]);
  });

  it('confirms no board whose hours are all archived, but as many queries in tabs', async () => {
    await confirmQueries({ requests: 0, maxUnconfirmed: 0, isBoard: true });
    assert.deepEqual(confirmations, []);
    await confirmQueries({ requests: 0 });
    assert.equal(confirmations.length, 1);
  });
});

interface Case {
  readonly requests: number;
  readonly now?: number;
  readonly waitMs?: number;
  readonly maxUnconfirmed?: number;
  readonly isBoard?: boolean;
}

/** Asks for the confirmation of ten queries. */
async function confirmQueries({
  requests,
  now = requests,
  waitMs = 0,
  maxUnconfirmed = 8,
  isBoard,
}: Case): Promise<void> {
  const price = { requests, now, waitMs } as Awaited<ReturnType<RequestPricing['computeTotalPrice']>>;
  const runs = Array.from({ length: 10 }) as Parameters<RequestPricing['computeTotalPrice']>[0];
  await confirmRuns({ computeTotalPrice: async () => Promise.resolve(price) }, runs, maxUnconfirmed, isBoard);
}
