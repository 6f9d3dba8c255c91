import { parseArgs } from 'node:util';
import { parseInstant } from '../core/time/instant.ts';
import type { SandboxOptions } from './embedded.ts';
import { parseFaultRules, faultGrammar, faultKinds } from './faults/faultRules.ts';
import { keyNameRule, parseKeyName, parseLimitList, scopes, type Limits } from './keys/scopes.ts';
import type { KeyTerms } from './keys/keyRing.ts';

const faultLines = Object.entries(faultKinds).map(([kind, info]) => {
  const amount = 'amount' in info ? ` (${info.amount.unit}; default ${info.amount.default})` : '';
  return `  ${kind.padEnd(9)} ${info.meaning}${amount}`;
});

/** The text of --help. */
export const usageText = `Usage: npm run sandbox -- [options]
       node dist/grid.js sandbox [options]    in the folder of the installed extension

Serves the grid data API on 127.0.0.1, with sample data.

  --port N        the port; by default any free port
  --seed N        the seed of the generated data and of the faults; default 1
  --replay FILE   serve the hours of a CSV or .xlsx file of the Eskom Data Portal; repeat it for more files
  --shift-to-now  move replayed hours to the present by whole weeks: weekday and hour of day stay
  --now INSTANT   the service's current time, such as 2023-06-15T12:00Z
  --late HOURS    how many hours the newest data is late
  --window S      the window of the rate limits in seconds; default 60
  --limits LIST   the limits of keys without their own, such as normalized_data=100,features=none (no limit)
  --state FOLDER  store keys in this folder; without it they are lost when the sandbox ends
  --key NAME      create a key with this name; by default a key is created only if there is none
  --key-limits L  the limits of that key, such as normalized_data=none,features=denied; denied is a 403
  --faults LIST   allow faults, and begin with these; "none" to begin without; the dashboard switches them
  --no-sign-in    let everybody on this machine open the dashboard without its sign-in link
  --json          print one line: {"url", "dashboard"}, with "key" where one is created, and "dataEnd" where replayed data ends
  --help          print this

Faults are for testing clients: ${faultGrammar}, joined by commas. RATE is the share of the requests; default 1.
SCOPE is ${scopes.join(' or ')}. Each response names its faults in the header X-Sandbox-Fault.

${faultLines.join('\n')}

For example: --faults latency=800@0.2,error=503@0.05/features
`;

export interface CliOptions extends Required<Omit<SandboxOptions, 'clock' | 'randomBytes' | 'timeouts' | 'report'>> {
  readonly json: boolean;
  /** The name of a key to create. */
  readonly keyName: string | undefined;
  /** The scopes and limits of that key, if they differ from the defaults. */
  readonly keyTerms: KeyTerms;
}

/** The parsed command line. `invalid` has a message for the user. */
type CliRequest =
  | { readonly kind: 'start'; readonly options: CliOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'invalid'; readonly message: string };

