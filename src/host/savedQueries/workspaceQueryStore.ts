import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { GridError } from '../../core/errors.ts';
import { fileLimits } from '../../core/savedQueries/file/fileProblem.ts';
import { parseQueriesFile, type QueriesFile } from '../../core/savedQueries/file/queriesFile.ts';
import {
  replacementBetween,
  editQueriesFile,
  type FileEdit,
  EditHistory,
} from '../../core/savedQueries/file/queriesFileEdits.ts';
import type { Clock } from '../../core/ports.ts';
import type { SavedItem, SavedTree } from '../../core/savedQueries/savedItem.ts';
import { walk } from '../../core/savedQueries/walk.ts';
import { Emitter } from '../../service/emitter.ts';
import { getErrorCode } from '../../service/files/fileSystem.ts';
import { InputError } from '../inputError.ts';
import { showWarningMessage } from '../messages/messages.ts';
import { readUri } from '../readUri.ts';
import { Debouncer } from '../debouncer.ts';
import { describeKeyLikePart } from './savedMessages.ts';
import { queriesFileName, queriesFileUri, type QueryStore } from './queryStore.ts';

/** The pause in typing, in milliseconds, after which the file is parsed. Parsing a large file after each keystroke would be slow. */
const typingDelayMs = 200;

type Change = (tree: SavedTree) => SavedTree;

/** Replaces the text of a file that is too large to be read. It exceeds the limit, so that the parser reports this problem. */
const tooLargeText = ' '.repeat(fileLimits.characters + 1);

const maxAttempts = 3;
/** The maximum time, in milliseconds, to wait for the editor to update its document after a change on disk. */
const editorLagMs = 3_000;

/**
 * Stores the queries of a workspace folder in `.vscode/grid-queries.json`. If the file is open in an editor, the store reads the document,
 * even if it has unsaved changes. The store edits the document as a user would, so that undo and conflict detection work as usual.
 */
