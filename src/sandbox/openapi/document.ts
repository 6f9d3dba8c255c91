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
      { name: 'data', description: 'Costs requests' },
      { name: 'service', description: 'Without a key' },
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
    description: 'Start of the range, part of it. ISO 8601; without a zone it is UTC.',
  },
  end: {
    name: 'end',
    in: 'query',
    required: true,
    schema: instant,
    description: 'End of the range, no part of it. ISO 8601; without a zone it is UTC.',
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
  const limitText = `Scope ${endpoint.scope}: ${limit === null ? 'no limit' : `${limit} requests in any ${window}`} for a key without limits of its own.`;
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
        createJsonResponse('The hours or days of the range that exist', [name], allowHeader),
      ),
      parameters,
    },
    head: { ...operation('head', `${endpoint.name}, headers alone`, headResponse), parameters },
    options: operation('options', 'The name of the endpoint', createJsonResponse('Its name', ['View'], allowHeader)),
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
  AnyAllow: { description: 'The methods of an endpoint that was reached', schema: { const: 'GET, HEAD, OPTIONS' } },
  Authenticate: { description: 'How to authenticate', required: true, schema: { const: 'X-API-KEY' } },
  RetryAfter: {
    description:
      'Whole seconds until there is room. Left out in one case: a limit lowered below what is in the window already.',
    schema: { type: 'string', pattern: '^[1-9]\\d*$' },
  },
  Vary: {
    description: 'Long bodies are compressed where the client takes it',
    required: true,
    schema: { type: 'string' },
  },
  FaultMet: { description: 'The faults of this response', required: true, schema: { type: 'string' } },
  Fault: {
    description: 'Only with faults switched on: the faults of this response',
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
    'The request is not valid. It costs one request, unless the Host header is no name of this machine.',
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
    'No key, or one that is unknown or revoked. It costs nothing.',
    ['Detail'],
    { ...allowHeader, 'www-authenticate': ref('headers', 'Authenticate') },
    {
      missing: detailExample('Authentication credentials were not provided.'),
      invalid: detailExample('Invalid API key.'),
    },
  ),
  Forbidden: createJsonResponse(
    'The key has no access to this resource, or a web page of another origin asks. It costs nothing.',
    ['Detail', 'CodedError'],
    { allow: ref('headers', 'AnyAllow') },
    { permission: detailExample('You do not have permission to perform this action.') },
  ),
  NotFound: createJsonResponse(
    'There is nothing at this path, such as one with a slash at its end. It costs nothing.',
    ['CodedError'],
  ),
  MethodNotAllowed: createJsonResponse(
    'Another method than those of Allow. It costs one request where a key is needed.',
    ['Detail'],
    allowHeader,
    {
      post: detailExample('Method "POST" not allowed.'),
    },
  ),
  Throttled: createJsonResponse(
    'The limit of the key and scope is reached. A refused request is not counted.',
    ['Detail'],
    { ...allowHeader, 'retry-after': ref('headers', 'RetryAfter') },
    { throttled: detailExample('Request was throttled. Expected available in 42 seconds.') },
  ),
  ServerError: createJsonResponse('The service failed.', ['CodedError'], { allow: ref('headers', 'AnyAllow') }),
  Fault: addHtmlContent(
    createJsonResponse(
      'Only with faults switched on: an error of another status, or the HTML page of a proxy, which comes with any status, ' +
        'those above and 200 as well.',
      ['CodedError'],
      { ...allowHeader, 'x-sandbox-fault': ref('headers', 'FaultMet') },
    ),
  ),
};
