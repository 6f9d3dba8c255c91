import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FileComparison } from '../../core/compare/comparedRanges.ts';
import { GridError } from '../../core/errors.ts';
import type { ImportOptions } from '../../core/dataFile/importOptions.ts';
import type { Clock } from '../../core/ports.ts';
import { initialView, readView, savedView, zoneOfView, type PanelView } from '../../shared/savedView.ts';
import { longestRaw, type DisplayZone, type PanelAction, type RawResponse } from '../../shared/protocol.ts';
import type { ExportSource, ResultExport } from '../export/resultExport.ts';
import { InputError } from '../inputError.ts';
import type { ReportExport, ReportSource } from '../report/reportExport.ts';
import { failureWords } from '../messages/failures.ts';
import { ResultPanel, type PanelHandlers, type ResultPanelDeps } from '../panel/resultPanel.ts';
import { displayZone, zoneOfPage } from '../settings.ts';
import { WhenAtRest } from '../whenAtRest.ts';
import { changesColumn, compareFiles } from './compareFile.ts';
import { fileHeader, fileState, unreadState, type FileShowing, type ShownFile } from './fileView.ts';
import { chooseImportOptions, offeredOptions, type ImportedFile } from './importOptionsPick.ts';
import type { ImportDecision } from './importOptionsStore.ts';
import { askWhichFile, fileTitle, readFile, type FileReadingDeps } from './readFile.ts';

export interface FileSessionDeps extends FileReadingDeps {
  readonly panel: ResultPanelDeps;
  readonly clock: Clock;
  readonly exporting: Pick<ResultExport, 'export' | 'openInEditor'>;
  readonly reports: Pick<ReportExport, 'ofPanel'>;
  readonly saveFile: PanelHandlers['saveFile'];
  /** Called when the person chooses a time zone in the panel. */
  readonly zoneChosen: (zone: DisplayZone) => void;
  readonly report: (error: unknown) => void;
}

/** Programs write a file in several operations: it is read after the last one, or every 5 s while writing continues. */
const writing = { restMs: 300, maxMs: 5_000 };

/** One data file in a result panel. The file is read again when it changes. */
export class FileSession implements ExportSource, ReportSource {
  readonly #deps: FileSessionDeps;
  readonly uri: vscode.Uri;
  readonly panel: ResultPanel;
  #zone: DisplayZone | undefined;
  /** The view; undefined until the page or the file specifies it. */
  #view: PanelView | undefined;
  #decision: ImportDecision;
  #shown: ShownFile | undefined;
  #trouble: string | undefined;
  /** The file to compare with. */
  #other: FileComparison | undefined;
  #otherDecision: ImportDecision | undefined;
  #comparison: FileShowing['comparison'];
  #reading: AbortController | undefined;
  readonly #changes: WhenAtRest;
  /** Whether the file changed while it was read. */
  #hasChanged = false;
  /** Whether the last reading found no rows, possibly because a program was still writing the file. */
  #isInDoubt = false;

  constructor(deps: FileSessionDeps, uri: vscode.Uri, panel: vscode.WebviewPanel) {
    this.#deps = deps;
    this.uri = uri;
    this.#decision = { options: deps.importOptions.get(uri), assumesUtc: false };
    const handlers: PanelHandlers = {
      act: ({ action }) => void this.#act(action).catch(deps.report),
      setZone: ({ timeZone }) => this.#setZone(timeZone),
      readResponse: () => this.#raw(),
      viewChanged: view => {
        this.#view = readView(view);
      },
      tabOpened: () => undefined,
      pointed: () => undefined,
      saveFile: deps.saveFile,
    };
    const state = unreadState(this.title, t('Reading {0}…', this.title), true);
    this.panel = new ResultPanel(deps.panel, { state, question: () => ({}), handlers }, panel);
    this.#changes = new WhenAtRest({ ...writing, clock: deps.clock, act: async () => this.#follow() });
    const watching = this.#watch();
    this.panel.onDidDispose(() => {
      watching?.dispose();
      this.#changes.stop();
      this.#reading?.abort();
    });
  }

