import * as vscode from 'vscode';
import { normaliseKey, type KeyProblem } from '../../core/apiKey.ts';
import { parseBaseUrl, type BaseUrlProblem } from '../../core/baseUrl.ts';
import { powerSignals, type Connection } from '../../core/connection.ts';
import { input, pick, walk, type Outcome, type Place, type Step } from './steps.ts';

export interface ConnectionDraft {
  service: Connection['service'];
  baseUrl: string;
  key: string;
  name: string;
}

export interface ConnectionPromptOptions {
  /** What is known already is not asked again. */
  readonly given: Partial<ConnectionDraft>;
  readonly nameIsFree: (name: string, baseUrl: string) => boolean;
}

/** Service → address (only for another service) → key → name. Undefined when the person left; nothing is kept here. */
export async function promptConnection(options: ConnectionPromptOptions): Promise<ConnectionDraft | undefined> {
  const { given } = options;
  const draft: ConnectionDraft = { service: 'other', baseUrl: '', key: '', name: '', ...given };
  const askService: Step = async place => {
    if (given.baseUrl !== undefined) return { kind: 'skip' };
    const outcome = await serviceStep(place);
    if (outcome.kind === 'next') {
      draft.service = outcome.value;
      if (draft.service === 'powerSignals') draft.baseUrl = powerSignals.baseUrl;
    }
    return outcome;
  };
  const askBaseUrl: Step = async place => {
    if (given.baseUrl !== undefined || draft.service !== 'other') return { kind: 'skip' };
    const outcome = await baseUrlStep(place, draft.baseUrl);
    if (outcome.kind === 'next') draft.baseUrl = outcome.value;
    return outcome;
  };
  const askKey: Step = async place => {
    if (given.key !== undefined || draft.service === 'sandbox') return { kind: 'skip' };
    const outcome = await keyStep(place, draft.baseUrl);
    if (outcome.kind === 'next') draft.key = outcome.value;
    return outcome;
  };
  const askName: Step = async place => {
    if (given.name !== undefined || draft.service === 'sandbox') return { kind: 'skip' };
    const outcome = await nameStep(place, draft.name || suggestedName(draft), name =>
      options.nameIsFree(name, draft.baseUrl),
    );
    if (outcome.kind === 'next') draft.name = outcome.value;
    return outcome;
  };
  const done = await walk(vscode.l10n.t('Add Connection'), [askService, askBaseUrl, askKey, askName]);
  return done ? draft : undefined;
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
  isFree: (name: string) => boolean,
): Promise<string | undefined> {
  const outcome = await nameStep({ title, step: 1, total: 1, first: true }, current, isFree);
  return outcome.kind === 'next' ? outcome.value : undefined;
}

async function serviceStep(place: Place): Promise<Outcome<Connection['service']>> {
  const { t } = vscode.l10n;
  const items: (vscode.QuickPickItem & { service: Connection['service'] })[] = [
    { label: t('Sandbox'), description: t('sample data on this machine, no key needed'), service: 'sandbox' },
    { label: 'Power Signals', description: powerSignals.baseUrl, service: 'powerSignals' },
    { label: t('Another URL…'), description: t('a service with the same API'), service: 'other' },
  ];
  const outcome = await pick(place, { placeholder: t('Which service?'), items: () => items });
  return outcome.kind === 'next' ? { kind: 'next', value: outcome.value.service } : outcome;
}

async function baseUrlStep(place: Place, value: string): Promise<Outcome<string>> {
  const outcome = await input(place, {
    prompt: vscode.l10n.t('Base URL of the service, without /api/v1.'),
    placeholder: 'https://api.example.org',
    value,
    validate: typed => {
      const parsed = parseBaseUrl(typed);
      return parsed.ok ? undefined : baseUrlSentence(parsed.why);
    },
  });
  if (outcome.kind !== 'next') return outcome;
  const parsed = parseBaseUrl(outcome.value);
  return { kind: 'next', value: parsed.ok ? parsed.baseUrl : outcome.value };
}

async function keyStep(place: Place, baseUrl: string): Promise<Outcome<string>> {
  const outcome = await input(place, {
    prompt: vscode.l10n.t(
      'API key for {0}. It is kept in your system keychain and sent to this address only.',
      baseUrl,
    ),
    placeholder: vscode.l10n.t('Paste the key'),
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

async function nameStep(place: Place, value: string, isFree: (name: string) => boolean): Promise<Outcome<string>> {
  const { t } = vscode.l10n;
  const outcome = await input(place, {
    prompt: t('Name of the connection.'),
    value,
    validate: typed => {
      if (!typed.trim()) return t('Type a name.');
      return isFree(typed) ? undefined : t('“{0}” is the name of another service; type another name.', typed.trim());
    },
  });
  return outcome.kind === 'next' ? { kind: 'next', value: outcome.value.trim() } : outcome;
}

function suggestedName(draft: ConnectionDraft): string {
  return draft.service === 'powerSignals' ? 'Power Signals' : new URL(draft.baseUrl).host;
}

/** One sentence on why a text is no base URL. */
export function baseUrlSentence(why: BaseUrlProblem): string {
  const { t } = vscode.l10n;
  switch (why) {
    case 'empty':
      return t('Type the base URL, such as https://api.example.org.');
    case 'notUrl':
      return t('This is no URL; type one such as https://api.example.org.');
    case 'scheme':
      return t('The URL must begin with https://.');
    case 'plainHttp':
      return t(
        'http:// would send the key unprotected; use https://, or http:// on this machine (localhost, 127.0.0.1) only.',
      );
    case 'credentials':
      return t('Take the user name and password out of the URL; the key is asked for next.');
    case 'queryOrFragment':
      return t('Take everything from ? or # on out of the URL.');
    case 'tooLong':
      return t('The URL is too long; type the base URL only.');
  }
}

/** One sentence on why a text is no key. It never repeats the text. */
export function keySentence(why: KeyProblem): string {
  const { t } = vscode.l10n;
  switch (why) {
    case 'empty':
      return t('Paste the key; the dashboard shows it once, when it is created.');
    case 'tooShort':
      return t('This is too short to be a key; copy the whole key, not its prefix.');
    case 'tooLong':
      return t('This is too long to be a key; paste the key alone.');
    case 'characters':
      return t('A key has no blanks and no special letters; paste the key alone.');
  }
}
