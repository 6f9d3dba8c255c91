import assert from 'node:assert/strict';
import { logRequest, type ResponseFacts, type RequestRecord } from '../../../../src/service/client/requestLog.ts';

const key = 'not-a-real-key';
const request: RequestRecord = {
  path: '/api/v1/grid/system-state',
  query: [['start', '2023-05-01T00:00:00Z']],
  outcome: 200,
  ms: 12,
  bytes: 345,
  attempt: 1,
};

/** Returns the logged lines of a request, with their levels. */
function logAndCollect(record: RequestRecord & ResponseFacts): string[] {
  const lines: string[] = [];
  const logAt = (level: string) => (line: string) => void lines.push(`${level} ${line}`);
  logRequest({ info: logAt('info'), warn: logAt('warn'), error: logAt('error') }, record, key);
  return lines;
}

describe('logRequest', () => {
  it('logs path, status, time, bytes, rows and budget', () => {
    assert.deepEqual(logAndCollect({ ...request, rows: 1, budget: { left: 9, allowed: 10 } }), [
      'info GET /api/v1/grid/system-state?start=2023-05-01T00:00:00Z 200, 12 ms, 345 bytes, 1 row, budget left 9 of 10',
    ]);
  });

  it('logs the attempt from the second one on', () => {
    assert.doesNotMatch(logAndCollect(request).join(), /attempt/);
    assert.match(logAndCollect({ ...request, attempt: 2 }).join(), /345 bytes, attempt 2$/);
  });

  it('logs a failure as a warning, without the key', () => {
    const [line = ''] = logAndCollect({ ...request, outcome: 300, query: [['api_key', key]] });
    assert.equal(line, 'warn GET /api/v1/grid/system-state?api_key=[key] 300, 12 ms, 345 bytes');
    assert.match(logAndCollect({ ...request, outcome: 'ECONNRESET' }).join(), /^warn .* ECONNRESET,/);
  });
});
