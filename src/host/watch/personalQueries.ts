import { randomBytes } from 'node:crypto';
import * as nodeFs from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Clock, KeyValueStore } from '../../core/ports.ts';
import { changeQuery } from '../../core/saved/edit.ts';
import { allQueries, findItem } from '../../core/saved/walk.ts';
import { FolderLock } from '../../service/archive/folderLock.ts';
import { LockedText } from '../../service/saved/lockedText.ts';
import { PersonalHome } from '../../service/saved/personalHome.ts';
import { InputError } from '../inputError.ts';
import type { SavedQueriesPort } from './savedQueriesPort.ts';

export interface PersonalQueriesDeps {
  readonly folder: string;
  readonly state: KeyValueStore;
  readonly clock: Clock;
  readonly logError: (error: unknown) => void;
}

/** The person's own saved queries, for watching. */
export function openPersonalQueries({ folder, state, clock, logError }: PersonalQueriesDeps): SavedQueriesPort {
  const lock = new FolderLock({ fs: nodeFs, clock, random: Math.random, staleMs: 5_000 });
  const file = new LockedText({ path: join(folder, 'savedQueries.json'), fs: nodeFs, lock, clock });
  const home = new PersonalHome({ file, state, clock, windowId: randomBytes(3).toString('hex') });
  home.refresh().catch(logError);
  return {
    all: () => allQueries(home.tree()).map(query => ({ id: `personal/${query.id}`, home: 'personal', query })),
    async change(id, change) {
      const own = id.replace(/^personal\//, '');
      const outcome = await home.edit(tree => {
        const query = findItem(tree, own);
        return query?.kind === 'query' ? changeQuery(tree, own, change(query)) : tree;
      });
      if (!outcome.ok) throw new InputError(vscode.l10n.t('This saved query cannot be changed.'));
    },
    onDidChange: listener => home.onDidChange(listener),
  };
}
