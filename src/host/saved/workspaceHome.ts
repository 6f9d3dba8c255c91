import * as vscode from 'vscode';
import { GridError } from '../../core/errors.ts';
import { parseQueriesFile, type QueriesFile } from '../../core/saved/file/queriesFile.ts';
import { editQueriesFile, type FileEdits } from '../../core/saved/file/queriesFileEdits.ts';
import { applyTextEdits, type TextEdit } from '../../core/saved/file/textEdit.ts';
import type { Clock } from '../../core/ports.ts';
import type { SavedTree } from '../../core/saved/savedItem.ts';
import { Listeners } from '../../service/listeners.ts';
import { InputError } from '../inputError.ts';
import { WhenAtRest } from '../whenAtRest.ts';
import { keyLikeSentence } from '../words/saved.ts';
import { queriesFileName, queriesFileUri } from './queriesFileUri.ts';
import type { SavedHome } from './savedHome.ts';

/** Of a large file, reading what is typed at each key would be felt. */
const restMs = 200;

type Change = (tree: SavedTree) => SavedTree;

const attempts = 3;
/** The editor takes up a change on disk a moment after it happened. */
const editorLagMs = 3_000;

/**
 * The queries of a workspace folder, in `.vscode/grid-queries.json`. The editor's document counts where there is one, also
 * unsaved; edits go through it, so that undo, formatting and its conflict with a changed file are the editor's own.
 */
