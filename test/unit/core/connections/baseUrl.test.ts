import assert from 'node:assert/strict';
import { baseUrlProblems, parseBaseUrl, type BaseUrlProblem } from '../../../../src/core/connections/connection.ts';

const accepted: readonly (readonly [string, string, string])[] = [
  ['https://api.example.org', 'https://api.example.org', 'https://api.example.org'],
  ['  https://api.example.org/  ', 'https://api.example.org', 'https://api.example.org'],
  ['HTTPS://API.Example.org:443/Base//', 'https://api.example.org/Base', 'https://api.example.org'],
  ['https://api.example.org:8443/a/../grid/', 'https://api.example.org:8443/grid', 'https://api.example.org:8443'],
  ['https://api.example.org/@people', 'https://api.example.org/@people', 'https://api.example.org'],
  ['https://127.0.0.1.nip.io', 'https://127.0.0.1.nip.io', 'https://127.0.0.1.nip.io'],
  ['https://bücher.example', 'https://xn--bcher-kva.example', 'https://xn--bcher-kva.example'],
  ['http://localhost:8000', 'http://localhost:8000', 'http://localhost:8000'],
  ['http://LOCALHOST/', 'http://localhost', 'http://localhost'],
  ['http://127.0.0.1:80/x', 'http://127.0.0.1/x', 'http://127.0.0.1'],
  ['http://[::1]:9000', 'http://[::1]:9000', 'http://[::1]:9000'],
  ['http://[0:0:0:0:0:0:0:1]', 'http://[::1]', 'http://[::1]'],
  // These are other spellings of the same address. Only the parsed host counts.
  ['http://127.1', 'http://127.0.0.1', 'http://127.0.0.1'],
  ['http://0x7f000001', 'http://127.0.0.1', 'http://127.0.0.1'],
  ['http://2130706433', 'http://127.0.0.1', 'http://127.0.0.1'],
];

const invalidUrls: readonly (readonly [string, BaseUrlProblem])[] = [
  ['', 'empty'],
  ['   ', 'empty'],
  ['api.example.org', 'notUrl'],
  ['https://', 'notUrl'],
  ['https:api.example.org', 'notUrl'],
  ['https:///api.example.org', 'notUrl'],
  ['https:\\\\api.example.org', 'notUrl'],
  ['https://api.example.org\\@evil.example', 'notUrl'],
  ['https://api.exam\nple.org', 'notUrl'],
  ['https://api.example.org/a b', 'notUrl'],
  ['https://api.example\u200b.org', 'notUrl'],
  ['https://api.example.org:99999', 'notUrl'],
  ['ftp://api.example.org', 'scheme'],
  ['file:///etc/passwd', 'scheme'],
  ['javascript:alert(1)', 'scheme'],
  ['localhost:8000', 'scheme'],
  ['http://api.example.org', 'plainHttp'],
  ['http://localhost.evil.example', 'plainHttp'],
  ['http://127.0.0.1.nip.io', 'plainHttp'],
  ['http://0.0.0.0', 'plainHttp'],
  ['http://localhost.', 'plainHttp'],
  ['http://[::ffff:7f00:1]', 'plainHttp'],
  ['http://[::ffff:127.0.0.1]', 'plainHttp'],
  ['http://127.0.0.2', 'plainHttp'],
  ['http://[::]', 'plainHttp'],
  ['http://10.0.0.1', 'plainHttp'],
  ['https://api.example@evil.example', 'credentials'],
  ['https://name:word@api.example.org', 'credentials'],
  ['https://@api.example.org', 'credentials'],
  ['http://localhost@evil.example', 'credentials'],
  ['https://api.example.org?x=1', 'queryOrFragment'],
  ['https://api.example.org/?', 'queryOrFragment'],
  ['https://api.example.org/#', 'queryOrFragment'],
  ['https://evil.example#@api.example.org', 'queryOrFragment'],
  [`https://api.example.org/${'a'.repeat(2048)}`, 'tooLong'],
];

describe('parseBaseUrl', () => {
  for (const [text, baseUrl, origin] of accepted)
    it(`accepts ${JSON.stringify(text)}`, () => {
      assert.deepEqual(parseBaseUrl(text), { ok: true, baseUrl, origin });
    });

  for (const [text, problem] of invalidUrls)
    it(`rejects ${JSON.stringify(text.slice(0, 60))}: ${problem}`, () => {
      assert.deepEqual(parseBaseUrl(text), { ok: false, problem });
    });

  it('returns an accepted base URL unchanged', () => {
    for (const [, baseUrl, origin] of accepted) assert.deepEqual(parseBaseUrl(baseUrl), { ok: true, baseUrl, origin });
  });

  it('has a test case for every problem', () => {
    assert.deepEqual(new Set(invalidUrls.map(([, problem]) => problem)), new Set(baseUrlProblems));
  });
});
