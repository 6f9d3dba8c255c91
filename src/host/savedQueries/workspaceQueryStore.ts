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

/** The pause in typing, in milliseconds, after which the file is parsed. Parsing a large file at each keystroke would be slow. */
const typingDelayMs = 200;

type Change = (tree: SavedTree) => SavedTree;

/** Stands for the text of a file that is too large to be read. It exceeds the limit, so parsing it reports the problem. */
const tooLargeText = ' '.repeat(fileLimits.characters + 1);

const maxAttempts = 3;
/** The maximum time that an editor takes to update its document after a change on disk. */
const editorLagMs = 3_000;

/**
 * The queries of a workspace folder, in `.vscode/grid-queries.json`. If an editor has the file open, its document is used, even if it is
 * unsaved. Edits go through the editor, so that undo, formatting and conflicts with a changed file work as usual.
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
      // When the whole folder is removed, such as by switching branches, VS Code reports only the folder and not the file.
      new vscode.RelativePattern(deps.folder, `{${queriesFileName[0]},${queriesFileName.join('/')}}`),
    );
    // While the document has unsaved changes, file events, such as a late event of an earlier save, are debounced like typing.
    const onDiskChange = (): void => {
      if (this.#openDocument()?.isDirty) this.#debouncer.trigger();
      else void this.refresh();
    };
    const isQueriesFile = ({ uri }: vscode.TextDocument): boolean => uri.toString() === this.key;
    this.#watching = vscode.Disposable.from(
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

  /** Whether the folder had the file when it was last checked. */
  get exists(): boolean {
    return this.#exists;
  }

  /** Whether the store may have a matching item. Before the file is loaded, returns whether it exists. */
  mayContain(matches: (item: SavedItem) => boolean): boolean {
    return this.#isLoaded ? walk(this.tree()).some(({ item }) => matches(item)) : this.#exists;
  }

  /** The text that was read last, with its problems. */
  get file(): { readonly text: string; readonly problems: QueriesFile['problems'] } {
    return { text: this.#text ?? '', problems: this.#file.problems };
  }

  tree(): SavedTree {
    return this.#file.tree;
  }

  /** Parses a text of the file. The text that was read last is not parsed again. */
  parse(text: string): QueriesFile {
    return text === this.#text ? this.#file : parseQueriesFile(text);
  }

  /** Loads the file; from then on, it is read whenever it changes. */
  async load(): Promise<void> {
    this.#isLoaded = true;
    await this.refresh();
  }

  /** Parses recent typing immediately. */
  async settle(): Promise<void> {
    await this.#debouncer.flush();
  }

  /** Reads the open document, or the file. Before `load`, it only checks whether the file exists. */
  async refresh(): Promise<void> {
    this.#latestRead = this.#read();
    // If another read starts meanwhile, waits for it too.
    for (let latest: unknown; latest !== this.#latestRead;) {
      latest = this.#latestRead;
      await latest;
    }
  }

  async #read(): Promise<void> {
    const reading = ++this.#readCount;
    const document = this.#openDocument();
    // The text is taken before the disk is read: typing meanwhile fires its own event and is debounced.
    const openText = document?.getText();
    try {
      if (!this.#isLoaded) {
        const exists = document?.isDirty === true || (await this.#isOnDisk());
        if (reading === this.#readCount) this.#setExists(exists);
        return;
      }
      // VS Code keeps a document for minutes after its file was deleted, so without a file only an unsaved document is used.
      const diskText = document?.isDirty ? openText : (await this.#readFromDisk())?.text;
      const text = diskText === undefined || diskText === tooLargeText ? diskText : (openText ?? diskText);
      if (reading === this.#readCount) this.#setText(text);
    } catch (error) {
      this.#logError(error);
    }
  }

  async edit(change: Change): Promise<void> {
    const edited = this.#lastEdit.then(async () => this.#apply(change));
    this.#lastEdit = edited.catch(() => undefined);
    return edited;
  }

  dispose(): void {
    this.#watching.dispose();
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
      const next = restored?.text ?? edited.text;
      if (next === (text ?? '')) return;
      const wasDirty = document?.isDirty === true;
      // VS Code rejects the edit if the text has changed meanwhile.
      if (!(await vscode.workspace.applyEdit(this.#createWorkspaceEdit(document, next)))) continue;
      // A document with unsaved changes stays unsaved.
      if (document && !wasDirty) await document.save();
      // The text is read before the bytes are written, since the editor may see a half-written file.
      const after = document?.getText() ?? next;
      if (restored?.bytes && !wasDirty) await vscode.workspace.fs.writeFile(this.uri, restored.bytes);
      // Discards reads in progress, which may have an older text.
      this.#readCount++;
      if (text !== undefined) this.#history.note(text, after, wasDirty ? undefined : diskFile?.bytes);
      this.#setText(after);
      return;
    }
    throw new InputError(t('{0} could not be changed. Try again.', this.#path()));
  }

  #createWorkspaceEdit(document: vscode.TextDocument | undefined, next: string): vscode.WorkspaceEdit {
    const edit = new vscode.WorkspaceEdit();
    if (document) {
      const { start, end, content } = replacementBetween(document.getText(), next);
      edit.replace(this.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), content);
    } else edit.createFile(this.uri, { contents: new TextEncoder().encode(next) });
    return edit;
  }

  /** Returns the document, up to date with the disk unless it has unsaved changes. Returns undefined if there is no file. */
  async #openUpToDateDocument(diskText: string | undefined): Promise<vscode.TextDocument | undefined> {
    if (diskText === tooLargeText) return this.#rejectEdit({ ok: false, problem: 'isTooLarge' });
    if (diskText === undefined) return this.#openDocument();
    const document = await vscode.workspace.openTextDocument(this.uri);
    if (!document.isDirty && document.getText() !== diskText) await this.#waitForChange(document);
    return document;
  }

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

  /**
   * Reads the text on disk without a byte order mark, like the editor. Returns undefined if there is no regular file.
   */
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
    this.#changed.fire();
  }

  #setExists(exists: boolean): void {
    if (exists === this.#exists) return;
    this.#exists = exists;
    this.#changed.fire();
  }

  #path(): string {
    return vscode.workspace.asRelativePath(this.uri);
  }
}
