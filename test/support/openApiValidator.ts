import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';

type Json = Readonly<Record<string, unknown>>;

/** A received response; `body` is undefined if there was none. */
export interface ReceivedResponse {
  readonly method: string;
  /** The path, with or without a query string. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string | undefined;
}

const id = 'https://sandbox.example/openapi.json';
// The package is CommonJS: its default export is a level deeper for TypeScript than for Node.
const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void;

/** Validates responses against an OpenAPI 3.1 document: status, headers, media type and body. */
export class OpenApiValidator {
  readonly #document: Json;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });

  constructor(document: Json) {
    this.#document = document;
    addFormats(this.#ajv);
    this.#ajv.addSchema(document, id);
  }

  /** Describes each violation of the document; empty for a valid response. */
  findViolations(received: ReceivedResponse): string[] {
    const name = `${received.method} ${received.path} ${received.status}`;
    const pointer = this.#findResponse(received);
    if (pointer === undefined) return [`${name} is not described`];
    const response = this.#at(pointer);
    return [
      ...this.#findHeaderViolations(response, pointer, received),
      ...this.#findBodyViolations(response, pointer, received),
    ].map(fault => `${name}: ${fault}`);
  }

  #findResponse({ method, path, status, headers }: ReceivedResponse): readonly string[] | undefined {
    const [pathOnly = ''] = path.split('?');
    const isPage = mediaType(headers) === 'text/html';
    const item = ['paths', pathOnly];
    // A proxy may replace any response by its HTML page.
    if (isPage) return this.#resolve([...item, 'get', 'responses', 'default']);
    if (status === 405) return this.#resolve([...item, 'x-other-methods']);
    if (status === 404) return this.#resolve(['components', 'responses', 'NotFound']);
    const described = this.#resolve([...item, method.toLowerCase(), 'responses', String(status)]);
    // Some rejections do not depend on the operation, and are described for GET only.
    return (
      described ??
      this.#resolve([...item, 'get', 'responses', String(status)]) ??
      this.#resolve([...item, 'get', 'responses', 'default'])
    );
  }

  #findHeaderViolations(response: Json, pointer: readonly string[], { headers }: ReceivedResponse): string[] {
    const described = (response['headers'] ?? {}) as Json;
    return Object.keys(described).flatMap(name => {
      const headerPointer = this.#resolve([...pointer, 'headers', name]) ?? [];
      const value = headers.get(name);
      if (value === null) return this.#at(headerPointer)['required'] === true ? [`the header ${name} is missing`] : [];
      return this.#findSchemaViolations([...headerPointer, 'schema'], value).map(
        fault => `the header ${name} ${fault}`,
      );
    });
  }

  #findBodyViolations(
    response: Json,
    pointer: readonly string[],
    { method, headers, body }: ReceivedResponse,
  ): string[] {
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
    return this.#findSchemaViolations([...pointer, 'content', type, 'schema'], value);
  }

  #findSchemaViolations(pointer: readonly string[], value: unknown): string[] {
    const reference = `${id}#${pointer.map(part => `/${encodeURIComponent(escape(part))}`).join('')}`;
    const validate = this.#ajv.getSchema(reference) as ValidateFunction | undefined;
    if (!validate) return [`has no schema at ${reference}`];
    if (validate(value)) return [];
    return (validate.errors ?? []).slice(0, 5).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }

  /** Follows a reference at the pointer. Returns undefined if there is no value. */
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

/** Escapes a segment of a JSON pointer. */
function escape(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}
