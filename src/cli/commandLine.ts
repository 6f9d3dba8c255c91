import { parseArgs, type ParseArgsConfig } from 'node:util';
import { InputError } from '../host/inputError.ts';

/** The exit codes of all commands. */
export const exitCodes = {
  success: 0,
  failure: 1,
  /** The command line or an input file is invalid. Nothing was sent. */
  usage: 2,
  /** `check` found what it was asked to look for. */
  found: 3,
  /** The result needs more requests than allowed. Nothing was sent. */
  price: 4,
  interrupted: 130,
} as const;

/** Thrown if queries need more requests than allowed. Nothing was sent. */
export class PriceError extends Error {
  constructor(requests: number) {
    super(
      `This needs ${requests} requests. Nothing was sent. Allow them by --max-requests ${requests}, or choose a shorter range.`,
    );
  }
}

type OptionDefinitions = NonNullable<ParseArgsConfig['options']>;

/** The parsed arguments of a command. */
export interface CommandArguments {
  readonly positionals: readonly string[];
  /** Returns the value of an option; undefined if it was not given. */
  readonly text: (name: string) => string | undefined;
  /** Returns all values of an option that may be repeated. */
  readonly texts: (name: string) => readonly string[];
  readonly has: (name: string) => boolean;
}

/** Parses the arguments of a command. Throws InputError with a sentence that names the wrong argument. */
export function parseCommandArguments(args: readonly string[], options: OptionDefinitions): CommandArguments {
  if (args.some(argument => /^--(api-)?key(=|$)/.test(argument)))
    throw new InputError(
      'A key is never an argument, because other users of this machine could read it. Set GRID_DATA_API_KEY, or use --key-file FILE.',
    );
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const read = (name: string): readonly string[] =>
      [values[name] ?? []].flat().filter(value => typeof value === 'string');
    return { positionals, text: name => read(name).at(-1), texts: read, has: name => values[name] === true };
  } catch (error) {
    // The first sentence of Node's messages names the option. The others describe how to pass unusual arguments.
    const [sentence = ''] = (error instanceof Error ? error.message : '').split(/\.\s/);
    throw new InputError(`${sentence.replace(/\.$/, '')}. 'grid --help' lists the options.`);
  }
}

/** Parses a whole number from 0 to 10,000. Throws InputError; returns undefined if the option was not given. */
export function parseCount(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,5}$/.test(text) || Number(text) > 10_000)
    throw new InputError(`--${name} takes a whole number from 0 to 10000.`);
  return Number(text);
}
