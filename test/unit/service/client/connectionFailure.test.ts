import assert from 'node:assert/strict';
import { AxiosError } from 'axios';
import { describeConnectionFailure, wasNeverSent } from '../../../../src/service/client/failure.ts';

const hasHead = true;

describe('describeConnectionFailure', () => {
  for (const [code, detail, neverSent] of [
    ['ECONNREFUSED', 'connection refused (ECONNREFUSED)', true],
    ['ENOTFOUND', 'host name not found (ENOTFOUND)', true],
    ['EAI_AGAIN', 'host name not found (EAI_AGAIN)', true],
    ['EHOSTUNREACH', 'no route to the host (EHOSTUNREACH)', true],
    ['CERT_HAS_EXPIRED', 'certificate not trusted (CERT_HAS_EXPIRED)', true],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)', true],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)', true],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate not trusted (ERR_TLS_CERT_ALTNAME_INVALID)', true],
    ['EPROTO', 'no secure connection (EPROTO)', true],
    ['ECONNRESET', 'connection broken (ECONNRESET)', false],
    ['EPIPE', 'connection broken (EPIPE)', false],
    ['ESOMETHING', 'no connection (ESOMETHING)', false],
    ['http://api.example.invalid/?key=x', 'no connection', false],
    [undefined, 'no connection', false],
  ] as const)
    it(`explains ${code}: ${detail}`, () => {
      const error = new AxiosError('connect to 127.0.0.1 with secrets', code);
      assert.deepEqual(describeConnectionFailure(error, !hasHead), { reason: 'unreachable', detail });
      assert.equal(wasNeverSent(error), neverSent);
    });

  for (const [code, detail] of [
    ['ECONNRESET', 'the response ended early'],
    ['ERR_BAD_RESPONSE', 'the response ended early'],
    ['ERR_STREAM_PREMATURE_CLOSE', 'the response ended early'],
    ['Z_DATA_ERROR', 'the response could not be decompressed'],
    ['ERR__ERROR_FORMAT_PADDING_2', 'the response could not be decompressed'],
    ['HPE_INVALID_CHUNK_SIZE', 'the response is not HTTP'],
  ] as const)
    it(`explains ${code} inside the body: ${detail}`, () => {
      assert.deepEqual(describeConnectionFailure(new AxiosError('failed', code), hasHead), {
        reason: 'damagedResponse',
        detail,
      });
    });
});
