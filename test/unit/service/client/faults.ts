import { gzipSync } from 'node:zlib';
import type { FailureReason } from '../../../../src/core/errors.ts';
import type { TransportOptions } from '../../../../src/service/client/apiClient.ts';
import { head, respondInTurn, reply, type Responder } from './faultServer.ts';
import { headRead, testKey } from './clientSetUp.ts';

/** A failure of a server, and the expected result. */
export interface Fault {
  readonly name: string;
  readonly respond: Responder;
  readonly reason: FailureReason;
  readonly hits: number;
  readonly detail?: RegExp;
  readonly status?: number;
  readonly transport?: TransportOptions;
  /** When the total timeout elapses: once the request was received, or once the client has read the head. */
  readonly timeIsOver?: 'asked' | 'headRead';
}

const zipped = gzipSync(JSON.stringify({ data: Array.from({ length: 5_000 }, (_, index) => index * 7.31) }));
const quick: TransportOptions = { idleTimeoutMs: 500 };
const keepIdle: Responder = () => undefined;

function startThen(body: string | Uint8Array, then: Responder, ...headers: string[]): Responder {
  return (socket, requestNumber) => {
    socket.write(head(200, ...headers));
    socket.write(body, () => then(socket, requestNumber));
  };
}

function sendSlowly(text: string): Responder {
  return socket => {
    const timer = setInterval(() => socket.write(text), 20);
    socket.on('close', () => clearInterval(timer));
  };
}

/** The client must have read the head, which a reset would overtake. */
const resetInBody: Responder = (socket, requestNumber) => {
  void headRead().then(() => socket.resetAndDestroy());
  startThen('{"da', keepIdle, 'Content-Length: 99')(socket, requestNumber);
};
const endSoon: Responder = socket => void socket.end();

const broken: readonly Fault[] = [
  {
    name: 'a reset before the headers',
    respond: s => s.resetAndDestroy(),
    reason: 'unreachable',
    hits: 3,
    detail: /^connection broken/,
  },
  {
    name: 'an end before the headers',
    respond: s => s.end(),
    reason: 'unreachable',
    hits: 3,
    detail: /^connection broken/,
  },
  {
    name: 'an end inside the headers',
    respond: s => s.end('HTTP/1.1 200 OK\r\nContent-'),
    reason: 'unreachable',
    hits: 3,
  },
  {
    name: 'a reset inside the body',
    respond: resetInBody,
    reason: 'damagedResponse',
    hits: 3,
    detail: /ended early/,
  },
  {
    name: 'a body shorter than its Content-Length',
    respond: startThen('{"da', endSoon, 'Content-Length: 99'),
    reason: 'damagedResponse',
    hits: 3,
    detail: /ended early/,
  },
  {
    name: 'chunks without an end',
    respond: startThen('4\r\n{"da\r\n', endSoon, 'Transfer-Encoding: chunked'),
    reason: 'damagedResponse',
    hits: 3,
    detail: /ended early/,
  },
  {
    name: 'a cut body that the end of the connection delimits',
    respond: startThen('{"data":[1,', endSoon),
    reason: 'damagedResponse',
    hits: 1,
    detail: /not JSON/,
  },
  {
    name: 'half a gzip stream',
    respond: reply(200, zipped.subarray(0, zipped.length / 2), 'Content-Encoding: gzip'),
    reason: 'damagedResponse',
    hits: 1,
    detail: /not JSON/,
  },
  {
    name: 'garbage labelled gzip',
    respond: reply(200, 'not gzip at all', 'Content-Encoding: gzip'),
    reason: 'damagedResponse',
    hits: 1,
    detail: /decompressed/,
  },
  {
    name: 'garbage labelled br',
    respond: reply(200, 'not brotli at all', 'Content-Encoding: br'),
    reason: 'damagedResponse',
    hits: 1,
    detail: /decompressed/,
  },
  {
    name: 'no HTTP at all',
    respond: s => s.end('220 mail.example ESMTP ready\r\n'),
    reason: 'damagedResponse',
    hits: 1,
    detail: /not HTTP/,
  },
  {
    name: 'an HTML page',
    respond: reply(200, '<!doctype html><p>Sign in</p>'),
    reason: 'damagedResponse',
    hits: 1,
    detail: /not JSON/,
  },
  {
    name: 'an HTML page that quotes the key',
    respond: reply(200, testKey),
    reason: 'damagedResponse',
    hits: 1,
    detail: /not JSON/,
  },
  { name: 'an empty body', respond: reply(200, ''), reason: 'damagedResponse', hits: 1, detail: /empty/ },
  {
    name: 'a 204',
    respond: s => s.end(head(204, 'Connection: close')),
    reason: 'damagedResponse',
    hits: 1,
    detail: /empty/,
  },
  { name: 'NaN', respond: reply(200, '{"data":[NaN]}'), reason: 'damagedResponse', hits: 1, detail: /not JSON/ },
  {
    name: 'Latin-1',
    respond: reply(200, Buffer.from('{"town":"Köln"}', 'latin1')),
    reason: 'damagedResponse',
    hits: 1,
    detail: /UTF-8/,
  },
];

