import { gzipSync } from 'node:zlib';
import type { FailureReason } from '../../../../src/core/errors.ts';
import type { TransportOptions } from '../../../../src/service/client/apiClient.ts';
import { head, inTurn, reply, type Answer } from './faultServer.ts';
import { headRead, testKey } from './clientSetUp.ts';

/** One way for a server to fail, and what must come of it. */
export interface Fault {
  readonly name: string;
  readonly answer: Answer;
  readonly reason: FailureReason;
  readonly hits: number;
  readonly detail?: RegExp;
  readonly status?: number;
  readonly transport?: TransportOptions;
  /** When the total time is over: once the request has come, or once the client has read the head of its answer. */
  readonly timeIsOver?: 'asked' | 'headRead';
}

const zipped = gzipSync(JSON.stringify({ data: Array.from({ length: 5_000 }, (_, index) => index * 7.31) }));
const quick: TransportOptions = { idleTimeoutMs: 500 };
const idle: Answer = () => undefined;

function startThen(body: string | Uint8Array, then: Answer, ...headers: string[]): Answer {
  return (socket, hit) => {
    socket.write(head(200, ...headers));
    socket.write(body, () => then(socket, hit));
  };
}

function drip(text: string): Answer {
  return socket => {
    const timer = setInterval(() => socket.write(text), 20);
    socket.on('close', () => clearInterval(timer));
  };
}

/** Once the client has read the head, which a reset would overtake. */
const resetInBody: Answer = (socket, hit) => {
  void headRead().then(() => socket.resetAndDestroy());
  startThen('{"da', idle, 'Content-Length: 99')(socket, hit);
};
const endSoon: Answer = socket => void socket.end();

const broken: readonly Fault[] = [
  {
    name: 'a reset before the headers',
    answer: s => s.resetAndDestroy(),
    reason: 'unreachable',
    hits: 3,
    detail: /^connection broken/,
  },
  {
    name: 'an end before the headers',
    answer: s => s.end(),
    reason: 'unreachable',
    hits: 3,
    detail: /^connection broken/,
  },
  {
    name: 'an end inside the headers',
    answer: s => s.end('HTTP/1.1 200 OK\r\nContent-'),
    reason: 'unreachable',
    hits: 3,
  },
  {
    name: 'a reset inside the body',
    answer: resetInBody,
    reason: 'damagedResponse',
    hits: 3,
    detail: /ended early/,
  },
  {
    name: 'a body shorter than its Content-Length',
    answer: startThen('{"da', endSoon, 'Content-Length: 99'),
    reason: 'damagedResponse',
    hits: 3,
    detail: /ended early/,
  },
  {
    name: 'chunks without an end',
    answer: startThen('4\r\n{"da\r\n', endSoon, 'Transfer-Encoding: chunked'),
    reason: 'damagedResponse',
    hits: 3,
    detail: /ended early/,
  },
  {
    name: 'a cut body that the end of the connection delimits',
    answer: startThen('{"data":[1,', endSoon),
    reason: 'damagedResponse',
    hits: 1,
    detail: /not JSON/,
  },
  {
    name: 'half a gzip stream',
    answer: reply(200, zipped.subarray(0, zipped.length / 2), 'Content-Encoding: gzip'),
    reason: 'damagedResponse',
    hits: 1,
    detail: /not JSON/,
  },
  {
    name: 'garbage labelled gzip',
    answer: reply(200, 'not gzip at all', 'Content-Encoding: gzip'),
    reason: 'damagedResponse',
    hits: 1,
    detail: /decompressed/,
  },
  {
    name: 'garbage labelled br',
    answer: reply(200, 'not brotli at all', 'Content-Encoding: br'),
    reason: 'damagedResponse',
    hits: 1,
    detail: /decompressed/,
  },
  {
    name: 'no HTTP at all',
    answer: s => s.end('220 mail.example ESMTP ready\r\n'),
    reason: 'damagedResponse',
    hits: 1,
    detail: /not HTTP/,
  },
  {
    name: 'an HTML page',
    answer: reply(200, '<!doctype html><p>Sign in</p>'),
    reason: 'damagedResponse',
    hits: 1,
    detail: /not JSON/,
  },
  {
    name: 'an HTML page that quotes the key',
    answer: reply(200, testKey),
    reason: 'damagedResponse',
    hits: 1,
    detail: /not JSON/,
  },
  { name: 'an empty body', answer: reply(200, ''), reason: 'damagedResponse', hits: 1, detail: /empty/ },
  {
    name: 'a 204',
    answer: s => s.end(head(204, 'Connection: close')),
    reason: 'damagedResponse',
    hits: 1,
    detail: /empty/,
  },
  { name: 'NaN', answer: reply(200, '{"data":[NaN]}'), reason: 'damagedResponse', hits: 1, detail: /not JSON/ },
  {
    name: 'Latin-1',
    answer: reply(200, Buffer.from('{"town":"Köln"}', 'latin1')),
    reason: 'damagedResponse',
    hits: 1,
    detail: /UTF-8/,
  },
];