export class WorkspaceQueryStore implements QueryStore {
  readonly kind = 'workspace';
  readonly name: string;
  readonly uri: vscode.Uri;
  readonly key: string;
  readonly #logError: (error: unknown) => void;
  readonly #onDidChangeEmitter = new Emitter();
  readonly onDidChange = this.#onDidChangeEmitter.event;
  readonly #disposables: vscode.Disposable;
  readonly #debouncer: Debouncer;
  #isLoaded = false;
  #exists = false;
  #text: string | undefined;
  #file: QueriesFile = parseQueriesFile(undefined);
  readonly #history = new EditHistory();
  #readCount = 0;
  #latestRead: Promise<void> = Promise.resolve();
  #lastEdit: Promise<unknown> = Promise.resolve();

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
    this.#debouncer = new Debouncer({ clock: deps.clock, restMs: typingDelayMs, run: async () => this.refresh() });
    const watcher = vscode.workspace.createFileSystemWatcher(
      // Also watches the folder. If the whole folder is deleted, VS Code reports only the folder, not the file.
      new vscode.RelativePattern(deps.folder, `{${queriesFileName[0]},${queriesFileName.join('/')}}`),
    );
    // File events are debounced like typing while the document has unsaved changes. They may be late events of an earlier save.
    const onDiskChange = (): void => {
      if (this.#openDocument()?.isDirty) this.#debouncer.trigger();
      else void this.refresh();
    };
    const isQueriesFile = ({ uri }: vscode.TextDocument): boolean => uri.toString() === this.key;
    this.#disposables = vscode.Disposable.from(
      watcher,
      watcher.onDidCreate(onDiskChange),
      watcher.onDidChange(onDiskChange),
      watcher.onDidDelete(onDiskChange),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (isQueriesFile(document)) this.#debouncer.trigger();
      }),
      vscode.workspace.onDidCloseTextDocument(document => {
        if (isQueriesFile(document)) onDiskChange();
      }),
    );
  }

  /** Whether the file existed when the store last checked. */
  get exists(): boolean {
    return this.#exists;
  }

  /** Returns whether the store contains a matching item. Before `load`, returns whether the file exists. */
  mayContain(matches: (item: SavedItem) => boolean): boolean {
    return this.#isLoaded ? walk(this.tree()).some(({ item }) => matches(item)) : this.#exists;
  }

  /** The current text of the file, and its problems. */
  get file(): { readonly text: string; readonly problems: QueriesFile['problems'] } {
    return { text: this.#text ?? '', problems: this.#file.problems };
  }

  tree(): SavedTree {
    return this.#file.tree;
  }

  /** Parses a text of the file. Returns the cached result for the current text. */
  parse(text: string): QueriesFile {
    return text === this.#text ? this.#file : parseQueriesFile(text);
  }

  /** Reads the file. From then on, the store reads it whenever it changes. */
  async load(): Promise<void> {
    this.#isLoaded = true;
    await this.refresh();
  }

  /** Parses the document now if the user has just typed. */
  async settle(): Promise<void> {
    await this.#debouncer.flush();
  }

  /** Reads the open document, or the file. Before `load`, it only checks whether the file exists. */
  async refresh(): Promise<void> {
    this.#latestRead = this.#read();
    // Also waits for reads that start in the meantime.
    for (let latest: unknown; latest !== this.#latestRead;) {
      latest = this.#latestRead;
      await latest;
    }
  }

  async #read(): Promise<void> {
    const readNumber = ++this.#readCount;
    const document = this.#openDocument();
    // Gets the text before reading from disk. If the user types in the meantime, the change event starts another read.
    const openText = document?.getText();
    try {
      if (!this.#isLoaded) {
        const exists = document?.isDirty === true || (await this.#isOnDisk());
        if (readNumber === this.#readCount) this.#setExists(exists);
        return;
      }
      // VS Code keeps a document for minutes after its file is deleted. Without a file, only a document with unsaved changes counts.
      const diskText = document?.isDirty ? openText : (await this.#readFromDisk())?.text;
      const text = diskText === undefined || diskText === tooLargeText ? diskText : (openText ?? diskText);
      if (readNumber === this.#readCount) this.#setText(text);
    } catch (error) {
      this.#logError(error);
    }
  }

  async edit(change: Change): Promise<void> {
    const currentEdit = this.#lastEdit.then(async () => this.#apply(change));
    this.#lastEdit = currentEdit.catch(() => undefined);
    return currentEdit;
  }

  dispose(): void {
    this.#disposables.dispose();
    this.#debouncer.cancel();
  }

  async #apply(change: Change): Promise<void> {
    this.#isLoaded = true;
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const diskFile = await this.#readFromDisk();
      const document = await this.#openUpToDateDocument(diskFile?.text);
      const text = document?.getText();
      const edited = editQueriesFile(text, change);
      if (!edited.ok) return this.#rejectEdit(edited);
      const restored = text === undefined ? undefined : this.#history.before(text, edited.tree);
      const newText = restored?.text ?? edited.text;
      if (newText === (text ?? '')) return;
      const wasDirty = document?.isDirty === true;
      // VS Code rejects the edit if the text has changed in the meantime.
      if (!(await vscode.workspace.applyEdit(this.#createWorkspaceEdit(document, newText)))) continue;
      // Does not save changes that the user has not saved yet.
      if (document && !wasDirty) await document.save();
      // Gets the text before writing the bytes, because the editor may read a partially written file.
      const textAfter = document?.getText() ?? newText;
      if (restored?.bytes && !wasDirty) await vscode.workspace.fs.writeFile(this.uri, restored.bytes);
      // Discards the results of current reads, because they may contain an older text.
      this.#readCount++;
      if (text !== undefined) this.#history.note(text, textAfter, wasDirty ? undefined : diskFile?.bytes);
      this.#setText(textAfter);
      return;
    }
    throw new InputError(t('{0} could not be changed. Try again.', this.#path()));
  }

  #createWorkspaceEdit(document: vscode.TextDocument | undefined, newText: string): vscode.WorkspaceEdit {
    const edit = new vscode.WorkspaceEdit();
    if (document) {
      const { start, end, content } = replacementBetween(document.getText(), newText);
      edit.replace(this.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), content);
    } else edit.createFile(this.uri, { contents: new TextEncoder().encode(newText) });
    return edit;
  }

  /** Opens the document of the file, and waits until it has the text on disk or has unsaved changes. Returns undefined if there is no file. */
  async #openUpToDateDocument(diskText: string | undefined): Promise<vscode.TextDocument | undefined> {
    if (diskText === tooLargeText) return this.#rejectEdit({ ok: false, problem: 'isTooLarge' });
    if (diskText === undefined) return this.#openDocument();
    const document = await vscode.workspace.openTextDocument(this.uri);
    if (!document.isDirty && document.getText() !== diskText) await this.#waitForChange(document);
    return document;
  }

  /** Waits until the editor updates the document, or until `editorLagMs` has passed. */
  async #waitForChange(document: vscode.TextDocument): Promise<void> {
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, editorLagMs);
      const listener = vscode.workspace.onDidChangeTextDocument(event => {
        if (event.document === document) finish();
      });
      const finish = (): void => {
        clearTimeout(timer);
        listener.dispose();
        resolve();
      };
    });
  }

  async #rejectEdit(invalidEdit: FileEdit & { readonly ok: false }): Promise<never> {
    if (invalidEdit.problem === 'keyLike') throw new InputError(describeKeyLikePart(invalidEdit.part));
    if (invalidEdit.problem === 'tooLarge')
      throw new InputError(t('{0} would be too large. Move some of the queries elsewhere.', this.#path()));
    const openButton = t('Open File');
    const sentence =
      invalidEdit.problem === 'isTooLarge'
        ? t(
            '{0} was not changed: it has more than 400 kB or 40,000 values. Move some of its queries to another folder, then try again.',
            this.#path(),
          )
        : t('{0} has errors and was not changed. Fix them and try again.', this.#path());
    void showWarningMessage(sentence, openButton).then(selected => {
      if (selected) void vscode.window.showTextDocument(this.uri);
    });
    return Promise.reject(new GridError('cancelled'));
  }

  #openDocument(): vscode.TextDocument | undefined {
    return vscode.workspace.textDocuments.find(({ uri, isClosed }) => !isClosed && uri.toString() === this.key);
  }

  /** Reads the file on disk. Like the editor, removes a byte order mark from the text. Returns undefined if there is no regular file. */
  async #readFromDisk(): Promise<{ readonly text: string; readonly bytes?: Uint8Array } | undefined> {
    try {
      const bytes = await readUri(this.uri, fileLimits.characters);
      return { bytes, text: new TextDecoder().decode(bytes) };
    } catch (error) {
      if (getErrorCode(error) === 'EFBIG') return { text: tooLargeText };
      if (['ENOENT', 'ENOTDIR', 'ENOTFILE', 'FileNotFound'].includes(getErrorCode(error) ?? '')) return undefined;
      throw error;
    }
  }

  async #isOnDisk(): Promise<boolean> {
    return vscode.workspace.fs.stat(this.uri).then(
      ({ type }) => (type & vscode.FileType.File) !== 0,
      () => false,
    );
  }

  #setText(text: string | undefined): void {
    this.#exists = text !== undefined;
    if (text === this.#text) return;
    this.#text = text;
    this.#file = parseQueriesFile(text);
    this.#onDidChangeEmitter.fire();
  }

  #setExists(exists: boolean): void {
    if (exists === this.#exists) return;
    this.#exists = exists;
    this.#onDidChangeEmitter.fire();
  }

  #path(): string {
    return vscode.workspace.asRelativePath(this.uri);
  }
}
