import { t } from '@vscode/l10n';
import * as v from 'valibot';
import {
  hasDashboard,
  isSameOrigin,
  limitSchema,
  normalizeKey,
  parseBaseUrl,
  powerSignals,
  type Connection,
} from '../../core/connections/connection.ts';
import { datasets } from '../../core/query/catalogue.ts';
import { getDataKind } from '../../core/query/serviceMeta.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import type { Connections } from '../../service/connections/connections.ts';
import type { QueryEngine } from '../../service/query/queryEngine.ts';
import { InputError } from '../inputError.ts';
import { describeFailure } from '../messages/failures.ts';
import { showErrorMessage, showWarningMessage } from '../messages/messages.ts';
import type { SandboxHost } from '../sandbox/sandboxHost.ts';
import { checkConnection, checkQuery } from './connectionCheck.ts';
import {
  describeBaseUrlProblem,
  describeKeyProblem,
  promptBaseUrl,
  promptConnection,
  promptKey,
  type ConnectionDraft,
  type NameState,
} from './connectionPrompt.ts';
import { openDashboard } from './openDashboard.ts';
import type { Query } from '../../core/query/query.ts';
import type { Result } from '../../shared/result.ts';

const argumentSchema = v.strictObject({
  name: v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty())),
  baseUrl: v.optional(v.string()),
  key: v.optional(v.string()),
  verify: v.optional(v.boolean(), true),
  limits: v.optional(v.record(v.picklist(datasets.map(({ scope }) => scope)), limitSchema)),
});

export interface AddConnectionDeps {
  readonly connections: Connections;
  readonly engine: Pick<QueryEngine, 'runAt'>;
  readonly sessions: { show(query: Query, connection: Connection, result: Result): void };
  /** Adds the test run of a new key to the recent runs. */
  readonly history: { record(query: Query, connection: Connection, result: Result): void };
  readonly nowAt: ConnectionEndpoints['nowAt'];
  /** Clears a remembered rejection of a key that the user enters again. */
  readonly clearRejection: ConnectionEndpoints['clearRejection'];
  readonly sandbox: Pick<SandboxHost, 'dashboardLink'>;
  /** Starts the embedded service, adds its connection and opens Sample Data. */
  readonly startSandbox: () => Promise<unknown>;
}

type Draft = ConnectionDraft & Pick<Connection, 'limits'>;

/** Adds a connection and prompts for what the argument omits. Returns undefined if the user cancels. Throws InputError. */
export async function addConnection(argument: unknown, deps: AddConnectionDeps): Promise<Connection | undefined> {
  const { connections } = deps;
  const { presets: known, verify, limits } = parseArgument(argument);
  const nameState = (name: string, baseUrl: string): NameState => getNameState(connections, name, baseUrl);
  const draft = await promptConnection({ known, nameState });
  if (!draft) return undefined;
  if (draft.service === 'sandbox') {
    await deps.startSandbox();
    return connections.active();
  }
  const checked = validateDraft({ ...draft, limits }, connections);
  if (verify) return testAndAdd(checked, deps);
  await deps.clearRejection(checked);
  return connections.add({ ...checked, state: 'unchecked' });
}

/** Validates the argument of `gridData.addConnection`. Throws InputError, whose message never contains the key. */
function parseArgument(argument: unknown): {
  readonly presets: Partial<ConnectionDraft>;
  readonly verify: boolean;
  readonly limits: Connection['limits'];
} {
  const parsed = v.safeParse(argumentSchema, argument ?? {});
  if (!parsed.success) {
    throw new InputError(
      t(
        'A connection is {name, baseUrl, key, verify, limits}, all of them optional; limits are {scope: {requests, seconds}}.',
      ),
    );
  }
  const { name, baseUrl, key, verify, limits } = parsed.output;
  const presets: Partial<ConnectionDraft> = {};
  if (name !== undefined) presets.name = name;
  if (baseUrl !== undefined) {
    const address = parseBaseUrl(baseUrl);
    if (!address.ok) throw new InputError(describeBaseUrlProblem(address.problem));
    presets.baseUrl = address.baseUrl;
  }
  if (key !== undefined) {
    const checked = normalizeKey(key);
    if (!checked.ok) throw new InputError(describeKeyProblem(checked.problem));
    presets.key = checked.key;
  }
  return { presets, verify, limits };
}

