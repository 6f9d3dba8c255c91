import * as v from 'valibot';
import * as vscode from 'vscode';
import { normaliseKey, parseBaseUrl, limitSchema, type Connection } from '../../core/connections/connection.ts';
import { datasets } from '../../core/query/catalogue.ts';
import { InputError } from '../inputError.ts';
import { baseUrlSentence, keySentence, type ConnectionDraft } from './connectionPrompt.ts';

const argumentSchema = v.strictObject({
  name: v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty())),
  baseUrl: v.optional(v.string()),
  key: v.optional(v.string()),
  verify: v.optional(v.boolean(), true),
  limits: v.optional(v.record(v.picklist(datasets.map(({ scope }) => scope)), limitSchema)),
});

export interface ReadConnectionArgument {
  readonly given: Partial<ConnectionDraft>;
  /** Whether the key is tried before it is kept. */
  readonly verify: boolean;
  readonly limits: Connection['limits'];
}

/** Checks the argument of `gridData.addConnection`; what is missing is asked for. Throws InputError, which never holds the key. */
export function readConnectionArgument(argument: unknown): ReadConnectionArgument {
  const parsed = v.safeParse(argumentSchema, argument ?? {});
  if (!parsed.success) {
    throw new InputError(
      vscode.l10n.t(
        'A connection is {name, baseUrl, key, verify, limits}, all of them optional; limits are {scope: {requests, seconds}}.',
      ),
    );
  }
  const { name, baseUrl, key, verify, limits } = parsed.output;
  const given: Partial<ConnectionDraft> = {};
  if (name !== undefined) given.name = name;
  if (baseUrl !== undefined) {
    const address = parseBaseUrl(baseUrl);
    if (!address.ok) throw new InputError(baseUrlSentence(address.why));
    given.baseUrl = address.baseUrl;
  }
  if (key !== undefined) {
    const checked = normaliseKey(key);
    if (!checked.ok) throw new InputError(keySentence(checked.why));
    given.key = checked.key;
  }
  return { given, verify, limits };
}
