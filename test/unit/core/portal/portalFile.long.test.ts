import assert from 'node:assert/strict';
import { oneColumn, refusalOf } from './portalText.ts';

describe('readPortalFile', () => {
  it('refuses more cells than it can hold at the line that has them', async () => {
    const crowded = `${oneColumn}\n${`${','.repeat(399)}\n`.repeat(26_000)}`;
    assert.match(
      await refusalOf(crowded),
      /line 25\d{3}: too many cells to be read at once; give its years in files of their own/,
    );
  });
});
