import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  normaliseKey,
  type KeyProblem,
  parseBaseUrl,
  type BaseUrlProblem,
  powerSignals,
  type Connection,
} from '../../core/connections/connection.ts';
import { sampleDataName } from './connectionMessages.ts';
import { input, nameProblem, pick, askSteps, type StepOutcome, type StepPosition, type Step } from '../prompts.ts';

export interface ConnectionDraft {
  service: Connection['service'];
  baseUrl: string;
  key: string;
  name: string;
}

/** Whether a connection may bear a name; `replaces` where one at the same address has it, whose key is then replaced. */
export type NameState = 'free' | 'replaces' | 'taken';

export interface ConnectionPromptOptions {
  /** What is known already is not asked again. */
  readonly given: Partial<ConnectionDraft>;
  readonly nameState: (name: string, baseUrl: string) => NameState;
}

/** Service → address (only of another service) → key → name (unless it is obvious). Undefined when the person left. */
export async function promptConnection(options: ConnectionPromptOptions): Promise<ConnectionDraft | undefined> {
  const { given } = options;
  const draft: ConnectionDraft = { service: 'other', baseUrl: '', key: '', name: '', ...given };
  const nameState = (name: string): NameState => options.nameState(name, draft.baseUrl);
  // The first key of the documented service: its name is a good one, and can be changed in the view.
  const hasOwnName = (): boolean => draft.service === 'powerSignals' && nameState(powerSignals.name) === 'free';
  const askService: Step = {
    isNeeded: () => given.baseUrl === undefined,
    ask: async place => {
      const outcome = await serviceStep(place);
      if (outcome.kind === 'next') {
        draft.service = outcome.value;
        if (draft.service === 'powerSignals') draft.baseUrl = powerSignals.baseUrl;
      }
      return outcome;
    },
  };
  const askBaseUrl: Step = {
    isNeeded: () => given.baseUrl === undefined && draft.service === 'other',
    ask: async place => {
      const outcome = await baseUrlStep(place, draft.baseUrl);
      if (outcome.kind === 'next') draft.baseUrl = outcome.value;
      return outcome;
    },
  };
  const askKey: Step = {
    isNeeded: () => given.key === undefined && draft.service !== 'sandbox',
    ask: async place => {
      const outcome = await keyStep(place, draft.baseUrl);
      if (outcome.kind === 'next') draft.key = outcome.value;
      return outcome;
    },
  };
  const askName: Step = {
    isNeeded: () => given.name === undefined && draft.service !== 'sandbox' && !hasOwnName(),
    ask: async place => {
      const outcome = await nameStep(place, draft.name || suggestedName(draft, nameState), nameState);
      if (outcome.kind === 'next') draft.name = outcome.value;
      return outcome;
    },
  };
  const done = await askSteps(t('Add Connection'), [askService, askBaseUrl, askKey, askName]);
  if (!done) return undefined;
  return given.name === undefined && hasOwnName() ? { ...draft, name: powerSignals.name } : draft;
}

/** Asks for an address alone. Undefined when the person left. */
export async function promptBaseUrl(title: string, current: string): Promise<string | undefined> {
  const outcome = await baseUrlStep({ title, step: 1, total: 1, first: true }, current);
  return outcome.kind === 'next' ? outcome.value : undefined;
}

/** Asks for a key alone. Undefined when the person left. */
export async function promptKey(title: string, baseUrl: string): Promise<string | undefined> {
  const outcome = await keyStep({ title, step: 1, total: 1, first: true }, baseUrl);
  return outcome.kind === 'next' ? outcome.value : undefined;
}

/** Asks for a name alone. Undefined when the person left. */
export async function promptName(
  title: string,
  current: string,
  nameState: (name: string) => NameState,
): Promise<string | undefined> {
  const outcome = await nameStep({ title, step: 1, total: 1, first: true }, current, nameState);
  return outcome.kind === 'next' ? outcome.value : undefined;
}

async function serviceStep(place: StepPosition): Promise<StepOutcome<Connection['service']>> {
  const items: (vscode.QuickPickItem & { service: Connection['service'] })[] = [
    { label: powerSignals.name, description: powerSignals.baseUrl, service: 'powerSignals' },
    { label: t('Another URL…'), description: t('a service with the same API'), service: 'other' },
    { label: sampleDataName(), description: t('made up on this machine, no key needed'), service: 'sandbox' },
  ];
  const outcome = await pick(place, { placeholder: t('Select a service'), items: () => items });
  return outcome.kind === 'next' ? { kind: 'next', value: outcome.value.service } : outcome;
}

