import { randomBytes, randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { GridDataApi } from '../api/grid-data-inspector.d.ts';
import { registerArchiveCommands } from './host/archive/archiveCommands.ts';
import { registerBudgetCommands, registerLimitCommands } from './host/limiter/budgetCommands.ts';
import { registerConnectionCommands } from './host/connections/connectionCommands.ts';
import { registerExportCommands, ResultExport } from './host/export/resultExport.ts';
import { ReportExport } from './host/report/reportExport.ts';
import { registerQueryCommands } from './host/actions/queryCommands.ts';
import { registerSandboxCommands, startSandboxConnection } from './host/actions/sandboxCommands.ts';
import { compareWithFile } from './host/dataFile/compareFile.ts';
import { createFileSource, readJoinedFile } from './host/dataFile/joinedFile.ts';
import { DataFileEditorProvider, registerDataFileCommands } from './host/dataFile/dataFileEditorProvider.ts';
import { ImportOptionsStore } from './host/dataFile/importOptionsStore.ts';
import type { FileSessionDeps } from './host/dataFile/fileSession.ts';
import { LastExport } from './host/export/exportChoice.ts';
import { commands } from './host/ids.ts';
import { createPanelActionHandler } from './host/actions/panelActions.ts';
import { offerDefaultZone } from './host/panel/offerZone.ts';
import { RevisionsDiff } from './host/panel/revisionsDiff.ts';
import { QuerySessions } from './host/panel/querySessions.ts';
import { saveFile } from './host/export/deliver.ts';
import { createPublicApi } from './host/tools/publicApi.ts';
import { registerConnectionsView } from './host/connections/connectionsTreeDataProvider.ts';
import { updateRenamedConnection } from './host/savedQueries/updateRenamedConnection.ts';
import { createQueryNames } from './host/savedQueries/queryNames.ts';
import { registerSavedQueries } from './host/savedQueries/savedQueries.ts';
import { registerOpenInNotebook } from './host/snippets/openInNotebook.ts';
import { keyValueStore, systemClock as clock } from './host/systemPorts.ts';
import { followLink } from './host/tools/openLink.ts';
import { AgentServer } from './host/tools/agentServer.ts';
import { confirmAgentRequests } from './host/tools/confirmAgentRequests.ts';
import { createGridTools } from './host/tools/gridTools.ts';
import { languageModelTools } from './host/tools/languageModelTools.ts';
import { registerWalkthrough } from './host/actions/walkthrough.ts';
import { maxAgentRequestsPerHour } from './host/settings.ts';
import { AgentAllowance } from './service/limiter/agentAllowance.ts';
import { ResponseStore } from './service/client/responseStore.ts';
import type { Connection } from './core/connections/connection.ts';
import type { Background } from './background.ts';
import { registerAlertCommands } from './host/watch/alertCommands.ts';
import { registerMoveRefresh } from './host/watch/moveRefresh.ts';
import { registerWatchCommands } from './host/watch/watchCommands.ts';

/** The parts of the app to which `extension.ts` forwards the calls of what it registered itself. */
export interface App {
  readonly api: GridDataApi;
  readonly panels: QuerySessions;
  readonly tools: Readonly<Record<string, vscode.LanguageModelTool<unknown>>>;
  readonly revisions: vscode.TextDocumentContentProvider;
  readonly dataFiles: vscode.CustomReadonlyEditorProvider;
  readonly followLink: (uri: vscode.Uri) => Promise<void>;
  /** Finishes asynchronous work when the extension is deactivated. */
  readonly end: () => Promise<void>;
}

/** The second half of the composition root: creates and connects everything that the user interacts with. */
export function startApp(context: vscode.ExtensionContext, background: Background): App {
  const { folder, logger, logError, state, connections, archive, spans, sandbox, endpoints, engine, pricing } =
    background;
  const { activeRuns, readers, budgets, status, personal, history, boundary, choices, stores, watched } = background;
  const { nowAt } = endpoints;
  const getSource = endpoints.getSource.bind(endpoints);
  const responses = new ResponseStore({ folder: folder('responses').fsPath, newId: randomUUID, logger, clock });

  const newNonce = (): string => randomBytes(16).toString('base64url');
  const lastExport = new LastExport(state);
  const panel = {
    extensionUri: context.extensionUri,
    newNonce,
    logError: (line: string) => logger.error(line),
    hasExported: () => lastExport.get() !== undefined,
  };
  const report = (error: unknown): void => void boundary.report(error);
  const revisions = new RevisionsDiff();
  const exporting = new ResultExport({ last: lastExport, state, clock, report });
  const reports = new ReportExport({ clock, state, report });
  const clearRejection = endpoints.clearConnectionRejection.bind(endpoints);
  const savePicture: FileSessionDeps['saveFile'] = picture => void saveFile(picture).catch(report);
  const onZoneChosen: FileSessionDeps['onZoneChosen'] = zone => void offerDefaultZone(state, zone).catch(report);
  const reading = { readers, importOptions: new ImportOptionsStore(keyValueStore(context.workspaceState)) };
  const dataFiles = new DataFileEditorProvider({
    ...reading,
    panel,
    clock,
    exporting,
    reports,
    saveFile: savePicture,
    onZoneChosen,
    report,
  });
  const sessions = new QuerySessions({
    actions: querySessions =>
      createPanelActionHandler({
        sessions: querySessions,
        engine,
        clearRejection,
        nowAt,
        pricing,
        exporting,
        reports,
        sandbox,
        connections,
        stores,
        createFileSource: async file => createFileSource(reading, file),
        revisions,
        report,
      }),
    engine,
    clock,
    nowAt,
    logError,
    panel,
    pricing,
    connectionById: id => connections.findById(id),
    connectionByName: name => choices.find(name),
    readJoinedFile: async (...file) => readJoinedFile(reading, ...file),
    saveFile: savePicture,
    onZoneChosen,
    compareWithFile: async (...comparison) => compareWithFile(reading, ...comparison),
    responses,
    names: createQueryNames({ connections, stores }),
  });
  const activePanel = () => dataFiles.active ?? sessions.active;
  const renamed = (): void => sessions.updateNames();
  const queryDeps = { boundary, connections, sessions, state };
  const sandboxDeps = { connections, sessions, sandbox };
  context.subscriptions.push(
    sessions,
    revisions,
    stores.onDidChange(renamed),
    connections.onDidChange(renamed),
    choices.onDidChange(renamed),
    registerConnectionCommands({
      boundary,
      connections,
      engine,
      sessions,
      history,
      nowAt,
      sandbox,
      clearRejection: endpoints.clearRejection.bind(endpoints),
      test: endpoints.test.bind(endpoints),
      onRenamed: async (connection, oldName) =>
        updateRenamedConnection(connection, oldName, { stores, choices, report }),
      startSandbox: async () => startSandboxConnection(sandboxDeps),
    }),
    registerQueryCommands({ ...queryDeps, nowAt, pricing }),
    registerExportCommands(boundary, () => activePanel() ?? sessions.requireActive(), exporting),
    registerDataFileCommands(boundary, dataFiles),
    registerSandboxCommands({ boundary, ...sandboxDeps }),
    registerLimitCommands(boundary, connections),
    registerArchiveCommands({ boundary, state, archive, clock, folder: folder('archive') }),
    registerBudgetCommands({ boundary, status, activeRuns, sessions, clock, logError }),
    registerConnectionsView({ connections, budgets, activeRuns }),
    registerSavedQueries({
      ...queryDeps,
      choices,
      stores,
      recent: personal.recent,
      engine,
      pricing,
      nowAt,
      clock,
      reports,
      activePanel,
      newId: randomUUID,
      sourceAt: getSource,
      sandbox,
      archive,
      archiveFolder: folder('archive').fsPath,
      getMaxRangeMs: spans.getLimit.bind(spans),
    }),
    registerOpenInNotebook(boundary),
    registerWatchCommands({ boundary, ...watched, choices, connections, nowAt }),
    registerMoveRefresh({ boundary, ...watched, choices, connections }),
    registerAlertCommands({ boundary, ...watched, choices, nowAt, engine, newId: randomUUID }),
    registerWalkthrough({ boundary, connections, runs: personal.recent, state, extensionId: context.extension.id }),
    vscode.commands.registerCommand(commands.showLog, () => logger.show()),
  );
  const allowance = new AgentAllowance({
    path: vscode.Uri.joinPath(folder('agents'), 'agents.json').fsPath,
    clock,
    random: Math.random,
    maxPerHour: maxAgentRequestsPerHour,
  });
  const toolDeps = {
    connections,
    nowAt,
    engine,
    pricing,
    stores,
    readers,
    logError,
    allowance,
    getSource: async (connection: Connection) => endpoints.getSource(connection),
    uriScheme: vscode.env.uriScheme,
  };
  const agentServer = new AgentServer({
    folder: context.globalStorageUri.fsPath,
    createTools: () => createGridTools(toolDeps),
    confirm: confirmAgentRequests,
    clock,
    logError,
  });
  context.subscriptions.push(
    vscode.window.onDidChangeWindowState(({ focused }) => void (focused && agentServer.prefer())),
  );
  return {
    api: createPublicApi({ connections, engine, pricing, nowAt, sessions }),
    panels: sessions,
    tools: languageModelTools({
      connections,
      nowAt,
      engine,
      pricing,
      allowance,
      getSource,
      stores,
      readers,
      logError,
      uriScheme: vscode.env.uriScheme,
    }),
    revisions,
    dataFiles,
    followLink: async uri => followLink(uri, { boundary, connections, choices, sessions, nowAt }),
    end: async () => void (await Promise.all([responses.clear(), agentServer.end()])),
  };
}