/** A name is never reused for another base URL, not even on this machine: the connection's key would be sent there. */
function getNameState(connections: Connections, name: string, baseUrl: string): NameState {
  const existing = connections.findByName(name);
  if (!existing) return 'free';
  return existing.baseUrl === baseUrl ? 'replaces' : 'taken';
}

/** Sets the service that the base URL belongs to. Throws InputError if another service has the draft's name. */
function validateDraft(draft: Draft, connections: Connections): Draft {
  if (!connections.isNameFree(draft.name, draft.baseUrl))
    throw new InputError(t("'{0}' is the name of another service. Enter another name.", draft.name));
  return { ...draft, service: draft.baseUrl === powerSignals.baseUrl ? 'powerSignals' : 'other' };
}

/** Tests the key with a query. The connection is added unless the service rejects the key or the address looks wrong. */
async function testAndAdd(draft: Draft, deps: AddConnectionDeps): Promise<Connection | undefined> {
  const { connections } = deps;
  await deps.clearRejection(draft);
  const outcome = await checkConnection(draft, deps);
  if (outcome.kind === 'works') {
    const { result } = outcome;
    const data = getDataKind(result.provenance);
    const connection = await connections.add({ ...draft, state: 'works', ...(data && { data }) });
    deps.history.record(checkQuery, connection, result);
    deps.sessions.show(checkQuery, connection, result);
    return connection;
  }
  const sentence = describeFailure(outcome.error)?.sentence ?? '';
  if (outcome.kind === 'refused') return handleRejectedKey(draft, sentence, deps);
  if (outcome.kind === 'notAService') return handleWrongAddress(draft, sentence, deps);
  const connection = await connections.add({ ...draft, state: 'unchecked' });
  void showWarningMessage(t("'{0}' is saved, but its key could not be tested. {1}", connection.name, sentence));
  return connection;
}

async function handleRejectedKey(
  draft: Draft,
  sentence: string,
  deps: AddConnectionDeps,
): Promise<Connection | undefined> {
  const enterKeyButton = t('Enter Another Key');
  const tryAgainButton = t('Try Again');
  const dashboardButton = t('Open Dashboard');
  const selected = await showErrorMessage(
    sentence,
    enterKeyButton,
    tryAgainButton,
    ...(hasDashboard(draft) ? [dashboardButton] : []),
  );
  if (selected === dashboardButton) await openDashboard(draft, deps.sandbox);
  if (selected === undefined) return undefined;
  if (selected === tryAgainButton) return testAndAdd(draft, deps);
  const key = await promptKey(t('Key for {0}', draft.name), draft.baseUrl);
  return key === undefined ? undefined : testAndAdd({ ...draft, key }, deps);
}

async function handleWrongAddress(
  draft: Draft,
  sentence: string,
  deps: AddConnectionDeps,
): Promise<Connection | undefined> {
  const changeAddressButton = t('Change Address');
  const saveButton = t('Save Anyway');
  const selected = await showWarningMessage(sentence, changeAddressButton, saveButton);
  if (selected === saveButton) return deps.connections.add({ ...draft, state: 'unchecked' });
  if (selected !== changeAddressButton) return undefined;
  const baseUrl = await promptBaseUrl(t('Address of {0}', draft.name), draft.baseUrl);
  if (baseUrl === undefined) return undefined;
  // A key is sent only to the origin that it was entered for.
  const isBound = isSameOrigin(baseUrl, draft.baseUrl);
  const key = isBound ? draft.key : await promptKey(t('Key for {0}', draft.name), baseUrl);
  return key === undefined ? undefined : testAndAdd(validateDraft({ ...draft, baseUrl, key }, deps.connections), deps);
}
