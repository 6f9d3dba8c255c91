import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { GridError } from '../../core/errors.ts';
import { fileLimits } from '../../core/savedQueries/file/fileProblem.ts';
import { parseQueriesFile, type QueriesFile } from '../../core/savedQueries/file/queriesFile.ts';
import {
  replacementBetween,
  editQueriesFile,
  type FileEdit,
  PastTexts,
} from '../../core/savedQueries/file/queriesFileEdits.ts';
import type { Clock } from '../../core/ports.ts';
import type { SavedItem, SavedTree } from '../../core/savedQueries/savedItem.ts';
import { walk } from '../../core/savedQueries/walk.ts';
import { Emitter } from '../../service/emitter.ts';
import { codeOf } from '../../service/files/fileSystem.ts';
import { InputError } from '../inputError.ts';
import { showWarningMessage } from '../messages/messages.ts';
import { readUri } from '../readUri.ts';
import { WhenAtRest } from '../whenAtRest.ts';
import { keyLikeSentence } from './savedMessages.ts';
import { queriesFileName, queriesFileUri, type QueryStore } from './queryStore.ts';

/** Of a large file, reading what is typed at each key would be felt. */
const restMs = 200;

type Change = (tree: SavedTree) => SavedTree;

/** Stands for the text of a file that is not read: too large for what reads it. */
const tooLarge = ' '.repeat(fileLimits.characters + 1);

const attempts = 3;
/** The editor takes up a change on disk a moment after it happened. */
const editorLagMs = 3_000;

/**
 * The queries of a workspace folder, in `.vscode/grid-queries.json`. The editor's document counts where there is one, also
 * unsaved; edits go through it, so that undo, formatting and its conflict with a changed file are the editor's own.
 */
export class WorkspaceQueryStore implements QueryStore {
  readonly kind = 'workspace';
  readonly name: string;
  readonly uri: vscode.Uri;
  readonly key: string;
  readonly #logError: (error: unknown) => void;
  readonly #changed = new Emitter();
  readonly onDidChange = this.#changed.event;
  readonly #watching: vscode.Disposable;
  readonly #typing: WhenAtRest;
  #isWanted = false;
  #exists = false;
  #text: string | undefined;
  #file: QueriesFile = parseQueriesFile(undefined);
  readonly #past = new PastTexts();
  #readings = 0;
  #latest: Promise<void> = Promise.resolve();
  #last: Promise<unknown> = Promise.resolve();

