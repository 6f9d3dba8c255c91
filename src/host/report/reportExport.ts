import { homedir } from 'node:os';
import { basename, dirname } from 'node:path';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import * as v from 'valibot';
import type { Clock, KeyValueStore } from '../../core/ports.ts';
import { reportFileName, type Report, type ReportPart } from '../../core/report/report.ts';
import type { WriteDeps } from '../../service/export/writeExport.ts';
import { describeFileError } from '../export/exportMessages.ts';
import { exportName } from '../export/exportContent.ts';
import { contextKeys, stateNames } from '../ids.ts';
import { InputError, UnavailableError } from '../inputError.ts';
import { showInformationMessage, withProgress } from '../messages/messages.ts';
import type { ComparedResult } from '../panel/comparedRun.ts';
import type { ResultPanel } from '../panel/resultPanel.ts';
import { runStep, pick } from '../messages/prompts.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { View } from '../../shared/view.ts';
import { setContext } from '../workbench.ts';
import { createOpenFileButton } from '../openFile.ts';
import {
  createReportFiles,
  createReportPart,
  reportFormats,
  writeReportFiles,
  type ReportFile,
  type ReportFormat,
} from './reportFiles.ts';

/** The format and the folder of the last report, which are stored as the default of the next one. `folder` is a URI. */
const choiceSchema = v.object({ format: v.picklist(reportFormats), folder: v.string() });

/** The format and file of a report. */
interface ReportDestination {
  readonly format: ReportFormat;
  readonly file: vscode.Uri;
}

/** The panel of a query or file whose result is reported. */
export interface ReportSource {
  readonly title: string;
  readonly result: ComparedResult | undefined;
  readonly zone: DisplayZone;
  /** How the result is displayed. Undefined until the page reports it. */
  readonly view: View | undefined;
  readonly panel: Pick<ResultPanel, 'settled'>;
  /** The note of the saved query. */
  readonly note?: string | undefined;
}

/** The contents of a report on saved queries. */
export interface SavedReport {
  readonly title: string;
  /** The note of the folder. */
  readonly note?: string | undefined;
  /** The names of the queries. */
  readonly names: readonly string[];
}

export interface ReportDeps {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly state: KeyValueStore;
  /** Reports errors that occur after the export. */
  readonly report: (error: unknown) => void;
}

/** Exports the content of panels as a report: one HTML page, or a Markdown file with a folder of pictures. */
export class ReportExport {
  readonly #deps: ReportDeps;

  constructor(deps: ReportDeps) {
    this.#deps = deps;
  }

  /** Exports a report on one panel. Throws InputError if it has no result. */
  async exportPanel(session: ReportSource): Promise<void> {
    const { result } = session;
    if (!result) throw new UnavailableError(t('No result to export. Run the query first.'));
    const interval = session.view?.resample ?? result.provenance.interval;
    const destination = await this.#promptDestination(exportName({ ...result.provenance, interval }, session.zone));
    if (destination) await this.#write(undefined, destination, async () => [await createPart(session, undefined)]);
  }

