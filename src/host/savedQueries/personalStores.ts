import { mkdir } from 'node:fs/promises';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Clock, KeyValueStore, Random } from '../../core/ports.ts';
import { storedNames } from '../../core/storedNames.ts';
import { LockedText } from '../../service/files/lockedText.ts';
import type { StoreProblem } from '../../service/savedQueries/storeProblem.ts';
import { PersonalQueryStore } from '../../service/savedQueries/personalQueryStore.ts';
import { RecentRuns, type RecentRun } from '../../service/savedQueries/recentRuns.ts';
import { showWarningMessage } from '../messages/messages.ts';
import { describeStoreProblem, describeKeyLikePart } from './savedMessages.ts';
import { InputError } from '../inputError.ts';
import type { QueryStore } from './queryStore.ts';

/** Delays between the first refreshes, in milliseconds: on a busy machine, a file watcher may start seconds after it was created. */
const refreshDelays = [1_000, 4_000, 10_000];

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

interface RefreshableStore {
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
  readonly #shownMessages = new Set<string>();
  readonly #closed = new AbortController();

  constructor(deps: PersonalStoresDeps) {
    this.#deps = deps;
    const { state, clock, windowId } = deps;
    const queries = storedNames.savedQueries;
    const runs = 'recentRuns';
    this.personal = new PersonalQueryStore({ file: this.#createLockedText(queries), state, clock, windowId });
    this.recent = new RecentRuns({ file: this.#createLockedText(runs) });
    this.#autoRefresh(queries, t('Your saved queries'), this.personal);
    this.#autoRefresh(runs, t('The list of recent runs'), this.recent);
  }

  /** Adds a run to the recent runs. Errors are only logged. */
  readonly addRun = (run: RecentRun): void => void this.recent.add(run).catch(this.#deps.logError);

  dispose(): void {
    this.#closed.abort();
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  #createLockedText(name: string): LockedText {
    const { folder, clock, random } = this.#deps;
    return new LockedText({ path: vscode.Uri.joinPath(folder(name), `${name}.json`).fsPath, clock, random });
  }

  #autoRefresh(folder: string, name: string, store: RefreshableStore): void {
    const refresh = (): void => void this.#refresh(name, store);
    this.#disposables.push(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) refresh();
      }),
    );
    refresh();
    void this.#watch(folder, refresh).catch(this.#deps.logError);
  }

  /** Watches the store's file. The folder is created first, since VS Code does not watch one that is created later. */
  async #watch(folder: string, refresh: () => void): Promise<void> {
    const uri = this.#deps.folder(folder);
    await mkdir(uri.fsPath, { recursive: true, mode: 0o700 });
    const { signal } = this.#closed;
    if (this.#closed.signal.aborted) return;
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(uri, `${folder}.json`));
    this.#disposables.push(watcher, watcher.onDidCreate(refresh), watcher.onDidChange(refresh));
    // VS Code does not report when it has started to watch, so changes before that are found by refreshing several times.
    for (const delayMs of refreshDelays) {
      refresh();
      await this.#deps.clock.sleep(delayMs, signal).catch(() => undefined);
      if (signal.aborted) return;
    }
    refresh();
  }

  async #refresh(name: string, store: RefreshableStore): Promise<void> {
    try {
      await store.refresh();
    } catch (error) {
      this.#deps.logError(error);
    }
    for (const problem of store.problems()) {
      const sentence = describeStoreProblem(problem, name);
      if (this.#shownMessages.has(sentence)) continue;
      this.#shownMessages.add(sentence);
      void this.#showProblem(sentence, problem).catch(this.#deps.logError);
    }
  }

  async #showProblem(sentence: string, problem: StoreProblem): Promise<void> {
    if (problem.problem !== 'damaged') {
      await showWarningMessage(sentence);
      return;
    }
    const selected = await showWarningMessage(sentence, t('Open Backup File'));
    if (selected !== undefined) await vscode.window.showTextDocument(await this.#openBackup(problem));
  }

  async #openBackup({
    where,
    backupName,
  }: StoreProblem & { readonly problem: 'damaged' }): Promise<vscode.TextDocument> {
    if (where === 'file') return vscode.workspace.openTextDocument(vscode.Uri.file(backupName));
    const content = JSON.stringify(this.#deps.state.get(backupName), undefined, 2);
    return vscode.workspace.openTextDocument({ language: 'json', content });
  }
}

/** Wraps the personal queries as a `QueryStore`. */
export function createPersonalStore(personal: PersonalQueryStore): QueryStore {
  return {
    key: 'personal',
    kind: 'personal',
    name: t('Personal'),
    tree: () => personal.tree(),
    onDidChange: personal.onDidChange,
    async edit(change) {
      const outcome = await personal.edit(change);
      if (outcome.ok) return;
      if (outcome.problem === 'keyLike') throw new InputError(describeKeyLikePart(outcome.fieldName));
      throw new InputError(
        t('Your queries were written by a newer version of Grid Data Inspector. Update the extension to change them.'),
      );
    },
  };
}
