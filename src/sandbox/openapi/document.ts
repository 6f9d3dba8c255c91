import { endpoints, type SandboxRoute } from '../server/endpoints.ts';
import type { Limits } from '../keys/scopes.ts';
import { ref, schemaName, schemas, type Json } from './schemas.ts';

/** Creates the OpenAPI 3.1 document of the service from its endpoints. */
export function createOpenApiDocument(baseUrl: string, limits: Limits, windowMs: number): Json {
  const window = `${windowMs / 1_000} s`;
  return {
    openapi: '3.1.0',
    info: {
      title: 'Grid data API (sandbox)',
      version: '1.0.0',
      description:
        `Read-only electricity-grid data behind API keys, each limited per scope over a rolling window of ${window}. ` +
        'Keys are created and revoked in the dashboard, not here.',
    },
    servers: [{ url: baseUrl }],
    security: [{ apiKey: [] }],
    tags: [
      { name: 'data', description: 'Requests that count toward the rate limits' },
      { name: 'service', description: 'Requests that need no key' },
    ],
    paths: {
      ...Object.fromEntries(endpoints.map(endpoint => [endpoint.path, describeDataPath(endpoint, limits, window)])),
      '/openapi.json': describeServicePath('openApi', 'This document', {
        description: 'The document',
        headers: { vary: ref('headers', 'Vary') },
        content: { 'application/json': { schema: { type: 'object', required: ['openapi'] } } },
      }),
      '/healthz': describeServicePath(
        'health',
        'Whether the service is running',
        createJsonResponse('It is running', ['Health']),
      ),
    },
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY', description: 'One key per person or service' },
      },
      parameters,
      headers,
      responses: errorResponses,
      schemas,
    },
  };
}

const instant = {
  type: 'string',
  format: 'date-time',
  examples: ['2023-01-01T00:00:00Z', '2023-01-01T02:00:00+02:00'],
};

const parameters = {
  start: {
    name: 'start',
    in: 'query',
    required: true,
    schema: instant,
    description: 'Start of the range, inclusive. ISO 8601; UTC if it has no time zone.',
  },
  end: {
    name: 'end',
    in: 'query',
    required: true,
    schema: instant,
    description: 'End of the range, exclusive. ISO 8601; UTC if it has no time zone.',
  },
};

function describeDataPath(endpoint: SandboxRoute, limits: Limits, window: string): Json {
  const limit = limits[endpoint.scope];
  const parameters = [
    { $ref: '#/components/parameters/start' },
    { $ref: '#/components/parameters/end' },
    {
      name: 'interval',
      in: 'query',
      required: false,
      schema: { enum: endpoint.intervals, default: '1h' },
      description: 'The length of a record: 1h, or 1d for UTC days.',
    },
    ...endpoint.params.map(({ name, meaning }) => ({
      name,
      in: 'query',
      required: false,
      schema: { enum: ['true', 'false', '1', '0', 'yes', 'no'], default: 'false' },
      description: meaning,
    })),
  ];
  const limitText = `Scope ${endpoint.scope}: ${limit === null ? 'no limit' : `${limit} requests in any ${window}`} for a key without custom limits.`;
  const name = schemaName(endpoint);
  const createResponses = (ok: Json) => ({
    '200': ok,
    '400': ref('responses', 'BadRequest'),
    '401': ref('responses', 'Unauthorized'),
    '403': ref('responses', 'Forbidden'),
    '404': ref('responses', 'NotFound'),
    '429': ref('responses', 'Throttled'),
    '500': ref('responses', 'ServerError'),
    default: ref('responses', 'Fault'),
  });
  const allowHeader = { allow: ref('headers', 'Allow') };
  const operation = (id: string, summary: string, ok: Json) => ({
    operationId: `${id}${name}`,
    summary,
    description: limitText,
    tags: ['data'],
    responses: createResponses(ok),
  });
  const headResponse = { description: 'The headers of GET', headers: { vary: ref('headers', 'Vary'), ...allowHeader } };
  return {
    get: {
      ...operation(
        'get',
        endpoint.name,
        createJsonResponse('The available hours or days of the range', [name], allowHeader),
      ),
      parameters,
    },
    head: { ...operation('head', `${endpoint.name}, headers only`, headResponse), parameters },
    options: operation('options', 'The name of the endpoint', createJsonResponse('The name', ['View'], allowHeader)),
    'x-other-methods': ref('responses', 'MethodNotAllowed'),
  };
}

function describeServicePath(operationId: string, summary: string, ok: Json): Json {
  const responses = { '200': ok, '400': ref('responses', 'BadRequest'), '403': ref('responses', 'Forbidden') };
  const get = { operationId, summary, tags: ['service'], security: [], responses };
  return { get, 'x-other-methods': ref('responses', 'MethodNotAllowed') };
}

