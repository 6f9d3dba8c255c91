import { isObject } from './decode/envelope.ts';

/** What the envelope of an answer says of its rows: in a `meta` of its own, or beside them. */
export function serviceMeta(envelope: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const inner = envelope['meta'];
  return isObject(inner) ? inner : envelope;
}

/** Whether the sandbox made the rows up or replays recorded hours, which it says in `meta`; undefined for any other service. */
export function sandboxData(envelope: Readonly<Record<string, unknown>>): 'synthetic' | 'replay' | undefined {
  const { source } = serviceMeta(envelope);
  return source === 'synthetic' || source === 'replay' ? source : undefined;
}
