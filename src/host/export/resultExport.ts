import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import * as v from 'valibot';
import { getZoneOfRows } from '../../core/bins/dayInterval.ts';
import { getIntervalMs } from '../../core/query/catalogue.ts';
import type { TabTableData } from '../../presentation/export/tabExport.ts';
import type { KeyValueStore } from '../../core/ports.ts';
import { joinBodies, decodeBody } from '../../core/json/responseText.ts';
import { type ExportFormat, exportFormats, type ExportOptions, type ExportScope } from '../../shared/exportOptions.ts';
import type { DisplayZone, ShownSelection } from '../../shared/protocol.ts';
import { initialView, serializeView, type View } from '../../shared/view.ts';
import { commands, contextKeys } from '../ids.ts';
import { InputError, UnavailableError } from '../inputError.ts';
import { resolveComparedRanges, type ComparedResult } from '../panel/comparedRun.ts';
import type { QuerySession } from '../panel/querySession.ts';
import { setContext } from '../workbench.ts';
import { displayLocale } from '../language.ts';
import { localizeFrame } from '../messages/catalogue.ts';
import { deliver, type DeliverDeps, type Delivery } from './deliver.ts';
import { choiceArgumentSchema, type ExportChoice, type LastExport } from './exportChoice.ts';
import { type ExportContent, exportName, jsonContent, tableContent } from './exportContent.ts';
import { promptExport } from './exportPrompt.ts';
import { describeJoinedSource } from '../../service/query/joinSources.ts';
import { exportSettings } from '../settings.ts';
import { utc } from '../../core/time/zone.ts';
import { exportFormatDescriptors } from '../../core/export/formats.ts';
import { showInformationMessage } from '../messages/messages.ts';
import { copyDataSnippet } from '../snippets/copyDataSnippet.ts';
import { createOpenFileButton } from '../openFile.ts';
import { openInNotebook } from '../snippets/openInNotebook.ts';
import { formatRows } from '../messages/numbers.ts';
import type { ErrorBoundary } from '../messages/errorBoundary.ts';
import type { ResultPanel } from '../panel/resultPanel.ts';
import type { Connection } from '../../core/connections/connection.ts';

/** The panel of a query or file whose result is exported. */
export interface ExportSource {
  readonly result: ComparedResult | undefined;
  readonly panel: Pick<ResultPanel, 'settled' | 'requestSelection'>;
  readonly zone: DisplayZone;
  /** How the result is displayed; undefined until the page reports it. */
  readonly view: View | undefined;
  /** The connection that the rows came from; undefined for a file. */
  readonly connection?: Pick<Connection, 'baseUrl'>;
}

interface ResultExportDeps extends DeliverDeps {
  readonly last: LastExport;
  readonly state: KeyValueStore;
  /** Reports errors that occur after the export. */
  readonly report: (error: unknown) => void;
}

/** Exports the result of a panel: prompts for missing choices, writes the file and shows a notification. */
export class ResultExport {
  readonly #deps: ResultExportDeps;

  constructor(deps: ResultExportDeps) {
    this.#deps = deps;
  }

  /** Exports the result. Throws InputError if there is none. */
  async export(session: ExportSource, fixedChoices: Partial<ExportChoice> = {}): Promise<void> {
    return this.#export(session, await readScreen(session), fixedChoices);
  }

  async #export(
    session: ExportSource,
    { result, visibleTable, selection }: Screen,
    fixedChoices: Partial<ExportChoice>,
  ): Promise<void> {
    if (!result.frame) return this.#exportJson(result, session.zone, fixedChoices);
    const { createExportTables, createFileView } = await import('../../presentation/export/tabExport.ts');
    const { withEnds } = exportSettings();
    const tables = createExportTables(
      result,
      visibleTable,
      visibleTable && selection,
      getIntervalMs(result.provenance.interval),
      withEnds,
    );
    const title = t('Export Result');
    const { last } = this.#deps;
    const zone = getZoneOfRows(result.provenance.interval, session.zone);
    const choice = await promptExport({ title, tables, zone, last: last.get(), fixedChoices });
    if (!choice) return;
    const selectedTable = tables[choice.scope];
    if (!selectedTable) return;
    const view = session.view && serializeView(session.view, session.zone.timeZone);
    const table = { ...selectedTable, view: view && createFileView(view, choice.scope, visibleTable) };
    await last.set(choice);
    const options = createExportOptions(choice, zone, result.provenance);
    const baseUrl = session.connection?.baseUrl;
    const comparedRanges = choice.scope === 'asReceived' ? [] : resolveComparedRanges(result);
    // An Excel file is read by people, so it has the column headings of the screen.
    const localizedTable = choice.format === 'xlsx' ? { ...table, frame: localizeFrame(table.frame) } : table;
    const content = tableContent(localizedTable, options, result, {
      baseUrl,
      against: comparedRanges,
      joinedWith: (result.joined ?? []).flatMap(source => (source.error ? [] : describeJoinedSource(source))),
    });
    const { interval } = result.provenance;
    const { find, score, resample } = visibleTable?.analysis ?? {};
    const computedKind = table.chart ?? (find ? 'events' : score ? 'forecast' : resample);
    const contentKind = (choice.scope !== 'asReceived' && computedKind) || interval;
    await this.#deliver(content, choice, exportName({ ...result.provenance, interval: contentKind }, zone));
  }

  /** Repeats the last export without prompts. The first time, prompts the user. */
  async repeatLast(session: ExportSource): Promise<void> {
    return this.export(session, this.#deps.last.get());
  }

  /** Opens the table in an editor tab. Prompts for the scope only if the screen differs from the received rows. */
  async openInEditor(session: ExportSource, format: ExportChoice['format'] | undefined): Promise<void> {
    const screen = await readScreen(session);
    const { visibleTable, selection } = screen;
    const differsFromReceived = visibleTable?.isChanged || selection !== undefined;
    const scope: ExportScope | undefined = !visibleTable ? 'asReceived' : differsFromReceived ? undefined : 'onScreen';
    return this.#export(session, screen, { place: 'editor', ...(scope && { scope }), ...(format && { format }) });
  }

  /** Opens the last response as formatted JSON. */
  async openResponse(session: QuerySession): Promise<void> {
    const text = await session.response();
    const { result } = session;
    if (!result || text === '')
      throw new InputError(
        t(
          "All rows came from the archive, so there is no response to show. Run 'Refresh, Ignoring Archive' to request one.",
        ),
      );
    await deliver(jsonContent(text), 'editor', `${exportName(result.provenance, session.zone)}_response`, this.#deps);
  }

  async #exportJson(result: ComparedResult, zone: DisplayZone, fixedChoices: Partial<ExportChoice>): Promise<void> {
    const title = t('Export Result');
    const fixed = { ...fixedChoices, scope: 'asReceived', format: 'json' } as const;
    const choice = await promptExport({ title, tables: {}, zone: utc, last: undefined, fixedChoices: fixed });
    if (!choice) return;
    // The text is taken from this result, because the session may have another response by now.
    const body = joinBodies(result.bodies);
    const content = jsonContent(decodeBody(body));
    await this.#deliver(content, choice, exportName(result.provenance, zone));
  }

  async #deliver(content: ExportContent, choice: ExportChoice, name: string): Promise<void> {
    const delivered = await deliver(content, choice.place, name, this.#deps);
    if (!delivered) return;
    void setContext(contextKeys.hasSavedResult, true);
    // Not awaited, because the notification stays open until the user closes it.
    const { state, report } = this.#deps;
    notify(delivered, content, choice.format, state).catch(report);
  }
}

