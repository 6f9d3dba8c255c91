import { changeQuery } from '../../core/saved/edit.ts';
import { find } from '../../core/saved/walk.ts';
import type { SavedQueriesPort } from '../watch/savedQueriesPort.ts';
import { entryId } from './savedHome.ts';
import type { SavedHomes } from './savedHomes.ts';

/** The saved queries of all homes, for watching. */
export function watchedQueries(homes: SavedHomes): SavedQueriesPort {
  return {
    settle: async () => homes.settle(),
    all: () => homes.queries().map(({ home, item }) => ({ id: entryId({ home, item }), home: home.kind, query: item })),
    async change(id, change) {
      const entry = homes.find(id);
      await entry?.home.edit(tree => {
        const query = find(tree, entry.item.id)?.item;
        return query?.kind === 'query' ? changeQuery(tree, query.id, change(query)) : tree;
      });
    },
    onDidChange: listener => {
      const listening = homes.onDidChange(listener);
      return () => void listening.dispose();
    },
  };
}
