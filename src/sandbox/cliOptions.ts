import { parseArgs } from 'node:util';

export interface CliOptions {
  readonly port: number;
  readonly seed: number;
  readonly replay: string | undefined;
  readonly windowMs: number;
  readonly json: boolean;
}

/** What the command line asks for; `wrong` holds the sentence for the person. */
export type CliRequest =
  | { readonly kind: 'start'; readonly options: CliOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly sentence: string };

export const usage = `Usage: npm run sandbox -- [options]

Serves the grid data API on 127.0.0.1, with sample data.

  --port N        the port; any free one if left out
  --seed N        of the made-up data, 1 if left out
  --replay FILE   serve the hours of a file exported from the Eskom Data Portal
  --window S      seconds of the rate limits' window, 60 if left out
  --json          print one line: {"url", "key"}
  --help          print this
`;

const known = {
  port: { type: 'string' },
  seed: { type: 'string' },
  replay: { type: 'string' },
  window: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

export function readCliOptions(args: readonly string[]): CliRequest {
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: known,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const type = Object.entries(known).find(([name]) => name === token.name)?.[1].type;
    if (!type) return wrong(`Unknown option ${token.rawName}; --help lists the options.`);
    if (type === 'string' && !token.value) return wrong(`${token.rawName} needs a value; --help lists the options.`);
    if (type === 'boolean' && token.value !== undefined) return wrong(`${token.rawName} takes no value.`);
  }
  if (positionals[0] !== undefined) return wrong(`"${positionals[0]}" is not an option; --help lists the options.`);
  if (values.help) return { kind: 'help' };
  const { replay } = values;
  const port = wholeNumber(values.port ?? '0', 65_535);
  const seed = wholeNumber(values.seed ?? '1', 4_294_967_295);
  const seconds = Number(values.window ?? '60');
  if (port === undefined) return wrong('--port takes a whole number from 0 to 65535.');
  if (seed === undefined) return wrong('--seed takes a whole number from 0 to 4294967295.');
  if (!(seconds > 0 && seconds <= 86_400)) return wrong('--window takes seconds, more than 0 and at most 86400.');
  if (replay !== undefined && values.seed !== undefined)
    return wrong('Give --seed or --replay, not both: a replayed file is not made up.');
  return {
    kind: 'start',
    options: {
      port,
      seed,
      replay: typeof replay === 'string' ? replay : undefined,
      windowMs: seconds * 1000,
      json: values.json === true,
    },
  };
}

function wrong(sentence: string): CliRequest {
  return { kind: 'wrong', sentence };
}

function wholeNumber(text: string | boolean, max: number): number | undefined {
  const value = typeof text === 'string' && /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return value <= max ? value : undefined;
}