  constructor(deps: {
    readonly folder: vscode.WorkspaceFolder;
    readonly name: string;
    readonly clock: Clock;
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

  /** Whether the folder has the file, as far as is known. */
  get exists(): boolean {
    return this.#exists;
  }

  /** Whether there may be such an item: what the file has is not read before somebody wants to know. */
  mayHave(isSuch: (item: SavedItem) => boolean): boolean {
    return this.#isWanted ? walk(this.tree()).some(({ item }) => isSuch(item)) : this.#exists;
  }

  /** The text as last read, and what it says. */
  get file(): { readonly text: string; readonly problems: QueriesFile['problems'] } {
    return { text: this.#text ?? '', problems: this.#file.problems };
  }

  tree(): SavedTree {
    return this.#file.tree;
  }

  /** What a text of the file says; read once where it is what the store shows. */
  parse(text: string): QueriesFile {
    return text === this.#text ? this.#file : parseQueriesFile(text);
  }

  /** Reads the file from now on. */
  async load(): Promise<void> {
    this.#isWanted = true;
    await this.refresh();
  }

  /** Reads at once what was typed a moment ago. */
  async settle(): Promise<void> {
    await this.#typing.now();
  }

  /** Reads the document that is open, else the file; before it is loaded, only looks whether there is one. */
  async refresh(): Promise<void> {
    this.#latest = this.#read();
    // One that begins meanwhile is the one that counts.
    for (let latest: unknown; latest !== this.#latest;) {
      latest = this.#latest;
      await latest;
    }
  }

  async #read(): Promise<void> {
    const reading = ++this.#readings;
    const open = this.#openDocument();
    // As it is now: what is typed while the disk is read is told by an event of its own, and waits for the rest.
    const shown = open?.getText();
    try {
      if (!this.#isWanted) {
        const exists = open?.isDirty === true || (await this.#isOnDisk());
        if (reading === this.#readings) this.#note(exists);
        return;
      }
      // A document outlives its file for minutes; only what the person has not saved counts without it.
      const onDisk = open?.isDirty ? shown : (await this.#onDisk())?.text;
      const text = onDisk === undefined || onDisk === tooLarge ? onDisk : (shown ?? onDisk);
      if (reading === this.#readings) this.#take(text);
    } catch (error) {
      this.#logError(error);
    }
  }

  async edit(change: Change): Promise<void> {
    const edited = this.#last.then(async () => this.#apply(change));
    this.#last = edited.catch(() => undefined);
    return edited;
  }

  dispose(): void {
    this.#watching.dispose();
    this.#typing.stop();
  }

  async #apply(change: Change): Promise<void> {
    this.#isWanted = true;
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const onDisk = await this.#onDisk();
      const document = await this.#document(onDisk?.text);
      const text = document?.getText();
      const edited = editQueriesFile(text, change);
      if (!edited.ok) return this.#refuse(edited);
      const back = text === undefined ? undefined : this.#past.before(text, edited.tree);
      const next = back?.text ?? edited.text;
      if (next === (text ?? '')) return;
      const wasDirty = document?.isDirty === true;
      // Refused where the text has changed meanwhile.
      if (!(await vscode.workspace.applyEdit(this.#workspaceEdit(document, next)))) continue;
      // What the person has not saved stays unsaved.
      if (document && !wasDirty) await document.save();
      // Before the bytes are written: an editor that reads the file just then may find it half written.
      const after = document?.getText() ?? next;
      if (back?.bytes && !wasDirty) await vscode.workspace.fs.writeFile(this.uri, back.bytes);
      // What is being read just now may be older.
      this.#readings++;
      if (text !== undefined) this.#past.note(text, after, wasDirty ? undefined : onDisk?.bytes);
      this.#take(after);
      return;
    }
    throw new InputError(t('{0} could not be changed. Try again.', this.#path()));
  }

  #workspaceEdit(document: vscode.TextDocument | undefined, next: string): vscode.WorkspaceEdit {
    const edit = new vscode.WorkspaceEdit();
    if (document) {
      const { start, end, content } = replacementBetween(document.getText(), next);
      edit.replace(this.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), content);
    } else edit.createFile(this.uri, { contents: new TextEncoder().encode(next) });
    return edit;
  }

  /** Up to date with the disk, unless it has changes of the person's own. Undefined where there is no file. */
  async #document(onDisk: string | undefined): Promise<vscode.TextDocument | undefined> {
    if (onDisk === tooLarge) return this.#refuse({ ok: false, problem: 'isTooLarge' });
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

  async #refuse(edits: FileEdit & { readonly ok: false }): Promise<never> {
    if (edits.problem === 'keyLike') throw new InputError(keyLikeSentence(edits.part));
    if (edits.problem === 'tooLarge')
      throw new InputError(t('{0} would be too large. Move some of the queries elsewhere.', this.#path()));
    const open = t('Open File');
    const sentence =
      edits.problem === 'isTooLarge'
        ? t(
            '{0} was not changed: it has more than 400 kB or 40,000 values. Move some of its queries to another folder, then try again.',
            this.#path(),
          )
        : t('{0} has errors and was not changed. Fix them and try again.', this.#path());
    void showWarningMessage(sentence, open).then(chosen => {
      if (chosen) void vscode.window.showTextDocument(this.uri);
    });
    return Promise.reject(new GridError('cancelled'));
  }

  #openDocument(): vscode.TextDocument | undefined {
    return vscode.workspace.textDocuments.find(({ uri, isClosed }) => !isClosed && uri.toString() === this.key);
  }

  /**
   * The text as the editor has it: a mark at the beginning is not part of it. Undefined where there is no file; a device or a folder in
   * its place is none.
   */
  async #onDisk(): Promise<{ readonly text: string; readonly bytes?: Uint8Array } | undefined> {
    try {
      const bytes = await readUri(this.uri, fileLimits.characters);
      return { bytes, text: new TextDecoder().decode(bytes) };
    } catch (error) {
      if (codeOf(error) === 'EFBIG') return { text: tooLarge };
      if (['ENOENT', 'ENOTDIR', 'ENOTFILE', 'FileNotFound'].includes(codeOf(error) ?? '')) return undefined;
      throw error;
    }
  }

  async #isOnDisk(): Promise<boolean> {
    return vscode.workspace.fs.stat(this.uri).then(
      ({ type }) => (type & vscode.FileType.File) !== 0,
      () => false,
    );
  }

  #take(text: string | undefined): void {
    this.#exists = text !== undefined;
    if (text === this.#text) return;
    this.#text = text;
    this.#file = parseQueriesFile(text);
    this.#changed.fire();
  }

  #note(exists: boolean): void {
    if (exists === this.#exists) return;
    this.#exists = exists;
    this.#changed.fire();
  }

  #path(): string {
    return vscode.workspace.asRelativePath(this.uri);
  }
}
