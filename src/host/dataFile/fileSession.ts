import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FileComparison } from '../../core/compare/comparedRanges.ts';
import { GridError } from '../../core/errors.ts';
import type { ImportOptions } from '../../shared/importOptions.ts';
import type { Clock } from '../../core/ports.ts';
import { initialView, parseView, serializeView, getViewZone, type View } from '../../shared/view.ts';
import { maxRawLength, type DisplayZone, type PanelAction, type RawResponse } from '../../shared/protocol.ts';
import type { ExportSource, ResultExport } from '../export/resultExport.ts';
import { InputError } from '../inputError.ts';
import type { ReportExport, ReportSource } from '../report/reportExport.ts';
import { describeFailure } from '../messages/failures.ts';
import { ResultPanel, type PanelHandlers, type ResultPanelDeps } from '../panel/resultPanel.ts';
import { addPreset, promptPreset } from '../panel/presetPrompt.ts';
import { displayZone, findOfferedZone } from '../settings.ts';
import { Debouncer } from '../debouncer.ts';
import { changesColumn, compareFiles } from './compareFile.ts';
import {
  createFileHeader,
  createFileState,
  createUnreadState,
  type FileViewOptions,
  type LoadedFile,
} from './fileView.ts';
import { chooseImportOptions, listOptions, type ImportedFile } from './importOptionsPick.ts';
import type { ImportDecision } from './importOptionsStore.ts';
import { pickFiles, fileTitle, readFile, type FileReadingDeps } from './readFile.ts';

export interface FileSessionDeps extends FileReadingDeps {
  readonly panel: ResultPanelDeps;
  readonly clock: Clock;
  readonly exporting: Pick<ResultExport, 'export' | 'openInEditor'>;
  readonly reports: Pick<ReportExport, 'exportPanel'>;
  readonly saveFile: PanelHandlers['saveFile'];
  /** Called when the user chooses a time zone in the panel. */
  readonly onZoneChosen: (zone: DisplayZone) => void;
  readonly report: (error: unknown) => void;
}

/** Programs write a file in several operations: it is read after the last one, or every 5 s while writing continues. */
const debounceOptions = { restMs: 300, maxMs: 5_000 };

/** One data file in a result panel. The file is read again when it changes. */
export class FileSession implements ExportSource, ReportSource {
  readonly #deps: FileSessionDeps;
  readonly uri: vscode.Uri;
  readonly panel: ResultPanel;
  #zone: DisplayZone | undefined;
  /** The view; undefined until the page or the file specifies it. */
  #view: View | undefined;
  #decision: ImportDecision;
  #file: LoadedFile | undefined;
  #problem: string | undefined;
  /** The file to compare with. */
  #comparedFile: FileComparison | undefined;
  #comparedDecision: ImportDecision | undefined;
  #comparison: FileViewOptions['comparison'];
  #reading: AbortController | undefined;
  readonly #debouncer: Debouncer;
  /** Whether the file changed while it was read. */
  #hasChanged = false;
  /** Whether the last reading found no rows, possibly because a program was still writing the file. */
  #mayBeIncomplete = false;

  constructor(deps: FileSessionDeps, uri: vscode.Uri, panel: vscode.WebviewPanel) {
    this.#deps = deps;
    this.uri = uri;
    this.#decision = { options: deps.importOptions.get(uri), assumesUtc: false };
    const handlers: PanelHandlers = {
      act: ({ action }) => void this.#runAction(action).catch(deps.report),
      setZone: ({ timeZone }) => this.#setZone(timeZone),
      readResponse: () => this.#getRawText(),
      viewChanged: view => {
        this.#view = parseView(view);
      },
      tabOpened: () => undefined,
      pointed: () => undefined,
      saveFile: deps.saveFile,
    };
    const state = createUnreadState(this.title, t('Reading {0}…', this.title), true);
    this.panel = new ResultPanel(deps.panel, { state, getPersistedState: () => ({}), handlers }, panel);
    this.#debouncer = new Debouncer({ ...debounceOptions, clock: deps.clock, run: async () => this.#readChanged() });
    const watcher = this.#watch();
    this.panel.onDidDispose(() => {
      watcher?.dispose();
      this.#debouncer.cancel();
      this.#reading?.abort();
    });
  }

  get title(): string {
    return fileTitle(this.uri);
  }

