import * as vscode from 'vscode';
import type { SavedTree } from '../../core/saved/savedItem.ts';
import type { PersonalHome } from '../../service/saved/personalHome.ts';
import { InputError } from '../inputError.ts';
import { keyLikeSentence } from '../words/saved.ts';
import type { SavedHome } from './savedHome.ts';

/** The person's own queries, as a home among others. */
export class PersonalSaved implements SavedHome {
  readonly key = 'personal';
  readonly kind = 'personal';
  readonly name = vscode.l10n.t('Personal');
  readonly #home: PersonalHome;

  constructor(home: PersonalHome) {
    this.#home = home;
  }

  tree(): SavedTree {
    return this.#home.tree();
  }

  async edit(change: (tree: SavedTree) => SavedTree): Promise<void> {
    const outcome = await this.#home.edit(change);
    if (outcome.ok) return;
    if (outcome.problem === 'keyLike') throw new InputError(keyLikeSentence(outcome.part));
    throw new InputError(
      vscode.l10n.t('Your queries were written by a newer version of Grid Data Inspector. Update it to change them.'),
    );
  }

  onDidChange(listener: () => void): () => void {
    return this.#home.onDidChange(listener);
  }
}
