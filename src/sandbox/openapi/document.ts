import { endpoints } from '../endpoints.ts';
import type { Endpoint } from '../endpoints.ts';
import type { Limits } from '../scopes.ts';
import { failures, headers, jsonAnswer } from './responses.ts';
import { ref, schemas } from './schemas.ts';
import type { Json } from './schemas.ts';

/** The service described as OpenAPI 3.1: made of the endpoints that serve, so that it cannot tell of others. */
export function openApiDocument(baseUrl: string, limits: Limits, windowMs: number): Json {
  const window = `${windowMs / 1_000} s`;
  return {
    openapi: '3.1.0',
    info: {
      title: 'Grid data API (sandbox)',
      version: '1.0.0',
      description:
        `Read-only electricity-grid data behind API keys, each limited per scope over a rolling window of ${window}. ` +
        'Keys are made and revoked in the dashboard, not here.',
    },
    servers: [{ url: baseUrl }],
    security: [{ apiKey: [] }],
    tags: [
      { name: 'data', description: 'Costs requests' },
      { name: 'service', description: 'Without a key' },
    ],
    paths: {
      ...Object.fromEntries(endpoints.map(endpoint => [endpoint.path, dataPath(endpoint, limits, window)])),
      '/openapi.json': servicePath('openApi', 'This document', {
        description: 'The document',
        headers: { vary: ref('headers', 'Vary') },
        content: { 'application/json': { schema: { type: 'object', required: ['openapi'] } } },
      }),
      '/healthz': servicePath('health', 'Whether the service answers', jsonAnswer('It does', ['Health'])),
    },
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY', description: 'One key per person or service' },
      },
      parameters,
      headers,
      responses: failures,
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
    ...{ name: 'start', in: 'query', required: true, schema: instant },
    description: 'Start of the range, part of it. ISO 8601; without a zone it is UTC.',
  },
  end: {
    ...{ name: 'end', in: 'query', required: true, schema: instant },
    description: 'End of the range, no part of it. ISO 8601; without a zone it is UTC.',
  },
};

function dataPath(endpoint: Endpoint, limits: Limits, window: string): Json {
  const limit = limits[endpoint.scope];
  const own = [
    {
      ...{ name: 'interval', in: 'query', required: false },
      schema: { enum: endpoint.intervals, default: '1h' },
      description: 'How the hours are put together: 1h not at all, 1d by UTC days.',
    },
    ...(endpoint.scope === 'features'
      ? [
          {
            ...{ name: 'components', in: 'query', required: false },
            schema: { enum: ['true', 'false', '1', '0', 'yes', 'no'], default: 'false' },
            description: 'Adds the parts of the index to each record.',
          },
        ]
      : []),
  ];
  const costs = `Scope ${endpoint.scope}: ${limit === null ? 'no limit' : `${limit} requests in any ${window}`} for a key without limits of its own.`;
  const name = endpoint.name.replaceAll(' ', '');
  const answers = (ok: Json) => ({
    '200': ok,
    '400': ref('responses', 'BadRequest'),
    '401': ref('responses', 'Unauthorized'),
    '403': ref('responses', 'Forbidden'),
    '404': ref('responses', 'NotFound'),
    '429': ref('responses', 'Throttled'),
    '500': ref('responses', 'ServerError'),
    default: ref('responses', 'Fault'),
  });
  const allow = { allow: ref('headers', 'Allow') };
  const operation = (id: string, summary: string, ok: Json) => ({
    ...{ operationId: `${id}${name}`, summary, description: costs, tags: ['data'], responses: answers(ok) },
  });
  return {
    parameters: [{ $ref: '#/components/parameters/start' }, { $ref: '#/components/parameters/end' }, ...own],
    get: operation('get', endpoint.name, jsonAnswer('The hours or days of the range that exist', [name], allow)),
    head: operation('head', `${endpoint.name}, headers alone`, {
      description: 'What GET would say',
      headers: { vary: ref('headers', 'Vary'), ...allow },
    }),
    options: operation('options', 'What the endpoint is called', jsonAnswer('Its name', ['View'], allow)),
    'x-other-methods': ref('responses', 'MethodNotAllowed'),
  };
}

function servicePath(operationId: string, summary: string, ok: Json): Json {
  const responses = { '200': ok, '400': ref('responses', 'BadRequest'), '403': ref('responses', 'Forbidden') };
  return { get: { operationId, summary, tags: ['service'], security: [], responses } };
}
