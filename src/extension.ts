import { randomBytes, randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { registerConnectionCommands } from './host/commands/connectionCommands.ts';
import { registerQueryCommands } from './host/commands/queryCommands.ts';
import { registerResultCommands } from './host/commands/resultCommands.ts';
import { registerSandboxCommands, startSandbox } from './host/commands/sandboxCommands.ts';
import { ErrorBoundary } from './host/errorBoundary.ts';
import { commands } from './host/ids.ts';
import { performGeneralAction, performPanelAction } from './host/panel/panelActions.ts';
import { QuerySessions } from './host/panel/querySessions.ts';
import { createPublicApi, type GridDataApi } from './host/publicApi.ts';
import { SandboxHost } from './host/sandboxHost.ts';
import { keyValueStore, outputLogger, secretStore, systemClock as clock } from './host/systemPorts.ts';
import { ApiClient } from './service/apiClient.ts';
import { Connections } from './service/connections.ts';
import { MemoryLimiter } from './service/limiter.ts';
import { QueryRunner } from './service/queryRunner.ts';
import { QueryService } from './service/queryService.ts';

/** The composition root: everything is made and connected here, and nothing else happens. */
export function activate(context: vscode.ExtensionContext): GridDataApi {
  const channel = vscode.window.createOutputChannel('Grid Data', { log: true });
  const logger = outputLogger(channel);
  const logError = (error: unknown): void =>
    logger.error(error instanceof Error ? (error.stack ?? error.message) : String(error));

  const state = keyValueStore(context.globalState);
  const secrets = secretStore(context.secrets);
  const connections = new Connections({ state, secrets, newId: randomUUID });
  const limiter = new MemoryLimiter(clock);
  const client = new ApiClient({ limiter, clock, random: Math.random, logger });
  const runner = new QueryRunner({ client, clock });
  const sandbox = new SandboxHost(logger);
  const service = new QueryService({ connections, runner, sandbox, log: logger });

  const newNonce = (): string => randomBytes(16).toString('base64url');
  const panel = { extensionUri: context.extensionUri, newNonce, logError: (line: string) => logger.error(line) };
  const sessions = new QuerySessions({ service, clock, logError, panel });
  const boundary = new ErrorBoundary({ logError, act: action => void performGeneralAction(action) });
  sessions.onAct((action, session) => {
    performPanelAction(action, session, { sessions, clock }).catch((error: unknown) => void boundary.report(error));
  });

  const sandboxDeps = { connections, sessions, sandbox };
  context.subscriptions.push(
    channel,
    sessions,
    { dispose: () => sandbox.stop() },
    registerConnectionCommands({
      boundary,
      connections,
      runner,
      sessions,
      clock,
      startSandbox: async () => startSandbox(sandboxDeps),
    }),
    registerQueryCommands({ boundary, connections, sessions, state, clock }),
    registerResultCommands({ boundary, sessions }),
    registerSandboxCommands({ boundary, ...sandboxDeps }),
    vscode.commands.registerCommand(commands.showLog, () => channel.show()),
  );
  return createPublicApi({ connections, service, clock });
}