export class WorkspaceHome implements SavedHome {
  readonly kind = 'workspace';
  readonly name: string;
  readonly uri: vscode.Uri;
  readonly key: string;
  readonly #logError: (error: unknown) => void;
  readonly #listeners = new Listeners();
  readonly #watching: vscode.Disposable;
  readonly #typing: WhenAtRest;
  #text: string | undefined;
  #file: QueriesFile = parseQueriesFile(undefined);
  #readings = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(deps: {
    readonly folder: vscode.WorkspaceFolder;
    readonly name: string;
    readonly clock: Pick<Clock, 'sleep'>;
    readonly logError: (error: unknown) => void;
  }) {
    this.name = deps.name;
    this.uri = queriesFileUri(deps.folder.uri);
    this.key = this.uri.toString();
    this.#logError = deps.logError;
    this.#typing = new WhenAtRest({ clock: deps.clock, restMs, act: async () => this.refresh() });
    const watcher = vscode.workspace.createFileSystemWatcher(
      // When the folder goes, as with a branch that has none, VS Code tells of it alone and not of the file.
      new vscode.RelativePattern(deps.folder, `{${queriesFileName[0]},${queriesFileName.join('/')}}`),
    );
    // Under what is being typed the disk does not count: its change, such as an earlier save told late, waits for the rest too.
    const look = (): void => {
      if (this.#openDocument()?.isDirty) this.#typing.stir();
      else void this.refresh();
    };
    const isOurs = ({ uri }: vscode.TextDocument): boolean => uri.toString() === this.key;
    this.#watching = vscode.Disposable.from(
      watcher,
      watcher.onDidCreate(look),
      watcher.onDidChange(look),
      watcher.onDidDelete(look),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (isOurs(document)) this.#typing.stir();
      }),
      vscode.workspace.onDidCloseTextDocument(document => {
        if (isOurs(document)) look();
      }),
    );
  }

  /** Whether the folder has the file. */
  get exists(): boolean {
    return this.#text !== undefined;
  }

  /** The text as last read, and what it says. */
  get file(): { readonly text: string; readonly problems: QueriesFile['problems'] } {
    return { text: this.#text ?? '', problems: this.#file.problems };
  }

  tree(): SavedTree {
    return this.#file.tree;
  }

  onDidChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** What a text of the file says; read once where it is what the home shows. */
  parse(text: string): QueriesFile {
    return text === this.#text ? this.#file : parseQueriesFile(text);
  }

  /** Reads at once what was typed a moment ago. */
  async settle(): Promise<void> {
    await this.#typing.now();
  }

  /** Reads the document that is open, else the file. */
  async refresh(): Promise<void> {
    const reading = ++this.#readings;
    const open = this.#openDocument();
    // As it is now: what is typed while the disk is read is told by an event of its own, and waits for the rest.
    const shown = open?.getText();
    try {
      // A document outlives its file for minutes; only what the person has not saved counts without it.
      const onDisk = open?.isDirty ? shown : await this.#onDisk();
      const text = onDisk === undefined ? undefined : (shown ?? onDisk);
      if (reading === this.#readings) this.#take(text);
    } catch (error) {
      this.#logError(error);
    }
  }

  async edit(change: Change): Promise<void> {
    const turn = this.#last.then(async () => this.#apply(change));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  dispose(): void {
    this.#watching.dispose();
    this.#typing.stop();
  }

  async #apply(change: Change): Promise<void> {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const document = await this.#document();
      const edits = editQueriesFile(document?.getText(), change);
      if (!edits.ok) return this.#refuse(edits);
      if (edits.edits.length === 0) return;
      const wasDirty = document?.isDirty === true;
      // Refused where the text has changed meanwhile.
      if (!(await vscode.workspace.applyEdit(this.#workspaceEdit(document, edits.edits)))) continue;
      // What the person has not saved stays unsaved.
      if (document && !wasDirty) await document.save();
      // What is being read just now may be older.
      this.#readings++;
      this.#take(document?.getText() ?? applyTextEdits('', edits.edits));
      return;
    }
    throw new InputError(vscode.l10n.t('{0} could not be changed. Try again.', this.#path()));
  }

  #workspaceEdit(document: vscode.TextDocument | undefined, edits: readonly TextEdit[]): vscode.WorkspaceEdit {
    const edit = new vscode.WorkspaceEdit();
    if (!document) {
      const contents = new TextEncoder().encode(applyTextEdits('', edits));
      edit.createFile(this.uri, { contents });
      return edit;
    }
    for (const { offset, length, content } of edits) {
      const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
      edit.replace(this.uri, range, content);
    }
    return edit;
  }

  /** Up to date with the disk, unless it has changes of the person's own. Undefined where there is no file. */
  async #document(): Promise<vscode.TextDocument | undefined> {
    const onDisk = await this.#onDisk();
    if (onDisk === undefined) return this.#openDocument();
    const document = await vscode.workspace.openTextDocument(this.uri);
    if (!document.isDirty && document.getText() !== onDisk) await this.#changeOf(document);
    return document;
  }

  async #changeOf(document: vscode.TextDocument): Promise<void> {
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, editorLagMs);
      const listener = vscode.workspace.onDidChangeTextDocument(event => {
        if (event.document === document) done();
      });
      const done = (): void => {
        clearTimeout(timer);
        listener.dispose();
        resolve();
      };
    });
  }

  async #refuse(edits: FileEdits & { readonly ok: false }): Promise<never> {
    if (edits.problem === 'keyLike') throw new InputError(keyLikeSentence(edits.part));
    const open = vscode.l10n.t('Open File');
    const sentence = vscode.l10n.t('{0} has errors, so it is not changed. Repair it, then try again.', this.#path());
    void vscode.window.showWarningMessage(sentence, open).then(chosen => {
      if (chosen) void vscode.window.showTextDocument(this.uri);
    });
    return Promise.reject(new GridError('cancelled'));
  }

  #openDocument(): vscode.TextDocument | undefined {
    return vscode.workspace.textDocuments.find(({ uri, isClosed }) => !isClosed && uri.toString() === this.key);
  }

  async #onDisk(): Promise<string | undefined> {
    try {
      const bytes = await vscode.workspace.fs.readFile(this.uri);
      // As the editor has it: a mark at the beginning is not part of the text.
      return new TextDecoder().decode(bytes);
    } catch (error) {
      if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
      throw error;
    }
  }

  #take(text: string | undefined): void {
    if (text === this.#text) return;
    this.#text = text;
    this.#file = parseQueriesFile(text);
    this.#listeners.tell();
  }

  #path(): string {
    return vscode.workspace.asRelativePath(this.uri);
  }
}
