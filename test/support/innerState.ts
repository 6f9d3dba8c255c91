import { Session } from 'node:inspector';
import type { Runtime } from 'node:inspector';

/**
 * Every text in an object, also behind private fields and inside maps, which `util.inspect` does not show: what a debugger
 * would see. Code is left out.
 */
export function innerTexts(value: object): string[] {
  const session = new Session();
  session.connect();
  // What a debugger evaluates sees globals alone.
  const place = '__innerTexts';
  Object.defineProperty(globalThis, place, { value, configurable: true });
  try {
    const root = post(session, 'Runtime.evaluate', { expression: `globalThis.${place}` });
    return textsOf(session, (root as Runtime.EvaluateReturnType).result);
  } finally {
    Reflect.deleteProperty(globalThis, place);
    session.disconnect();
  }
}

const deepest = 12;

function textsOf(session: Session, value: Runtime.RemoteObject, depth = 0): string[] {
  if (value.type === 'string') return [String(value.value)];
  if (value.objectId === undefined || value.type === 'function' || depth > deepest) return [];
  const question = { objectId: value.objectId, ownProperties: true };
  const { result, internalProperties, privateProperties } = post(session, 'Runtime.getProperties', question) as Inner;
  const entries = internalProperties?.filter(({ name }) => name === '[[Entries]]') ?? [];
  return [...result, ...entries, ...(privateProperties ?? [])].flatMap(({ name, value: inner }) =>
    inner && name !== '__proto__' ? [name, ...textsOf(session, inner, depth + 1)] : [name],
  );
}

/** Node's types lack the private fields. */
type Inner = Runtime.GetPropertiesReturnType & { readonly privateProperties?: Runtime.InternalPropertyDescriptor[] };

/** In one thread the inspector answers before `post` returns. */
function post(session: Session, method: string, params: object): unknown {
  let answer: unknown;
  session.post(method, params, (error, result) => {
    if (error) throw error;
    answer = result;
  });
  return answer;
}