async function baseUrlStep(place: StepPosition, value: string): Promise<StepOutcome<string>> {
  const outcome = await input(place, {
    prompt: t('Base URL of the service, without /api/v1.'),
    placeholder: 'https://api.example.org',
    value,
    validate: typed => {
      const parsed = parseBaseUrl(typed);
      return parsed.ok ? undefined : baseUrlSentence(parsed.why);
    },
  });
  if (outcome.kind !== 'next') return outcome;
  const parsed = parseBaseUrl(outcome.value);
  // Pasted from the documentation with the version's path, which each request adds itself.
  return { kind: 'next', value: (parsed.ok ? parsed.baseUrl : outcome.value).replace(/\/api\/v1(\/.*)?$/, '') };
}

async function keyStep(place: StepPosition, baseUrl: string): Promise<StepOutcome<string>> {
  const outcome = await input(place, {
    prompt: t('API key for {0}. It is kept in VS Code’s secret storage and sent to this address only.', baseUrl),
    placeholder: t('Paste the key'),
    password: true,
    validate: typed => {
      const parsed = normaliseKey(typed);
      return parsed.ok ? undefined : keySentence(parsed.why);
    },
  });
  if (outcome.kind !== 'next') return outcome;
  const parsed = normaliseKey(outcome.value);
  return { kind: 'next', value: parsed.ok ? parsed.key : outcome.value };
}

async function nameStep(
  place: StepPosition,
  value: string,
  nameState: (name: string) => NameState,
): Promise<StepOutcome<string>> {
  const outcome = await input(place, {
    prompt: t('Name of the connection.'),
    value,
    validate: typed => nameProblem(typed) ?? nameRemark(typed.trim(), nameState(typed)),
  });
  return outcome.kind === 'next' ? { kind: 'next', value: outcome.value.trim() } : outcome;
}

function nameRemark(name: string, state: NameState): vscode.InputBoxValidationMessage | undefined {
  const { Info, Error } = vscode.InputBoxValidationSeverity;
  if (state === 'free') return undefined;
  return state === 'taken'
    ? { message: t("A connection '{0}' already exists. Enter another name.", name), severity: Error }
    : {
        message: t("The key of '{0}' will be replaced. Enter another name to keep both.", name),
        severity: Info,
      };
}

/** The service's name, counted on where it is taken, so that Enter alone never replaces a key. */
function suggestedName(draft: ConnectionDraft, nameState: (name: string) => NameState): string {
  const plain = draft.service === 'powerSignals' ? powerSignals.name : new URL(draft.baseUrl).host;
  let [name, suffix] = [plain, 1];
  while (nameState(name) !== 'free') name = `${plain} ${++suffix}`;
  return name;
}

/** One sentence on why a text is no base URL. */
export function baseUrlSentence(why: BaseUrlProblem): string {
  switch (why) {
    case 'empty':
      return t('Enter the base URL, such as https://api.example.org.');
    case 'notUrl':
      return t('Enter a valid URL, such as https://api.example.org.');
    case 'scheme':
      return t('The URL must begin with https://.');
    case 'plainHttp':
      return t(
        'http:// would send the key unprotected; use https://, or http:// on this machine (localhost, 127.0.0.1) only.',
      );
    case 'credentials':
      return t('Remove the user name and password from the URL. You enter the key next.');
    case 'queryOrFragment':
      return t('Remove everything from ? or # onward from the URL.');
    case 'tooLong':
      return t('The URL is too long. Enter only the base URL.');
  }
}

/** One sentence on why a text is no key. It never repeats the text. */
export function keySentence(why: KeyProblem): string {
  switch (why) {
    case 'empty':
      return t('Paste the key. The dashboard shows it only once, when it is created.');
    case 'tooShort':
      return t('This is too short to be a key. Copy the whole key, not only its prefix.');
    case 'tooLong':
      return t('This is too long to be a key. Paste only the key.');
    case 'characters':
      return t('API keys contain no spaces or special characters. Paste only the key.');
  }
}
