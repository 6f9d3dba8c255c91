import { mkdir } from 'node:fs/promises';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Clock, KeyValueStore, Random } from '../../core/ports.ts';
import { storedNames } from '../../core/storedNames.ts';
import { LockedText, type StoreProblem } from '../../service/savedQueries/lockedText.ts';
import { PersonalQueryStore } from '../../service/savedQueries/personalQueryStore.ts';
import { RecentRuns, type RecentRun } from '../../service/savedQueries/recentRuns.ts';
import { showWarningMessage } from '../messages/messages.ts';
import { storeProblemSentence, keyLikeSentence } from './savedMessages.ts';
import { InputError } from '../inputError.ts';
import type { QueryStore } from './queryStore.ts';

/** Delays between the first refreshes, in milliseconds: on a busy machine, a file watcher may start seconds after it was created. */
const startMs = [1_000, 4_000, 10_000];

export interface PersonalStoresDeps {
  /** Returns the URI of a folder in the extension's global storage. */
  readonly folder: (name: string) => vscode.Uri;
  readonly state: KeyValueStore;
  readonly clock: Clock;
  readonly random: Random;
  /** Lower-case letters and digits that are unique to this window. */
  readonly windowId: string;
  readonly logError: (error: unknown) => void;
}

interface Refreshed {
  refresh(): Promise<void>;
  problems(): readonly StoreProblem[];
}

/** The personal queries and recent runs on disk. They are read again when another window or machine may have changed them. */
export class PersonalStores {
  readonly personal: PersonalQueryStore;
  readonly recent: RecentRuns;
  readonly #deps: PersonalStoresDeps;
  readonly #disposables: vscode.Disposable[] = [];
  /** The messages of the problems that this window has shown. */
  readonly #shown = new Set<string>();
  readonly #closed = new AbortController();

  constructor(deps: PersonalStoresDeps) {
    this.#deps = deps;
    const { state, clock, windowId } = deps;
    const [queries, runs] = [storedNames.savedQueries, 'recentRuns'] as const;
    this.personal = new PersonalQueryStore({ file: this.#text(queries), state, clock, windowId });
    this.recent = new RecentRuns({ file: this.#text(runs) });
    this.#keepFresh(queries, t('Your saved queries'), this.personal);
    this.#keepFresh(runs, t('The list of recent runs'), this.recent);
  }

  /** Adds a run to the recent runs. Errors are only logged. */
  readonly noteRun = (run: RecentRun): void => void this.recent.add(run).catch(this.#deps.logError);

  dispose(): void {
    this.#closed.abort();
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  #text(name: string): LockedText {
    const { folder, clock, random } = this.#deps;
    return new LockedText({ path: vscode.Uri.joinPath(folder(name), `${name}.json`).fsPath, clock, random });
  }

  #keepFresh(folder: string, name: string, store: Refreshed): void {
    const look = (): void => void this.#refresh(name, store);
    this.#disposables.push(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) look();
      }),
    );
    look();
    void this.#watch(folder, look).catch(this.#deps.logError);
  }

  /** Watches the store's file. The folder is created first, since VS Code does not watch one that is created later. */
  async #watch(folder: string, look: () => void): Promise<void> {
    const uri = this.#deps.folder(folder);
    await mkdir(uri.fsPath, { recursive: true, mode: 0o700 });
    const { signal } = this.#closed;
    if (this.#closed.signal.aborted) return;
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(uri, `${folder}.json`));
    this.#disposables.push(watcher, watcher.onDidCreate(look), watcher.onDidChange(look));
    // VS Code does not report when it has started to watch, so changes before that are found by refreshing several times.
    for (const wait of startMs) {
      look();
      await this.#deps.clock.sleep(wait, signal).catch(() => undefined);
      if (signal.aborted) return;
    }
    look();
  }

  async #refresh(name: string, store: Refreshed): Promise<void> {
    try {
      await store.refresh();
    } catch (error) {
      this.#deps.logError(error);
    }
    for (const problem of store.problems()) {
      const sentence = storeProblemSentence(problem, name);
      if (this.#shown.has(sentence)) continue;
      this.#shown.add(sentence);
      void this.#show(sentence, problem).catch(this.#deps.logError);
    }
  }

  async #show(sentence: string, problem: StoreProblem): Promise<void> {
    if (problem.problem !== 'damaged') {
      await showWarningMessage(sentence);
      return;
    }
    const chosen = await showWarningMessage(sentence, t('Open Backup File'));
    if (chosen !== undefined) await vscode.window.showTextDocument(await this.#backupOf(problem));
  }

  async #backupOf({ where, keptAs }: StoreProblem & { readonly problem: 'damaged' }): Promise<vscode.TextDocument> {
    if (where === 'file') return vscode.workspace.openTextDocument(vscode.Uri.file(keptAs));
    const content = JSON.stringify(this.#deps.state.get(keptAs), undefined, 2);
    return vscode.workspace.openTextDocument({ language: 'json', content });
  }
}

/** Wraps the personal queries as a `QueryStore`. */
export function personalStore(personal: PersonalQueryStore): QueryStore {
  return {
    key: 'personal',
    kind: 'personal',
    name: t('Personal'),
    tree: () => personal.tree(),
    onDidChange: personal.onDidChange,
    async edit(change) {
      const outcome = await personal.edit(change);
      if (outcome.ok) return;
      if (outcome.problem === 'keyLike') throw new InputError(keyLikeSentence(outcome.part));
      throw new InputError(
        t('Your queries were written by a newer version of Grid Data Inspector. Update the extension to change them.'),
      );
    },
  };
}
