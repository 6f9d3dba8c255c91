import * as nodeFs from 'node:fs/promises';
import {
  getKeyPrefix,
  normalizeKey,
  parseBaseUrl,
  powerSignals,
  type Connection,
} from '../core/connections/connection.ts';
import type { SecretStore } from '../core/ports.ts';
import { InputError } from '../host/inputError.ts';
import { readRegularTextFile } from '../service/files/regularFile.ts';
import type { CommandArguments } from './commandLine.ts';

/** The service of a command and its key; without a key, only archived rows can be read. */
export interface CliConnection {
  readonly connection: Connection;
  readonly secrets: SecretStore;
}

export const connectionOptions = { url: { type: 'string' }, 'key-file': { type: 'string' } } as const;

/**
 * Reads the service from --url or GRID_DATA_URL (Power Signals by default), and the key from --key-file or GRID_DATA_API_KEY. Removes the key
 * from `variables`, so that no child process inherits it. Throws InputError.
 */
export async function readConnection(
  options: Pick<CommandArguments, 'text'>,
  variables: NodeJS.ProcessEnv,
): Promise<CliConnection> {
  const parsed = parseBaseUrl(options.text('url') ?? variables['GRID_DATA_URL'] ?? powerSignals.baseUrl);
  if (!parsed.ok)
    throw new InputError(
      "Invalid address of the service. Use https, such as https://api.example.org, or http://127.0.0.1:8099 for this machine; without user, '?' or '#'.",
    );
  const key = await readKey(options.text('key-file'), variables);
  const { baseUrl, origin } = parsed;
  const isPowerSignals = baseUrl === powerSignals.baseUrl;
  const connection: Connection = {
    id: 'command-line',
    name: isPowerSignals ? powerSignals.name : new URL(origin).host,
    service: isPowerSignals ? 'powerSignals' : 'other',
    baseUrl,
    keyPrefix: key === undefined ? '' : getKeyPrefix(key),
    state: 'unchecked',
  };
  const refuse = async (): Promise<void> => Promise.reject(new Error('The command line stores no key.'));
  return { connection, secrets: { get: async () => Promise.resolve(key), store: refuse, delete: refuse } };
}

async function readKey(file: string | undefined, variables: NodeJS.ProcessEnv): Promise<string | undefined> {
  const text = file === undefined ? variables['GRID_DATA_API_KEY'] : await readKeyFile(file);
  delete variables['GRID_DATA_API_KEY'];
  if (text === undefined || text === '') return undefined;
  const result = normalizeKey(text);
  // The message never contains the text, which may be a mistyped key.
  if (!result.ok)
    throw new InputError('The key is invalid: a key has 8 to 256 characters, without spaces or special characters.');
  return result.key;
}

const maxKeyFileBytes = 1_000;

async function readKeyFile(file: string): Promise<string> {
  const text = await readRegularTextFile(file, maxKeyFileBytes, nodeFs).catch(() => undefined);
  if (text === undefined)
    throw new InputError('--key-file needs the path of a small text file that contains only the key.');
  // Windows has no such mode; there, the user's profile folder is private.
  if (process.platform !== 'win32' && ((await nodeFs.stat(file)).mode & 0o077) !== 0)
    throw new InputError("Other users can read the key file. Run 'chmod 600' on it.");
  return text;
}
