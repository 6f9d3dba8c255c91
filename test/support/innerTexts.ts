import { Session } from 'node:inspector';
import type { Runtime } from 'node:inspector';

/**
 * Collects every string in an object, including private fields and map entries, through the inspector protocol, since `util.inspect`
 * does not show them. Functions are skipped.
 */
export function collectInnerTexts(value: object): string[] {
  const session = new Session();
  session.connect();
  // The debugger can evaluate globals only.
  const globalName = '__innerTexts';
  Object.defineProperty(globalThis, globalName, { value, configurable: true });
  try {
    const root = post(session, 'Runtime.evaluate', { expression: `globalThis.${globalName}` });
    return collectTexts(session, (root as Runtime.EvaluateReturnType).result);
  } finally {
    Reflect.deleteProperty(globalThis, globalName);
    session.disconnect();
  }
}

const maxDepth = 12;

function collectTexts(session: Session, value: Runtime.RemoteObject, depth = 0): string[] {
  if (value.type === 'string') return [String(value.value)];
  if (value.objectId === undefined || value.type === 'function' || depth > maxDepth) return [];
  const params = { objectId: value.objectId, ownProperties: true };
  const { result, internalProperties, privateProperties } = post(
    session,
    'Runtime.getProperties',
    params,
  ) as ObjectProperties;
  const entries = internalProperties?.filter(({ name }) => name === '[[Entries]]') ?? [];
  return [...result, ...entries, ...(privateProperties ?? [])].flatMap(({ name, value: inner }) =>
    inner && name !== '__proto__' ? [name, ...collectTexts(session, inner, depth + 1)] : [name],
  );
}

/** The properties of an object; Node's types lack the private ones. */
type ObjectProperties = Runtime.GetPropertiesReturnType & {
  readonly privateProperties?: Runtime.InternalPropertyDescriptor[];
};

/** Calls the inspector, which responds synchronously within the same thread. */
function post(session: Session, method: string, params: object): unknown {
  let response: unknown;
  session.post(method, params, (error, result) => {
    if (error) throw error;
    response = result;
  });
  return response;
}