  get result(): ExportSource['result'] {
    return this.#comparison && 'result' in this.#comparison ? this.#comparison.result : this.#file?.result;
  }

  get zone(): DisplayZone {
    return this.#zone ?? displayZone();
  }

  get view(): View | undefined {
    return this.#view;
  }

  /** Reads the file, canceling a reading in progress. Until then, the current rows stay on screen, dimmed. */
  async read(): Promise<void> {
    this.#reading?.abort();
    this.panel.show(createUnreadState(this.title, t('Reading {0}…', this.title), true));
    this.#mayBeIncomplete = true;
    await this.#read();
  }

  /** Reads the changed file, after a reading in progress. The current rows stay on screen until then. */
  async #readChanged(): Promise<void> {
    if (this.#reading) this.#hasChanged = true;
    else await this.#read();
  }

  /** Reads and shows the file, or the reason why it cannot be shown. */
  async #read(): Promise<void> {
    const reading = (this.#reading = new AbortController());
    const isCurrent = (): boolean => this.#reading === reading && !reading.signal.aborted;
    try {
      const { decision, ...file } = await readFile(this.#deps, this.uri, {
        signal: reading.signal,
        decision: this.#decision,
        onHead: head => isCurrent() && this.#showHead(head),
      });
      if (!isCurrent() || (!file.result.frame?.rowCount && this.#retryOnce())) return;
      const comparison = await this.#compare(file, reading.signal);
      if (!isCurrent()) return;
      this.#comparison = comparison;
      this.#decision = decision;
      this.#applyStoredView(file);
      this.#file = file;
      this.#mayBeIncomplete = false;
      this.#problem = undefined;
      this.#show();
    } catch (error) {
      if (!isCurrent() || this.#retryOnce()) return;
      if (!(error instanceof GridError)) this.#deps.report(error);
      const { sentence = '' } = describeFailure(error) ?? {};
      this.#problem = sentence;
      if (this.#hasRows) this.#show();
      else this.panel.show(createUnreadState(this.title, sentence, false, listOptions(this.#importedFile).length > 0));
    } finally {
      if (isCurrent()) {
        this.#reading = undefined;
        if (this.#hasChanged) this.#debouncer.trigger();
        this.#hasChanged = false;
      }
    }
  }

  /** Compares the rows with the rows of another file, now and after each reading. `undefined` ends the comparison. */
  async compareWith(comparedFile: vscode.Uri | undefined): Promise<void> {
    this.#comparedFile = comparedFile && { kind: 'file', uri: comparedFile.toString(), name: fileTitle(comparedFile) };
    this.#comparedDecision = undefined;
    await this.read();
  }

  async #compare({ result }: LoadedFile, signal: AbortSignal): Promise<FileViewOptions['comparison']> {
    if (!this.#comparedFile) return undefined;
    try {
      const compared = await compareFiles(this.#deps, result, this.#comparedFile, {
        signal,
        decision: this.#comparedDecision,
      });
      this.#comparedDecision = compared.decision;
      return compared;
    } catch (error) {
      return { failure: describeFailure(error)?.sentence ?? '' };
    }
  }

  get #hasRows(): boolean {
    return !!this.#file?.result.frame?.rowCount;
  }

  /** Schedules one more reading if the file has no rows any more, because a program may still be writing it. Returns whether it did. */
  #retryOnce(): boolean {
    this.#mayBeIncomplete = !this.#mayBeIncomplete && this.#hasRows;
    if (this.#mayBeIncomplete) this.#debouncer.trigger();
    return this.#mayBeIncomplete;
  }

  #show(): void {
    if (this.#file) this.panel.show(createFileState(this.#file, this.#viewOptions()));
  }

  #showHead(head: LoadedFile): void {
    if (this.#file) return;
    this.#applyStoredView(head);
    const state = createFileState(head, this.#viewOptions());
    if (state.view === 'table') this.panel.show({ ...state, isHead: true });
  }

  /** Applies the view that the file was exported with, unless the page already has another view. */
  #applyStoredView({ table: { provenance } }: LoadedFile): void {
    const { view } = provenance ?? {};
    if (!view || this.#view) return;
    this.#view = parseView(view);
    this.#zone = findOfferedZone(getViewZone(view) ?? '');
    this.panel.showView(view);
  }

  #viewOptions(): FileViewOptions {
    const isVersion = this.uri.scheme === 'git';
    const path = vscode.workspace.asRelativePath(isVersion ? this.uri.fsPath : this.uri);
    return {
      name: this.title,
      isVersion,
      path,
      zone: this.zone,
      decision: this.#decision,
      problem: this.#problem,
      comparison: this.#comparison,
    };
  }

  #setZone(timeZone: string): void {
    const zone = findOfferedZone(timeZone);
    if (!zone) throw new InputError(t("Unknown time zone '{0}'. Use UTC or SAST.", timeZone));
    this.#zone = zone;
    if (this.#file) this.panel.showZone(zone, createFileHeader(this.#file, this.#viewOptions()));
    this.#deps.onZoneChosen(zone);
  }

  #getRawText(): RawResponse {
    return { text: this.#file?.table.text.slice(0, maxRawLength + 1) ?? '', requests: [], requestsSpent: 0 };
  }

  async #runAction(action: PanelAction): Promise<unknown> {
    const { options } = this.#decision;
    switch (action) {
      case 'export':
        return this.#deps.exporting.export(this);
      case 'report':
        return this.#deps.reports.exportPanel(this);
      case 'openInEditor':
        return this.#deps.exporting.openInEditor(this, undefined);
      case 'openResponse':
        return vscode.commands.executeCommand('vscode.openWith', this.uri, 'default');
      case 'tryAgain':
        return this.read();
      case 'importOptions':
        return chooseImportOptions(
          () => this.#importedFile,
          async selected => this.#importWith(selected),
        );
      case 'toggleHeading':
        return this.#importWith({ ...options, headingLine: options.headingLine === undefined ? 1 : undefined });
      case 'toggleHourEnd':
        return this.#importWith({ ...options, hour: options.hour === undefined ? 'end' : undefined });
      case 'compareFile': {
        const [comparedFile] = await pickFiles(t('Compare With File'));
        return comparedFile && this.compareWith(comparedFile);
      }
      case 'addPreset': {
        const { result } = this;
        const chosen = await promptPreset(result, false);
        if (!chosen) return undefined;
        this.#view = addPreset(this.#view ?? initialView, chosen, result?.frame?.columns ?? []);
        this.panel.showView(serializeView(this.#view, this.zone.timeZone));
        return undefined;
      }
      case 'endComparison':
        this.#filterChanges('');
        return this.compareWith(undefined);
      case 'showChangedRows':
        this.#filterChanges('>0');
        return undefined;
      default:
        return undefined;
    }
  }

  get #importedFile(): ImportedFile {
    return { name: this.title, table: this.#file?.table, options: this.#decision.options };
  }

  /** Reads the file with other options, which are stored for its folder unless reading fails. */
  async #importWith(options: ImportOptions): Promise<void> {
    const { importOptions } = this.#deps;
    const previousOptions = importOptions.get(this.uri);
    const assumesUtc = this.#decision.assumesUtc && options.timeZone === undefined;
    this.#decision = { options, assumesUtc };
    // Stored before the file is read, because the compared file may be in the same folder.
    await importOptions.set(this.uri, options);
    this.#comparedDecision = undefined;
    await this.read();
    if (this.#problem !== undefined) await importOptions.set(this.uri, previousOptions);
  }

  #filterChanges(text: string): void {
    const view = this.#view ?? initialView;
    if ((view.filters[changesColumn] ?? '') === text) return;
    this.#view = { ...view, tab: 'table', filters: { ...view.filters, [changesColumn]: text } };
    this.panel.showView(serializeView(this.#view, this.zone.timeZone));
  }

  /** Watches the file; undefined for a read-only file system, such as a version in Git. */
  #watch(): vscode.Disposable | undefined {
    if (vscode.workspace.fs.isWritableFileSystem(this.uri.scheme) === false) return undefined;
    const folder = vscode.Uri.joinPath(this.uri, '..');
    // Watches the whole folder, because the name of the file may contain special characters of a glob pattern.
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*'));
    const onChange = (uri: vscode.Uri): void => {
      if (uri.toString() === this.uri.toString()) this.#debouncer.trigger();
    };
    return vscode.Disposable.from(
      watcher,
      watcher.onDidChange(onChange),
      watcher.onDidCreate(onChange),
      watcher.onDidDelete(onChange),
    );
  }
}
