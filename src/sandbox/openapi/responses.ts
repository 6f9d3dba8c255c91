import { ref } from './schemas.ts';
import type { Json } from './schemas.ts';

/** Headers that answers share. */
export const headers: Json = {
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
  FaultMet: { description: 'What this answer was made to meet', required: true, schema: { type: 'string' } },
  Fault: {
    description: 'Only with fault switches on: what this answer was made to meet',
    schema: { type: 'string' },
  },
};

const always = { vary: ref('headers', 'Vary'), 'x-sandbox-fault': ref('headers', 'Fault') };
const allow = { allow: ref('headers', 'Allow') };

/** An answer with a body of one of these shapes. */
export function jsonAnswer(description: string, shapes: readonly string[], more: Json = {}, examples?: Json): Json {
  const [shape, ...others] = shapes.map(name => ref('schemas', name));
  const schema = others.length === 0 ? shape : { oneOf: [shape, ...others] };
  return {
    description,
    headers: { ...always, ...more },
    content: { 'application/json': { schema, ...(examples && { examples }) } },
  };
}

function withPage(answer: Json): Json {
  return { ...answer, content: { ...(answer['content'] as Json), 'text/html': { schema: { type: 'string' } } } };
}

const say = (detail: string) => ({ value: { detail } });
const code = (error: string, detail: string) => ({ value: { error, detail } });

/** What can go wrong, by the names under which the document refers to it. */
export const failures: Json = {
  BadRequest: jsonAnswer(
    'The question cannot be answered. It costs one request, unless the Host header is not that of the service.',
    ['CodedError'],
    { allow: ref('headers', 'AnyAllow') },
    {
      missing_params: code('missing_params', 'start and end datetime are required ISO-8601'),
      unsupported_interval: code('unsupported_interval', "interval=5m not supported. Supported: ['1d', '1h']"),
      invalid_datetime: code('invalid_datetime', 'start/end datetimes must be ISO-8601 datetimes'),
      bad_request: code('bad_request', 'start datetime must be < end datetime'),
    },
  ),
  Unauthorized: jsonAnswer(
    'No key, or one that is unknown or revoked. It costs nothing.',
    ['Detail'],
    { ...allow, 'www-authenticate': ref('headers', 'Authenticate') },
    { missing: say('Authentication credentials were not provided.'), invalid: say('Invalid API key.') },
  ),
  Forbidden: jsonAnswer(
    'The key has no access to this resource, or a web page of another origin asks. It costs nothing.',
    ['Detail', 'CodedError'],
    { allow: ref('headers', 'AnyAllow') },
    { permission: say('You do not have permission to perform this action.') },
  ),
  NotFound: jsonAnswer('There is nothing at this path, such as one with a slash at its end. It costs nothing.', [
    'CodedError',
  ]),
  MethodNotAllowed: jsonAnswer('Another method than those of Allow. It costs one request.', ['Detail'], allow, {
    post: say('Method "POST" not allowed.'),
  }),
  Throttled: jsonAnswer(
    'The limit of the key and scope is reached. A refused request is not counted.',
    ['Detail'],
    { ...allow, 'retry-after': ref('headers', 'RetryAfter') },
    { throttled: say('Request was throttled. Expected available in 42 seconds.') },
  ),
  ServerError: jsonAnswer('The service failed.', ['CodedError'], { allow: ref('headers', 'AnyAllow') }),
  Fault: withPage(
    jsonAnswer(
      'Only with fault switches on: an error of another status, or the HTML page of a proxy, which comes with any status, ' +
        'those above and 200 as well.',
      ['CodedError'],
      { ...allow, 'x-sandbox-fault': ref('headers', 'FaultMet') },
    ),
  ),
};