  /** Exports a report on saved queries, with a section for each. Runs them first, because their ranges may be relative to the current time. */
  async exportSaved(
    { title, note = '', names }: SavedReport,
    run: () => Promise<readonly ReportSource[]>,
  ): Promise<void> {
    if (names.length === 0) return;
    const destination = await this.#promptDestination(reportFileName(title));
    if (!destination) return;
    const sessions = await run();
    await this.#write({ title, note }, destination, async (reportProgress, signal) => {
      const parts: ReportPart[] = [];
      for (const [index, name] of names.entries()) {
        reportProgress(t('{0} of {1}: {2}', index + 1, names.length, name));
        // Waits, so that VS Code can update the notification and report a cancellation.
        await this.#deps.clock.sleep(0, signal);
        const session = sessions[index];
        if (session) parts.push(await createPart(session, name));
      }
      return parts;
    });
  }

  /** Prompts for the format and the file. Returns undefined if the user cancels. */
  async #promptDestination(name: string): Promise<ReportDestination | undefined> {
    const last = this.#last();
    const formats = [...reportFormats].sort((a, b) => Number(b === last?.format) - Number(a === last?.format));
    const items = formats.map(format => ({ ...formatItem(format), format }));
    const title = t('Export Report');
    const selected = await runStep(title, async position =>
      pick(position, { placeholder: t('Select a format'), items: () => items }),
    );
    if (!selected) return undefined;
    const extension = selected.format === 'html' ? 'html' : 'md';
    const folder = last ? vscode.Uri.parse(last.folder) : vscode.workspace.workspaceFolders?.[0]?.uri;
    const file = await vscode.window.showSaveDialog({
      defaultUri: vscode.Uri.joinPath(folder ?? vscode.Uri.file(homedir()), `${name}.${extension}`),
      filters: { [selected.label]: [extension] },
      title,
    });
    if (!file) return undefined;
    const parent = file.with({ path: dirname(file.path) }).toString();
    await this.#deps.state.update(stateNames.lastReport, { format: selected.format, folder: parent });
    return { format: selected.format, file };
  }

  #last(): v.InferOutput<typeof choiceSchema> | undefined {
    const storedValue = this.#deps.state.get(stateNames.lastReport);
    return v.is(choiceSchema, storedValue) ? storedValue : undefined;
  }

  /** Writes a report. Without a `heading`, it has the title of its only section. */
  async #write(
    heading: Pick<Report, 'title' | 'note'> | undefined,
    { format, file }: ReportDestination,
    collect: (reportProgress: (progress: string) => void, signal: AbortSignal) => Promise<readonly ReportPart[]>,
  ): Promise<void> {
    const location = vscode.ProgressLocation.Notification;
    const displayPath = vscode.workspace.asRelativePath(file);
    await withProgress({ location, title: t('Exporting Report'), cancellable: true }, async (progress, signal) => {
      const parts = await collect(message => progress.report({ message }), signal);
      const { title = parts[0]?.title ?? '', note = '' } = heading ?? {};
      try {
        const files = createReportFiles({ title, note, parts }, format, basename(file.path));
        await writeFiles(file, files, { signal, clock: this.#deps.clock });
      } catch (error) {
        const sentence = describeFileError(error, displayPath);
        throw sentence === undefined ? error : new InputError(sentence);
      }
    });
    void setContext(contextKeys.hasSavedResult, true);
    // The notification is not awaited, because it stays open until the user closes it.
    notify(displayPath, { format, file }).catch(this.#deps.report);
  }
}

async function notify(displayPath: string, { format, file }: ReportDestination): Promise<void> {
  const { label, open } = createOpenFileButton(file);
  if ((await showInformationMessage(t('Exported the report to {0}.', displayPath), label)) !== label) return;
  if (format === 'markdown') await vscode.commands.executeCommand('markdown.showPreview', file);
  else await open();
}

/** Creates the section of a panel. Its title is the name of the saved query, or the title of the panel if `name` is undefined. */
async function createPart(session: ReportSource, name: string | undefined): Promise<ReportPart> {
  const { title, result, zone, view, panel, note } = session;
  return createReportPart({ title, result, zone, view, settled: panel.settled, note }, name);
}

function formatItem(format: ReportFormat): Pick<vscode.QuickPickItem, 'label' | 'description'> {
  return format === 'html'
    ? { label: 'HTML', description: t('one page that opens anywhere, to read and print') }
    : { label: 'Markdown', description: t('with its charts in a folder next to it') };
}

/** Writes the files of a report to the folder of `file`. */
async function writeFiles(file: vscode.Uri, files: readonly ReportFile[], deps: WriteDeps): Promise<void> {
  if (file.scheme === 'file') return writeReportFiles(dirname(file.fsPath), files, deps);
  // Other file systems, such as that of a remote machine, create folders themselves.
  const folder = file.with({ path: dirname(file.path) });
  for (const { path, text } of files)
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, path), Buffer.from(text));
}