const optionDefinitions = {
  port: { type: 'string' },
  seed: { type: 'string' },
  replay: { type: 'string', multiple: true },
  'shift-to-now': { type: 'boolean' },
  now: { type: 'string' },
  late: { type: 'string' },
  window: { type: 'string' },
  limits: { type: 'string' },
  state: { type: 'string' },
  key: { type: 'string' },
  'key-limits': { type: 'string' },
  faults: { type: 'string' },
  'no-sign-in': { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

export function parseCliOptions(args: readonly string[]): CliRequest {
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: optionDefinitions,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const seenOptions = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const option = Object.entries(optionDefinitions).find(([name]) => name === token.name)?.[1];
    if (!option) return createInvalidRequest(`Unknown option ${token.rawName}; --help lists the options.`);
    if (seenOptions.has(token.name) && !('multiple' in option))
      return createInvalidRequest(`${token.rawName} can be used only once.`);
    seenOptions.add(token.name);
    const { type } = option;
    if (type === 'string' && !token.value)
      return createInvalidRequest(`${token.rawName} needs a value; --help lists the options.`);
    if (type === 'boolean' && token.value !== undefined)
      return createInvalidRequest(`${token.rawName} takes no value.`);
  }
  if (positionals[0] !== undefined)
    return createInvalidRequest(`"${positionals[0]}" is not an option; --help lists the options.`);
  if (values.help) return { kind: 'help' };
  return parseValues(values);
}

function parseValues(values: Readonly<Record<string, unknown>>): CliRequest {
  const getText = (name: keyof typeof optionDefinitions) =>
    typeof values[name] === 'string' ? values[name] : undefined;
  const nowText = getText('now');
  const faultText = getText('faults');
  const replay = Array.isArray(values['replay']) ? values['replay'].map(String) : undefined;
  const shiftToNow = values['shift-to-now'] === true;
  const port = parseWholeNumber(getText('port') ?? '0', 65_535);
  const seed = parseWholeNumber(getText('seed') ?? '1', 4_294_967_295);
  const delayHours = parseWholeNumber(getText('late') ?? '0', 8_784);
  const seconds = Number(getText('window') ?? '60');
  const now = nowText === undefined ? undefined : parseInstant(nowText);
  const limits = parseLimits(getText('limits'));
  const keyName = parseKeyName(getText('key') ?? '');
  const keyTerms = parseKeyTerms(getText('key-limits'));
  const faults = faultText === undefined ? undefined : parseFaultRules(faultText);
  if (port === undefined) return createInvalidRequest('--port takes a whole number from 0 to 65535.');
  if (seed === undefined) return createInvalidRequest('--seed takes a whole number from 0 to 4294967295.');
  if (delayHours === undefined) return createInvalidRequest('--late takes whole hours, at most 8784.');
  if (!(seconds > 0 && seconds <= 86_400))
    return createInvalidRequest('--window takes seconds, more than 0 and at most 86400.');
  if (nowText !== undefined && now === undefined)
    return createInvalidRequest('--now takes an instant with its zone, such as 2023-06-15T12:00Z.');
  if (typeof limits === 'string') return createInvalidRequest(limits);
  if (getText('key') !== undefined && keyName === undefined)
    return createInvalidRequest(`--key takes a name of ${keyNameRule}.`);
  if (typeof keyTerms === 'string') return createInvalidRequest(keyTerms);
  if (getText('key-limits') !== undefined && getText('key') === undefined)
    return createInvalidRequest('--key-limits needs --key NAME, which creates the key.');
  if (typeof faults === 'string') return createInvalidRequest(`--faults: ${faults}`);
  if (replay !== undefined && values['seed'] !== undefined && faults === undefined)
    return createInvalidRequest(
      'Give --seed or --replay, not both: a replayed file is not made up. With --faults, the seed is theirs.',
    );
  if (shiftToNow && !replay) return createInvalidRequest('--shift-to-now moves the hours of --replay FILE: give both.');
  return {
    kind: 'start',
    options: {
      port,
      seed,
      replay,
      shiftToNow,
      delayHours,
      now,
      limits,
      faults,
      windowMs: seconds * 1000,
      noSignIn: values['no-sign-in'] === true,
      json: values['json'] === true,
      stateFolder: getText('state'),
      keyName,
      keyTerms,
    },
  };
}

/** Returns the parsed text, or an error message if it is invalid. */
function parseLimits(text: string | undefined): Partial<Limits> | string {
  const list = text === undefined ? {} : parseLimitList(text);
  if (!list || Object.values(list).includes('denied'))
    return `--limits takes a whole number or none for ${scopes.join(' and ')}, such as normalized_data=100,features=none.`;
  return list as Partial<Limits>;
}

/** Returns the parsed text, or an error message if it is invalid. */
function parseKeyTerms(text: string | undefined): KeyTerms | string {
  if (text === undefined) return {};
  const list = parseLimitList(text);
  if (!list)
    return `--key-limits takes a whole number, none or denied for ${scopes.join(' and ')}, such as normalized_data=100,features=denied.`;
  const limits = Object.entries(list).filter(([, allowance]) => allowance !== 'denied');
  return { scopes: scopes.filter(scope => list[scope] !== 'denied'), limits: Object.fromEntries(limits) };
}

function createInvalidRequest(message: string): CliRequest {
  return { kind: 'invalid', message };
}

function parseWholeNumber(text: string, max: number): number | undefined {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return value <= max ? value : undefined;
}
