import { mkdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Clock, KeyValueStore, Random } from '../../core/ports.ts';
import { LockedText, type StoreProblem } from '../../service/savedQueries/lockedText.ts';
import { PersonalQueryStore } from '../../service/savedQueries/personalQueryStore.ts';
import { RecentRuns, type RecentRun } from '../../service/savedQueries/recentRuns.ts';
import { showWarningMessage } from '../messages/messages.ts';
import { storeProblemSentence, keyLikeSentence } from './savedMessages.ts';
import type { SavedTree } from '../../core/savedQueries/savedItem.ts';
import { InputError } from '../inputError.ts';
import type { QueryStore } from './queryStore.ts';

/** A busy machine begins to watch seconds after it was asked to. */
const startMs = [1_000, 4_000, 10_000];

export interface SavedStoresDeps {
  /** A folder of the extension's own on disk. */
  readonly folder: (name: string) => vscode.Uri;
  readonly state: KeyValueStore;
  readonly clock: Clock;
  readonly random: Random;
  /** Letters and digits in lower case, another for each window. */
  readonly windowId: string;
  readonly logError: (error: unknown) => void;
}

interface Store {
  readonly refresh: () => Promise<void>;
  readonly problems: () => readonly StoreProblem[];
}

/** A person's own queries and runs on disk, read again when another window or machine may have changed them. */
export class SavedStores {
  readonly personal: PersonalQueryStore;
  readonly recent: RecentRuns;
  readonly #deps: SavedStoresDeps;
  readonly #disposables: vscode.Disposable[] = [];
  readonly #told = new Set<string>();
  readonly #closed = new AbortController();

  constructor(deps: SavedStoresDeps) {
    this.#deps = deps;
    const { state, clock, windowId } = deps;
    const [queries, runs] = ['savedQueries', 'recentRuns'] as const;
    this.personal = new PersonalQueryStore({ file: this.#text(queries), state, clock, windowId });
    this.recent = new RecentRuns({ file: this.#text(runs) });
    this.#keepFresh(queries, vscode.l10n.t('Your saved queries'), this.personal);
    this.#keepFresh(runs, vscode.l10n.t('The list of recent runs'), this.recent);
  }

  /** A run that cannot be noted spoils nothing else. */
  readonly noteRun = (run: RecentRun): void => void this.recent.add(run).catch(this.#deps.logError);

  dispose(): void {
    this.#closed.abort();
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  #text(name: string): LockedText {
    const { folder, clock, random } = this.#deps;
    return new LockedText({ path: vscode.Uri.joinPath(folder(name), `${name}.json`).fsPath, clock, random });
  }

  #keepFresh(folder: string, name: string, store: { refresh(): Promise<void>; problems: Store['problems'] }): void {
    const look = (): void => void this.#refresh(name, store);
    this.#disposables.push(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) look();
      }),
    );
    look();
    void this.#watch(folder, look).catch(this.#deps.logError);
  }

  /** A folder that is not there is not watched, also once it comes: so it is made first. */
  async #watch(folder: string, look: () => void): Promise<void> {
    const uri = this.#deps.folder(folder);
    await mkdir(uri.fsPath, { recursive: true, mode: 0o700 });
    if (this.#closed.signal.aborted) return;
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(uri, `${folder}.json`));
    this.#disposables.push(watcher, watcher.onDidCreate(look), watcher.onDidChange(look));
    // VS Code does not say when it has begun to watch: what was written before is found by looking again.
    for (const wait of startMs) {
      look();
      if (!(await this.#slept(wait))) return;
    }
    look();
  }

  /** False where the window closed meanwhile. */
  async #slept(ms: number): Promise<boolean> {
    const { signal } = this.#closed;
    await this.#deps.clock.sleep(ms, signal).catch(() => undefined);
    return !signal.aborted;
  }

  async #refresh(name: string, store: { refresh(): Promise<void>; problems: Store['problems'] }): Promise<void> {
    try {
      await store.refresh();
    } catch (error) {
      this.#deps.logError(error);
    }
    for (const problem of store.problems()) {
      const sentence = storeProblemSentence(problem, name);
      if (this.#told.has(sentence)) continue;
      this.#told.add(sentence);
      void this.#tell(sentence, problem).catch(this.#deps.logError);
    }
  }

  async #tell(sentence: string, problem: StoreProblem): Promise<void> {
    if (problem.problem !== 'damaged') {
      await showWarningMessage(sentence);
      return;
    }
    const chosen = await showWarningMessage(sentence, vscode.l10n.t('Open Backup File'));
    if (chosen !== undefined) await vscode.window.showTextDocument(await this.#kept(problem));
  }

  async #kept({ where, keptAs }: StoreProblem & { readonly problem: 'damaged' }): Promise<vscode.TextDocument> {
    if (where === 'file') return vscode.workspace.openTextDocument(vscode.Uri.file(keptAs));
    const content = JSON.stringify(this.#deps.state.get(keptAs), undefined, 2);
    return vscode.workspace.openTextDocument({ language: 'json', content });
  }
}

/** The person's own queries, as a home among others. */
export class PersonalSaved implements QueryStore {
  readonly key = 'personal';
  readonly kind = 'personal';
  readonly name = vscode.l10n.t('Personal');
  readonly #home: PersonalQueryStore;

  constructor(home: PersonalQueryStore) {
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
      vscode.l10n.t(
        'Your queries were written by a newer version of Grid Data Inspector. Update the extension to change them.',
      ),
    );
  }

  onDidChange(listener: () => void): () => void {
    return this.#home.onDidChange(listener);
  }
}