const slow: readonly Fault[] = [
  { name: 'no answer ever', answer: idle, reason: 'timeout', hits: 1, transport: quick },
  {
    name: 'a body that stalls',
    answer: startThen('{"da', idle, 'Content-Length: 99'),
    reason: 'timeout',
    hits: 1,
    transport: quick,
  },
  { name: 'no answer within the total time', answer: idle, reason: 'timeout', hits: 1, timeIsOver: 'asked' },
  {
    name: 'a body that drips for ever',
    answer: startThen('{"da', drip(' '), 'Content-Length: 9999'),
    reason: 'timeout',
    hits: 1,
    timeIsOver: 'headRead',
  },
  {
    name: 'headers that drip for ever',
    answer: (s, hit) => {
      s.write('HTTP/1.1 200 OK\r\n');
      drip('X: y\r\n')(s, hit);
    },
    reason: 'timeout',
    hits: 1,
    timeIsOver: 'asked',
  },
];

const bomb = gzipSync(Buffer.alloc(50 * 2 ** 20));
const statuses: readonly Fault[] = [
  { name: 'a gzip bomb', answer: reply(200, bomb, 'Content-Encoding: gzip'), reason: 'responseTooLarge', hits: 1 },
  {
    name: 'a body too large',
    answer: reply(200, Buffer.alloc(6 * 2 ** 20, 0x20)),
    reason: 'responseTooLarge',
    hits: 1,
  },
  {
    name: '401 with a body too large',
    answer: reply(401, Buffer.alloc(6 * 2 ** 20, 0x20)),
    reason: 'keyRejected',
    hits: 1,
    status: 401,
  },
  {
    name: '400 with a code and a text',
    answer: reply(400, '{"error":"bad_request","detail":"start must be < end"}'),
    reason: 'badRequest',
    hits: 1,
    status: 400,
    detail: /^start must be < end$/,
  },
  {
    name: '400 by field',
    answer: reply(400, '{"start":["This field is required."],"end":["Bad."]}'),
    reason: 'badRequest',
    hits: 1,
    status: 400,
    detail: /^start: This field is required\.; end: Bad\.$/,
  },
  {
    name: '400 that echoes the key',
    answer: reply(400, JSON.stringify({ detail: `bad key ${testKey}${testKey}` })),
    reason: 'badRequest',
    hits: 1,
    status: 400,
    detail: /^bad key \[key\]\[key\]$/,
  },
  { name: '413', answer: reply(413, ''), reason: 'badRequest', hits: 1, status: 413 },
  { name: '414', answer: reply(414, ''), reason: 'badRequest', hits: 1, status: 414 },
  { name: '422', answer: reply(422, '{"error":"no"}'), reason: 'badRequest', hits: 1, status: 422, detail: /^no$/ },
  {
    name: '401',
    answer: reply(401, '{"detail":"Invalid API key."}'),
    reason: 'keyRejected',
    hits: 1,
    status: 401,
    detail: /^Invalid API key\.$/,
  },
  { name: '403', answer: reply(403, '{"detail":"No."}'), reason: 'forbidden', hits: 1, status: 403 },
  { name: '404 with a page', answer: reply(404, '<h1>Not Found</h1>'), reason: 'notFound', hits: 1, status: 404 },
  { name: '405', answer: reply(405, ''), reason: 'notFound', hits: 1, status: 405 },
  { name: '410', answer: reply(410, ''), reason: 'notFound', hits: 1, status: 410 },
  { name: '500', answer: reply(500, '{"detail":"Oops"}'), reason: 'serverError', hits: 1, status: 500 },
  { name: '501', answer: reply(501, ''), reason: 'serverError', hits: 1, status: 501 },
  { name: '502 always', answer: reply(502, '<h1>Bad gateway</h1>'), reason: 'serverError', hits: 3, status: 502 },
  { name: '503 always', answer: reply(503, ''), reason: 'serverError', hits: 3, status: 503 },
  {
    name: '503 that asks to stay away for an hour',
    answer: reply(503, '', 'Retry-After: 3600'),
    reason: 'serverError',
    hits: 1,
    status: 503,
  },
  { name: '504 always', answer: reply(504, ''), reason: 'serverError', hits: 3, status: 504 },
  {
    name: '503 and then 401',
    answer: inTurn(reply(503, ''), reply(401, '')),
    reason: 'keyRejected',
    hits: 2,
    status: 401,
  },
];

/** Every fault of a server that answers; 429, redirects, aborts and unreachable hosts have tests of their own. */
export const faults: readonly Fault[] = [...broken, ...slow, ...statuses];