/** The headers that several responses share. */
const headers: Json = {
  Allow: { description: 'The methods of the endpoint', required: true, schema: { const: 'GET, HEAD, OPTIONS' } },
  AnyAllow: {
    description: 'The methods of the endpoint, if the path has one',
    schema: { const: 'GET, HEAD, OPTIONS' },
  },
  Authenticate: { description: 'How to authenticate', required: true, schema: { const: 'X-API-KEY' } },
  RetryAfter: {
    description:
      'Whole seconds until the next request is allowed. Omitted if the limit was lowered below the number of requests in the window.',
    schema: { type: 'string', pattern: '^[1-9]\\d*$' },
  },
  Vary: {
    description: 'Long bodies are compressed if the client accepts it',
    required: true,
    schema: { type: 'string' },
  },
  FaultMet: { description: 'The faults of this response', required: true, schema: { type: 'string' } },
  Fault: {
    description: 'The faults of this response, if faults are enabled',
    schema: { type: 'string' },
  },
};

const commonHeaders = { vary: ref('headers', 'Vary'), 'x-sandbox-fault': ref('headers', 'Fault') };
const allowHeader = { allow: ref('headers', 'Allow') };

/** Describes a response whose body has one of these schemas. */
function createJsonResponse(
  description: string,
  schemaNames: readonly string[],
  extraHeaders: Json = {},
  examples?: Json,
): Json {
  const [schemaRef, ...otherRefs] = schemaNames.map(name => ref('schemas', name));
  const schema = otherRefs.length === 0 ? schemaRef : { oneOf: [schemaRef, ...otherRefs] };
  return {
    description,
    headers: { ...commonHeaders, ...extraHeaders },
    content: { 'application/json': { schema, ...(examples && { examples }) } },
  };
}

function addHtmlContent(response: Json): Json {
  return { ...response, content: { ...(response['content'] as Json), 'text/html': { schema: { type: 'string' } } } };
}

const detailExample = (detail: string) => ({ value: { detail } });
const errorExample = (error: string, detail: string) => ({ value: { error, detail } });

/** The error responses by their name in the document. */
const errorResponses: Json = {
  BadRequest: createJsonResponse(
    'The request is invalid. It counts as one request, unless the Host header does not name this machine.',
    ['CodedError'],
    { allow: ref('headers', 'AnyAllow') },
    {
      missing_params: errorExample('missing_params', 'start and end datetime are required ISO-8601'),
      unsupported_interval: errorExample('unsupported_interval', "interval=5m not supported. Supported: ['1d', '1h']"),
      invalid_datetime: errorExample('invalid_datetime', 'start/end datetimes must be ISO-8601 datetimes'),
      bad_request: errorExample('bad_request', 'start datetime must be < end datetime'),
    },
  ),
  Unauthorized: createJsonResponse(
    'The key is missing, unknown or revoked. The request is not counted.',
    ['Detail'],
    { ...allowHeader, 'www-authenticate': ref('headers', 'Authenticate') },
    {
      missing: detailExample('Authentication credentials were not provided.'),
      invalid: detailExample('Invalid API key.'),
    },
  ),
  Forbidden: createJsonResponse(
    'The key has no access to this resource, or a web page of another origin sent the request. The request is not counted.',
    ['Detail', 'CodedError'],
    { allow: ref('headers', 'AnyAllow') },
    { permission: detailExample('You do not have permission to perform this action.') },
  ),
  NotFound: createJsonResponse(
    'There is no resource at this path. A trailing slash is not allowed. The request is not counted.',
    ['CodedError'],
  ),
  MethodNotAllowed: createJsonResponse(
    'The method is not one of Allow. It counts as one request if the endpoint needs a key.',
    ['Detail'],
    allowHeader,
    {
      post: detailExample('Method "POST" not allowed.'),
    },
  ),
  Throttled: createJsonResponse(
    'The limit of the key and scope is reached. The rejected request is not counted.',
    ['Detail'],
    { ...allowHeader, 'retry-after': ref('headers', 'RetryAfter') },
    { throttled: detailExample('Request was throttled. Expected available in 42 seconds.') },
  ),
  ServerError: createJsonResponse('The service failed.', ['CodedError'], { allow: ref('headers', 'AnyAllow') }),
  Fault: addHtmlContent(
    createJsonResponse(
      'If faults are enabled: an error of another status, or the HTML page of a proxy with any status, including 200.',
      ['CodedError'],
      { ...allowHeader, 'x-sandbox-fault': ref('headers', 'FaultMet') },
    ),
  ),
};