const slow: readonly Fault[] = [
  { name: 'no answer ever', respond: keepIdle, reason: 'timeout', hits: 1, transport: quick },
  {
    name: 'a body that stalls',
    respond: startThen('{"da', keepIdle, 'Content-Length: 99'),
    reason: 'timeout',
    hits: 1,
    transport: quick,
  },
  { name: 'no answer within the total time', respond: keepIdle, reason: 'timeout', hits: 1, timeIsOver: 'asked' },
  {
    name: 'a body that drips for ever',
    respond: startThen('{"da', sendSlowly(' '), 'Content-Length: 9999'),
    reason: 'timeout',
    hits: 1,
    timeIsOver: 'headRead',
  },
  {
    name: 'headers that drip for ever',
    respond: (s, requestNumber) => {
      s.write('HTTP/1.1 200 OK\r\n');
      sendSlowly('X: y\r\n')(s, requestNumber);
    },
    reason: 'timeout',
    hits: 1,
    timeIsOver: 'asked',
  },
];

const bomb = gzipSync(Buffer.alloc(50 * 2 ** 20));
const statuses: readonly Fault[] = [
  { name: 'a gzip bomb', respond: reply(200, bomb, 'Content-Encoding: gzip'), reason: 'responseTooLarge', hits: 1 },
  {
    name: 'a body too large',
    respond: reply(200, Buffer.alloc(6 * 2 ** 20, 0x20)),
    reason: 'responseTooLarge',
    hits: 1,
  },
  {
    name: '401 with a body too large',
    respond: reply(401, Buffer.alloc(6 * 2 ** 20, 0x20)),
    reason: 'keyRejected',
    hits: 1,
    status: 401,
  },
  {
    name: '400 with a code and a text',
    respond: reply(400, '{"error":"bad_request","detail":"start must be < end"}'),
    reason: 'badRequest',
    hits: 1,
    status: 400,
    detail: /^start must be < end$/,
  },
  {
    name: '400 by field',
    respond: reply(400, '{"start":["This field is required."],"end":["Bad."]}'),
    reason: 'badRequest',
    hits: 1,
    status: 400,
    detail: /^start: This field is required\.; end: Bad\.$/,
  },
  {
    name: '400 that echoes the key',
    respond: reply(400, JSON.stringify({ detail: `bad key ${testKey}${testKey}` })),
    reason: 'badRequest',
    hits: 1,
    status: 400,
    detail: /^bad key \[key\]\[key\]$/,
  },
  { name: '413', respond: reply(413, ''), reason: 'badRequest', hits: 1, status: 413 },
  { name: '414', respond: reply(414, ''), reason: 'badRequest', hits: 1, status: 414 },
  { name: '422', respond: reply(422, '{"error":"no"}'), reason: 'badRequest', hits: 1, status: 422, detail: /^no$/ },
  {
    name: '401',
    respond: reply(401, '{"detail":"Invalid API key."}'),
    reason: 'keyRejected',
    hits: 1,
    status: 401,
    detail: /^Invalid API key\.$/,
  },
  { name: '403', respond: reply(403, '{"detail":"No."}'), reason: 'forbidden', hits: 1, status: 403 },
  { name: '404 with a page', respond: reply(404, '<h1>Not Found</h1>'), reason: 'notFound', hits: 1, status: 404 },
  { name: '405', respond: reply(405, ''), reason: 'notFound', hits: 1, status: 405 },
  { name: '410', respond: reply(410, ''), reason: 'notFound', hits: 1, status: 410 },
  { name: '500', respond: reply(500, '{"detail":"Oops"}'), reason: 'serverError', hits: 1, status: 500 },
  { name: '501', respond: reply(501, ''), reason: 'serverError', hits: 1, status: 501 },
  { name: '502 always', respond: reply(502, '<h1>Bad gateway</h1>'), reason: 'serverError', hits: 3, status: 502 },
  { name: '503 always', respond: reply(503, ''), reason: 'serverError', hits: 3, status: 503 },
  {
    name: '503 that asks to stay away for an hour',
    respond: reply(503, '', 'Retry-After: 3600'),
    reason: 'serverError',
    hits: 1,
    status: 503,
  },
  { name: '504 always', respond: reply(504, ''), reason: 'serverError', hits: 3, status: 504 },
  {
    name: '503 and then 401',
    respond: respondInTurn(reply(503, ''), reply(401, '')),
    reason: 'keyRejected',
    hits: 2,
    status: 401,
  },
];

/** All failures of a server that responds. 429, redirects, aborts and unreachable hosts have separate tests. */
export const faults: readonly Fault[] = [...broken, ...slow, ...statuses];
