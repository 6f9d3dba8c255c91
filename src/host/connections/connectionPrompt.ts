import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  normalizeKey,
  type KeyProblem,
  parseBaseUrl,
  type BaseUrlProblem,
  powerSignals,
  type Connection,
} from '../../core/connections/connection.ts';
import { sampleDataName } from './connectionMessages.ts';
import { runStep, runSteps, input, describeNameProblem, pick, storeOutcome } from '../messages/prompts.ts';
import type { PromptStep, StepOutcome, StepPosition } from '../messages/prompts.ts';

export interface ConnectionDraft {
  service: Connection['service'];
  baseUrl: string;
  key: string;
  name: string;
}

/** Whether a name is available. `replaces`: a connection with the same base URL has this name, and its key would be replaced. */
export type NameState = 'free' | 'replaces' | 'taken';

export interface ConnectionPromptOptions {
  /** The values that are already known; their steps are skipped. */
  readonly known: Partial<ConnectionDraft>;
  readonly nameState: (name: string, baseUrl: string) => NameState;
}

/**
 * Prompts for the service, its base URL (only for another service), the key and the name (unless the default is free). Returns undefined if
 * the user cancels.
 */
export async function promptConnection(options: ConnectionPromptOptions): Promise<ConnectionDraft | undefined> {
  const { known } = options;
  const draft: ConnectionDraft = { service: 'other', baseUrl: '', key: '', name: '', ...known };
  const nameState = (name: string): NameState => options.nameState(name, draft.baseUrl);
  // The first connection to the documented service gets the service's name, which can be changed in the view.
  const usesDefaultName = (): boolean => draft.service === 'powerSignals' && nameState(powerSignals.name) === 'free';
  const serviceStep: PromptStep = {
    isNeeded: () => known.baseUrl === undefined,
    prompt: async position =>
      storeOutcome(pickService(position), ({ service }) => {
        draft.service = service;
        if (service === 'powerSignals') draft.baseUrl = powerSignals.baseUrl;
      }),
  };
  const baseUrlStep: PromptStep = {
    isNeeded: () => known.baseUrl === undefined && draft.service === 'other',
    prompt: async position => storeOutcome(inputBaseUrl(position, draft.baseUrl), value => (draft.baseUrl = value)),
  };
  const keyStep: PromptStep = {
    isNeeded: () => known.key === undefined && draft.service !== 'sandbox',
    prompt: async position => storeOutcome(inputKey(position, draft.baseUrl), value => (draft.key = value)),
  };
  const nameStep: PromptStep = {
    isNeeded: () => known.name === undefined && draft.service !== 'sandbox' && !usesDefaultName(),
    prompt: async position => {
      const suggested = draft.name || suggestName(draft, nameState);
      return storeOutcome(inputName(position, suggested, nameState), value => (draft.name = value));
    },
  };
  const done = await runSteps(t('Add Connection'), [serviceStep, baseUrlStep, keyStep, nameStep]);
  if (!done) return undefined;
  return known.name === undefined && usesDefaultName() ? { ...draft, name: powerSignals.name } : draft;
}

/** Prompts for a base URL. Returns undefined if the user cancels. */
export async function promptBaseUrl(title: string, current: string): Promise<string | undefined> {
  return runStep(title, async position => inputBaseUrl(position, current));
}

/** Prompts for a key. Returns undefined if the user cancels. */
export async function promptKey(title: string, baseUrl: string): Promise<string | undefined> {
  return runStep(title, async position => inputKey(position, baseUrl));
}

/** Prompts for a name. Returns undefined if the user cancels. */
export async function promptName(
  title: string,
  current: string,
  nameState: (name: string) => NameState,
): Promise<string | undefined> {
  return runStep(title, async position => inputName(position, current, nameState));
}

type ServiceItem = vscode.QuickPickItem & Pick<Connection, 'service'>;

async function pickService(position: StepPosition): Promise<StepOutcome<ServiceItem>> {
  const items: ServiceItem[] = [
    { label: powerSignals.name, description: powerSignals.baseUrl, service: 'powerSignals' },
    { label: t('Another URL…'), description: t('a service with the same API'), service: 'other' },
    { label: sampleDataName(), description: t('simulated on this machine, no key needed'), service: 'sandbox' },
  ];
  return pick(position, { placeholder: t('Select a service'), items: () => items });
}

