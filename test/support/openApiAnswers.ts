import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';

type Json = Readonly<Record<string, unknown>>;

/** An answer as it came: `body` is undefined where there was none. */
export interface Answered {
  readonly method: string;
  /** With or without a query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string | undefined;
}

const id = 'https://sandbox.example/openapi.json';
// The package is CommonJS: its default export is a level deeper for TypeScript than for Node.
const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void;

/** Holds answers against an OpenAPI 3.1 document: status, headers, media type and body. */
export class OpenApiAnswers {
  readonly #document: Json;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });

  constructor(document: Json) {
    this.#document = document;
    addFormats(this.#ajv);
    this.#ajv.addSchema(document, id);
  }

  /** What the document does not allow, each in a sentence; none for a described answer. */
  faults(answered: Answered): string[] {
    const name = `${answered.method} ${answered.path} ${answered.status}`;
    const pointer = this.#responsePointer(answered);
    if (pointer === undefined) return [`${name} is not described`];
    const response = this.#at(pointer);
    return [...this.#headerFaults(response, pointer, answered), ...this.#bodyFaults(response, pointer, answered)].map(
      fault => `${name}: ${fault}`,
    );
  }

  #responsePointer({ method, path, status, headers }: Answered): readonly string[] | undefined {
    const [bare = ''] = path.split('?');
    const isPage = mediaType(headers) === 'text/html';
    const item = ['paths', bare];
    // A proxy puts its page in the place of any answer.
    if (isPage) return this.#resolve([...item, 'get', 'responses', 'default']);
    if (status === 405) return this.#resolve([...item, 'x-other-methods']);
    if (status === 404) return this.#resolve(['components', 'responses', 'NotFound']);
    const described = this.#resolve([...item, method.toLowerCase(), 'responses', String(status)]);
    // A refusal comes before the question which operation it is.
    return (
      described ??
      this.#resolve([...item, 'get', 'responses', String(status)]) ??
      this.#resolve([...item, 'get', 'responses', 'default'])
    );
  }

  #headerFaults(response: Json, pointer: readonly string[], { headers }: Answered): string[] {
    const described = (response['headers'] ?? {}) as Json;
    return Object.keys(described).flatMap(name => {
      const at = this.#resolve([...pointer, 'headers', name]) ?? [];
      const value = headers.get(name);
      if (value === null) return this.#at(at)['required'] === true ? [`the header ${name} is missing`] : [];
      return this.#schemaFaults([...at, 'schema'], value).map(fault => `the header ${name} ${fault}`);
    });
  }

  #bodyFaults(response: Json, pointer: readonly string[], { method, headers, body }: Answered): string[] {
    if (!('content' in response) || method === 'HEAD')
      return body === undefined || body === '' ? [] : ['a body where none is described'];
    const type = mediaType(headers);
    if (!(type in (response['content'] as Json))) return [`a body of ${type}`];
    let value: unknown;
    try {
      value = type === 'application/json' ? JSON.parse(body ?? '') : body;
    } catch {
      return ['the body is not JSON'];
    }
    return this.#schemaFaults([...pointer, 'content', type, 'schema'], value);
  }

  #schemaFaults(pointer: readonly string[], value: unknown): string[] {
    const reference = `${id}#${pointer.map(part => `/${encodeURIComponent(escape(part))}`).join('')}`;
    const validate = this.#ajv.getSchema(reference) as ValidateFunction | undefined;
    if (!validate) return [`has no schema at ${reference}`];
    if (validate(value)) return [];
    return (validate.errors ?? []).slice(0, 5).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }

  /** The pointer with a reference at its end followed; undefined where there is nothing. */
  #resolve(pointer: readonly string[]): readonly string[] | undefined {
    const value = this.#at(pointer);
    const reference = (value as Json | undefined)?.['$ref'];
    if (typeof reference === 'string') return this.#resolve(reference.split('/').slice(1));
    return (value as Json | undefined) === undefined ? undefined : pointer;
  }

  #at(pointer: readonly string[]): Json {
    let value: unknown = this.#document;
    for (const part of pointer) value = (value as Json | undefined)?.[part];
    return value as Json;
  }
}

function mediaType(headers: Headers): string {
  return headers.get('content-type')?.split(';')[0] ?? 'no type';
}

/** A part of a JSON pointer as it is written. */
function escape(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}