/** The result of a panel, and what its page displays of it. */
interface Screen {
  readonly result: ComparedResult;
  readonly visibleTable?: TabTableData | undefined;
  readonly selection?: ShownSelection | undefined;
}

/** Reads what a panel displays. Throws InputError without a result. */
async function readScreen(session: ExportSource): Promise<Screen> {
  const { result } = session;
  if (!result) throw new UnavailableError(t('No result to export. Run the query first.'));
  if (!result.frame) return { result };
  const selection = await session.panel.requestSelection();
  // The selection refers to the rows of this result only.
  if (session.result !== result)
    throw new UnavailableError(t('The result is still loading. Try again when it finishes.'));
  // These are read before the import is awaited, after which the panel may show another result.
  const { view = initialView } = session;
  const { settled: state } = session.panel;
  if (state?.view !== 'table') return { result };
  const { createTabTable } = await import('../../presentation/export/tabExport.ts');
  return { result, selection, visibleTable: createTabTable({ state, view }, result.frame, displayLocale()) };
}

function createExportOptions(
  { scope, format }: ExportChoice,
  zone: DisplayZone,
  { days }: ComparedResult['provenance'],
): ExportOptions {
  const { dialect, heading, provenance, isUtc } = exportSettings();
  // Days made from hours have no received form and are written in their time zone.
  const times = scope === 'asReceived' && !days ? 'received' : isUtc ? 'utc' : 'zone';
  return { format, dialect, times, zone: isUtc ? utc : zone, heading, provenance };
}

/** Notifies the user of the export and offers actions for a file. An editor tab needs no notification. */
async function notify(
  { destination, file }: Delivery,
  { rowCount, data }: ExportContent,
  format: ExportFormat,
  state: KeyValueStore,
): Promise<void> {
  const subject = rowCount === undefined ? t('the response') : formatRows(rowCount);
  if (destination === 'clipboard')
    void showInformationMessage(t('Copied {0} as {1}.', subject, exportFormatDescriptors[format].name));
  if (!file) return;
  const opening = createOpenFileButton(file);
  const copyButton = t('Copy Snippet…');
  const notebookButton = t('Open in Notebook');
  const sentence = t('Exported {0} to {1}.', subject, vscode.workspace.asRelativePath(file));
  const selected = await showInformationMessage(sentence, opening.label, ...(data ? [copyButton, notebookButton] : []));
  if (selected === opening.label) await opening.open();
  if (selected === copyButton && data) await copyDataSnippet({ ...data, path: file.fsPath }, state);
  if (selected === notebookButton && data) await openInNotebook(file, data);
}

/** Registers Export Result…, Repeat Last Export and Open Result in Editor…. */
export function registerExportCommands(
  boundary: ErrorBoundary,
  active: () => ExportSource,
  exporting: ResultExport,
): vscode.Disposable {
  return vscode.Disposable.from(
    boundary.register(commands.exportResult, async argument => exporting.export(active(), parseChoice(argument))),
    boundary.register(commands.exportResultAgain, async () => exporting.repeatLast(active())),
    boundary.register(commands.openResultInEditor, async argument => {
      const format = exportFormats.find(known => known === argument);
      await exporting.openInEditor(active(), format);
    }),
  );
}

/** Reads the argument of a keybinding, such as {"format": "csv", "place": "clipboard"}. Throws InputError. */
function parseChoice(argument: unknown): Partial<ExportChoice> {
  const parsed = v.safeParse(choiceArgumentSchema, argument ?? {});
  if (parsed.success) {
    const { scope, format, place: destination } = parsed.output;
    return { ...(scope && { scope }), ...(format && { format }), ...(destination && { place: destination }) };
  }
  const { message } = parsed.issues[0];
  throw new InputError(t('Invalid export arguments: {0}', message));
}