async function inputBaseUrl(position: StepPosition, value: string): Promise<StepOutcome<string>> {
  const outcome = await input(position, {
    prompt: t('Base URL of the service, without /api/v1.'),
    placeholder: 'https://api.example.org',
    value,
    validate: typed => {
      const parsed = parseBaseUrl(typed);
      return parsed.ok ? undefined : describeBaseUrlProblem(parsed.problem);
    },
  });
  if (outcome.kind !== 'next') return outcome;
  const parsed = parseBaseUrl(outcome.value);
  // A URL from the documentation ends with the version's path, which each request adds itself.
  return { kind: 'next', value: (parsed.ok ? parsed.baseUrl : outcome.value).replace(/\/api\/v1(\/.*)?$/, '') };
}

async function inputKey(position: StepPosition, baseUrl: string): Promise<StepOutcome<string>> {
  const outcome = await input(position, {
    prompt: t('API key for {0}. It is stored in VS Code’s secret storage and sent only to this address.', baseUrl),
    placeholder: t('Paste the key'),
    password: true,
    validate: typed => {
      const parsed = normalizeKey(typed);
      return parsed.ok ? undefined : describeKeyProblem(parsed.problem);
    },
  });
  if (outcome.kind !== 'next') return outcome;
  const parsed = normalizeKey(outcome.value);
  return { kind: 'next', value: parsed.ok ? parsed.key : outcome.value };
}

async function inputName(
  position: StepPosition,
  value: string,
  nameState: (name: string) => NameState,
): Promise<StepOutcome<string>> {
  const outcome = await input(position, {
    prompt: t('Name of the connection.'),
    value,
    validate: typed => describeNameProblem(typed) ?? describeNameState(typed.trim(), nameState(typed)),
  });
  return outcome.kind === 'next' ? { kind: 'next', value: outcome.value.trim() } : outcome;
}

function describeNameState(name: string, state: NameState): vscode.InputBoxValidationMessage | undefined {
  const { Info, Error } = vscode.InputBoxValidationSeverity;
  if (state === 'free') return undefined;
  return state === 'taken'
    ? { message: t("A connection '{0}' already exists. Enter another name.", name), severity: Error }
    : { message: t("The key of '{0}' will be replaced. Enter another name to keep both.", name), severity: Info };
}

/** Returns the service's name, with a number if it is already used, so that pressing Enter never replaces a key. */
function suggestName(draft: ConnectionDraft, nameState: (name: string) => NameState): string {
  const plain = draft.service === 'powerSignals' ? powerSignals.name : new URL(draft.baseUrl).host;
  let name = plain;
  let suffix = 1;
  while (nameState(name) !== 'free') name = `${plain} ${++suffix}`;
  return name;
}

/** Explains why a text is not a valid base URL. */
export function describeBaseUrlProblem(problem: BaseUrlProblem): string {
  const sentences: Readonly<Record<BaseUrlProblem, string>> = {
    empty: t('Enter the base URL, such as https://api.example.org.'),
    notUrl: t('Enter a valid URL, such as https://api.example.org.'),
    scheme: t('The URL must begin with https://.'),
    plainHttp: t(
      'http:// would send the key unprotected; use https://, or http:// on this machine (localhost, 127.0.0.1) only.',
    ),
    credentials: t('Remove the user name and password from the URL. You enter the key next.'),
    queryOrFragment: t('Remove everything from ? or # onward from the URL.'),
    tooLong: t('The URL is too long. Enter only the base URL.'),
  };
  return sentences[problem];
}

/** Explains why a text is not a valid key. The message never repeats the text. */
export function describeKeyProblem(problem: KeyProblem): string {
  const sentences: Readonly<Record<KeyProblem, string>> = {
    empty: t('Paste the key. The dashboard shows it only once, when it is created.'),
    tooShort: t('This is too short to be a key. Copy the whole key, not only its prefix.'),
    tooLong: t('This is too long to be a key. Paste only the key.'),
    characters: t('API keys contain no spaces or special characters. Paste only the key.'),
  };
  return sentences[problem];
}