  get title(): string {
    return fileTitle(this.uri);
  }

  get result(): ExportSource['result'] {
    return this.#comparison && 'result' in this.#comparison ? this.#comparison.result : this.#shown?.result;
  }

  get zone(): DisplayZone {
    return this.#zone ?? displayZone();
  }

  get view(): PanelView | undefined {
    return this.#view;
  }

  /** Reads the file, canceling a reading in progress. Until then, the current rows stay on screen, dimmed. */
  async read(): Promise<void> {
    this.#reading?.abort();
    this.panel.show(unreadState(this.title, t('Reading {0}…', this.title), true));
    this.#isInDoubt = true;
    await this.#read();
  }

  /** Reads the changed file, after a reading in progress. The current rows stay on screen until then. */
  async #follow(): Promise<void> {
    if (this.#reading) this.#hasChanged = true;
    else await this.#read();
  }

  /** Reads and shows the file, or the reason why it cannot be shown. */
  async #read(): Promise<void> {
    const reading = (this.#reading = new AbortController());
    const isCurrent = (): boolean => this.#reading === reading && !reading.signal.aborted;
    try {
      const { decision, ...shown } = await readFile(this.#deps, this.uri, {
        signal: reading.signal,
        decision: this.#decision,
        onHead: head => isCurrent() && this.#showHead(head),
      });
      if (!isCurrent() || (!shown.result.frame?.rowCount && this.#triesAgain())) return;
      const comparison = await this.#compare(shown, reading.signal);
      if (!isCurrent()) return;
      this.#comparison = comparison;
      this.#decision = decision;
      this.#showView(shown);
      this.#shown = shown;
      this.#isInDoubt = false;
      this.#trouble = undefined;
      this.#show();
    } catch (error) {
      if (!isCurrent() || this.#triesAgain()) return;
      if (!(error instanceof GridError)) this.#deps.report(error);
      const { sentence = '' } = failureWords(error) ?? {};
      this.#trouble = sentence;
      if (this.#hasRows) this.#show();
      else this.panel.show(unreadState(this.title, sentence, false, offeredOptions(this.#imported).length > 0));
    } finally {
      if (isCurrent()) {
        this.#reading = undefined;
        if (this.#hasChanged) this.#changes.stir();
        this.#hasChanged = false;
      }
    }
  }

  /** Compares the rows with those of another file, now and after each reading. Undefined ends the comparison. */
  async compareWith(other: vscode.Uri | undefined): Promise<void> {
    this.#other = other && { kind: 'file', uri: other.toString(), name: fileTitle(other) };
    this.#otherDecision = undefined;
    await this.read();
  }

  async #compare({ result }: ShownFile, signal: AbortSignal): Promise<FileShowing['comparison']> {
    if (!this.#other) return undefined;
    try {
      const compared = await compareFiles(this.#deps, result, this.#other, {
        signal,
        decision: this.#otherDecision,
      });
      this.#otherDecision = compared.decision;
      return compared;
    } catch (error) {
      return { failure: failureWords(error)?.sentence ?? '' };
    }
  }

  get #hasRows(): boolean {
    return !!this.#shown?.result.frame?.rowCount;
  }

  /** Schedules one more reading before the rows are replaced by none, because a program may still be writing the file. */
  #triesAgain(): boolean {
    this.#isInDoubt = !this.#isInDoubt && this.#hasRows;
    if (this.#isInDoubt) this.#changes.stir();
    return this.#isInDoubt;
  }

  #show(): void {
    if (this.#shown) this.panel.show(fileState(this.#shown, this.#showing()));
  }

  #showHead(head: ShownFile): void {
    if (this.#shown) return;
    this.#showView(head);
    const state = fileState(head, this.#showing());
    if (state.view === 'table') this.panel.show({ ...state, isHead: true });
  }

  /** Applies the view that the file was exported with, unless the page already has another view. */
  #showView({ table: { provenance } }: ShownFile): void {
    const { view } = provenance ?? {};
    if (!view || this.#view) return;
    this.#view = readView(view);
    this.#zone = zoneOfPage(zoneOfView(view) ?? '');
    this.panel.showView(view);
  }

  #showing(): FileShowing {
    const isVersion = this.uri.scheme === 'git';
    const path = vscode.workspace.asRelativePath(isVersion ? this.uri.fsPath : this.uri);
    return {
      name: this.title,
      isVersion,
      path,
      zone: this.zone,
      decision: this.#decision,
      trouble: this.#trouble,
      comparison: this.#comparison,
    };
  }

  #setZone(timeZone: string): void {
    const zone = zoneOfPage(timeZone);
    if (!zone) throw new InputError(t("Unknown time zone '{0}'. Use UTC or SAST.", timeZone));
    this.#zone = zone;
    if (this.#shown) this.panel.showZone(zone, fileHeader(this.#shown, this.#showing()));
    this.#deps.zoneChosen(zone);
  }

  #raw(): RawResponse {
    return { text: this.#shown?.table.text.slice(0, longestRaw + 1) ?? '', requests: [], requestsSpent: 0 };
  }

  async #act(action: PanelAction): Promise<unknown> {
    const { options } = this.#decision;
    switch (action) {
      case 'export':
        return this.#deps.exporting.export(this);
      case 'report':
        return this.#deps.reports.ofPanel(this);
      case 'openInEditor':
        return this.#deps.exporting.openInEditor(this, undefined);
      case 'openResponse':
        return vscode.commands.executeCommand('vscode.openWith', this.uri, 'default');
      case 'tryAgain':
        return this.read();
      case 'importOptions':
        return chooseImportOptions(
          () => this.#imported,
          async chosen => this.#import(chosen),
        );
      case 'toggleHeading':
        return this.#import({ ...options, headingLine: options.headingLine === undefined ? 1 : undefined });
      case 'toggleHourEnd':
        return this.#import({ ...options, hour: options.hour === undefined ? 'end' : undefined });
      case 'compareFile': {
        const [other] = await askWhichFile(t('Compare With File'));
        return other && this.compareWith(other);
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

  get #imported(): ImportedFile {
    return { name: this.title, table: this.#shown?.table, options: this.#decision.options };
  }

  /** Reads the file with other options, which are stored for its folder unless reading fails. */
  async #import(options: ImportOptions): Promise<void> {
    const { importOptions } = this.#deps;
    const before = importOptions.get(this.uri);
    const assumesUtc = this.#decision.assumesUtc && options.timeZone === undefined;
    this.#decision = { options, assumesUtc };
    // Stored before the file is read, because the compared file may be in the same folder.
    await importOptions.keep(this.uri, options);
    this.#otherDecision = undefined;
    await this.read();
    if (this.#trouble !== undefined) await importOptions.keep(this.uri, before);
  }

  #filterChanges(text: string): void {
    const view = this.#view ?? initialView;
    if ((view.filters[changesColumn] ?? '') === text) return;
    this.#view = { ...view, tab: 'table', filters: { ...view.filters, [changesColumn]: text } };
    this.panel.showView(savedView(this.#view, this.zone.timeZone));
  }

  /** Watches the file; undefined for a read-only file system, such as a version in Git. */
  #watch(): vscode.Disposable | undefined {
    if (vscode.workspace.fs.isWritableFileSystem(this.uri.scheme) === false) return undefined;
    const folder = vscode.Uri.joinPath(this.uri, '..');
    // Watches the whole folder, because the name of the file may contain special characters of a glob pattern.
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*'));
    const changed = (uri: vscode.Uri): void => {
      if (uri.toString() === this.uri.toString()) this.#changes.stir();
    };
    return vscode.Disposable.from(
      watcher,
      watcher.onDidChange(changed),
      watcher.onDidCreate(changed),
      watcher.onDidDelete(changed),
    );
  }
}
