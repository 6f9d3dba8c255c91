import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { GridError } from '../../core/errors.ts';
import type { ImportOptions } from '../../core/dataFile/importOptions.ts';
import { readView, zoneOfView, type PanelView } from '../../shared/savedView.ts';
import { longestRaw, type DisplayZone, type PanelAction, type RawResponse } from '../../shared/protocol.ts';
import type { ExportSource, ResultExport } from '../export/resultExport.ts';
import { InputError } from '../inputError.ts';
import type { ReportExport, ReportSource } from '../report/reportExport.ts';
import { failureWords } from '../messages/failures.ts';
import { ResultPanel, type PanelHandlers, type ResultPanelDeps } from '../panel/resultPanel.ts';
import { displayZone, zoneOfPage } from '../settings.ts';
import { fileHeader, fileState, unreadState, type FileShowing, type ShownFile } from './fileView.ts';
import { chooseImportOptions, offeredOptions, type ImportedFile } from './importOptionsPick.ts';
import type { ImportDecision } from './importOptionsStore.ts';
import { fileName, readFile, type FileReadingDeps } from './readFile.ts';

export interface FileSessionDeps extends FileReadingDeps {
  readonly panel: ResultPanelDeps;
  readonly exporting: Pick<ResultExport, 'export' | 'openInEditor'>;
  readonly reports: Pick<ReportExport, 'ofPanel'>;
  readonly saveFile: PanelHandlers['saveFile'];
  /** The person chose a zone in a panel. */
  readonly zoneChosen: (zone: DisplayZone) => void;
  readonly report: (error: unknown) => void;
}

/** A program writes a file in several steps: it is read after the last of them. */
const settledAfterMs = 300;

/** One file, shown in the panel of results. It is read again when it changes; a newer reading cancels an older one. */
export class FileSession implements ExportSource, ReportSource {
  readonly #deps: FileSessionDeps;
  readonly #uri: vscode.Uri;
  readonly panel: ResultPanel;
  #zone: DisplayZone | undefined;
  /** Undefined until the page says, or the file does. */
  #view: PanelView | undefined;
  #decision: ImportDecision;
  #shown: ShownFile | undefined;
  #trouble: string | undefined;
  #reading: AbortController | undefined;

  constructor(deps: FileSessionDeps, uri: vscode.Uri, panel: vscode.WebviewPanel) {
    this.#deps = deps;
    this.#uri = uri;
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
    const watching = this.#watch();
    this.panel.onDidDispose(() => {
      watching.dispose();
      this.#reading?.abort();
    });
  }

  get title(): string {
    return fileName(this.#uri);
  }

  get result(): ExportSource['result'] {
    return this.#shown?.result;
  }

  get zone(): DisplayZone {
    return this.#zone ?? displayZone();
  }

  get view(): PanelView | undefined {
    return this.#view;
  }

  /** Reads the file, and shows it or why it cannot be shown. Rows that are there stay until then, and where it fails. */
  async read(): Promise<void> {
    this.#reading?.abort();
    const reading = (this.#reading = new AbortController());
    const isCurrent = (): boolean => this.#reading === reading && !reading.signal.aborted;
    this.panel.show(unreadState(this.title, t('Reading {0}…', this.title), true));
    try {
      const { decision, ...shown } = await readFile(this.#deps, this.#uri, {
        signal: reading.signal,
        decision: this.#decision,
        onHead: head => isCurrent() && this.#showHead(head),
      });
      if (!isCurrent()) return;
      this.#decision = decision;
      this.#showView(shown);
      this.#shown = shown;
      this.#trouble = undefined;
      this.#show();
    } catch (error) {
      if (!isCurrent()) return;
      if (!(error instanceof GridError)) this.#deps.report(error);
      this.#fail(failureWords(error)?.sentence ?? '');
    }
  }

  #fail(sentence: string): void {
    this.#trouble = sentence;
    if (this.#shown?.result.frame?.rowCount) this.#show();
    else this.panel.show(unreadState(this.title, sentence, false, offeredOptions(this.#imported).length > 0));
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

  /** As the file was exported, where the page has not been looked at in another way. */
  #showView({ table: { provenance } }: ShownFile): void {
    const { view } = provenance ?? {};
    if (!view || this.#view) return;
    this.#view = readView(view);
    this.#zone = zoneOfPage(zoneOfView(view) ?? '');
    this.panel.showView(view);
  }

  #showing(): FileShowing {
    const path = vscode.workspace.asRelativePath(this.#uri);
    return { name: this.title, path, zone: this.zone, decision: this.#decision, trouble: this.#trouble };
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
        return vscode.commands.executeCommand('vscode.openWith', this.#uri, 'default');
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
      default:
        return undefined;
    }
  }

  get #imported(): ImportedFile {
    return { name: this.title, table: this.#shown?.table, options: this.#decision.options };
  }

  /** Reads the file with other options, which are kept for its folder unless they fail. */
  async #import(options: ImportOptions): Promise<void> {
    const assumesUtc = this.#decision.assumesUtc && options.timeZone === undefined;
    this.#decision = { options, assumesUtc };
    await this.read();
    if (this.#trouble === undefined) await this.#deps.importOptions.keep(this.#uri, this.#decision.options);
  }

  #watch(): vscode.Disposable {
    const folder = vscode.Uri.joinPath(this.#uri, '..');
    // All of the folder: a name may hold what a pattern takes for its own.
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*'));
    let timer: NodeJS.Timeout | undefined;
    const changed = (uri: vscode.Uri): void => {
      if (uri.toString() !== this.#uri.toString()) return;
      clearTimeout(timer);
      timer = setTimeout(() => void this.read(), settledAfterMs);
    };
    return vscode.Disposable.from(
      watcher,
      { dispose: () => clearTimeout(timer) },
      watcher.onDidChange(changed),
      watcher.onDidCreate(changed),
      watcher.onDidDelete(uri => {
        if (uri.toString() === this.#uri.toString()) this.#fail(t('The file was deleted or renamed.'));
      }),
    );
  }
}
