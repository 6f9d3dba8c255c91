import assert from 'node:assert/strict';
import { GridError } from '../../../../src/core/errors.ts';
import { Connections } from '../../../../src/service/connections/connections.ts';
import { excelLimits, ExcelLimitError } from '../../../../src/service/export/excelLimits.ts';
import { ConnectionEndpoints } from '../../../../src/service/connections/connectionEndpoints.ts';
import { QueryEngine } from '../../../../src/service/query/queryEngine.ts';
import { exportFormats } from '../../../../src/shared/exportOptions.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import { maxReplyLength } from '../../../../src/core/summary/modelText.ts';
import { summarize } from '../../core/summary/results.ts';
import { ResponseFetcher } from '../../../../src/service/client/responseFetcher.ts';
import { ResponseReader } from '../../../../src/service/client/responseReader.ts';
import { ReaderProcesses } from '../../../../src/service/reader/readerProcess.ts';
import { jsonChunks } from '../../../../src/host/export/exportContent.ts';
import { ResponseStore } from '../../../../src/service/client/responseStore.ts';
import type { Result } from '../../../../src/shared/result.ts';
import { hostileResponses } from '../../../hostile/responses.ts';
import { sendJson, startCannedService, type CannedService } from '../../../support/cannedService.ts';
import { createTestArchive, type TestArchive } from '../archive/archiveSetUp.ts';
import { setUpClient, testKey } from '../client/clientSetUp.ts';
import { exportToBytes } from '../export/anyFrame.ts';
import { GridWorld } from '../gridWorld.ts';
import { FakeSecrets, FakeState } from '../storeFakes.ts';
import { realClock } from '../../../support/realClock.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';

describe('a run with a hostile response', () => {
  const readers = new ReaderProcesses();
  const reader = new ResponseReader(readers);
  const world = new GridWorld('2023-06-01T12:00:00Z');
  let body = '';
  let service: CannedService;
  let test: TestArchive;
  let store: ResponseStore;

  before(async () => {
    service = await startCannedService((_, response) => sendJson(response, 200, body));
    let ids = 0;
    const folder = createTemporaryFolder();
    store = new ResponseStore({ folder, newId: () => `${++ids}`, logger: console, clock: realClock });
  });
  after(async () => {
    await service.close();
    readers.dispose();
    await store.clear();
  });

  // Each run needs a separate series, since hours that were requested in the same second are not requested again.
  beforeEach(() => void (test = createTestArchive()));

  const run = async (): Promise<Result> => {
    const { client, limiter } = setUpClient({ maxBytes: 64 * 2 ** 20, idleTimeoutMs: 30_000, totalTimeoutMs: 60_000 });
    const deps = world.deps({ fetcher: new ResponseFetcher(client, reader), archive: test.archive });
    const connections = new Connections({ state: new FakeState(), secrets: new FakeSecrets(), newId: () => 'one' });
    const { baseUrl } = service;
    const connection = await connections.add({
      name: 'Grid',
      service: 'other',
      baseUrl,
      key: testKey,
      state: 'unchecked',
    });
    const endpoints = new ConnectionEndpoints({
      connections,
      client,
      limiter,
      serviceClock: { now: () => world.now },
      sandbox: { isRunning: false, ensureRunning: () => assert.fail('the sandbox is not asked') },
      log: { warn: line => assert.fail(line) },
    });
    const engine = new QueryEngine({ ...deps, endpoints });
    const { result: running } = engine.run(world.query('2023-01'), connection, { refresh: 'always' });
    const result = await running;
    assert.equal(connections.findById(connection.id)?.state, 'works');
    await engine.waitForWrites();
    return result;
  };

  const findLongestText = ({ columns }: Frame): number =>
    Math.max(...columns.flatMap(column => ('texts' in column ? column.texts.entries.map(({ length }) => length) : [])));

  for (const { name, body: make, expected } of hostileResponses)
    it(`ends the run, and can archive, export and summarize its result: ${name}`, async () => {
      body = make();
      if (expected === 'damaged') {
        await assert.rejects(run(), error => error instanceof GridError && error.reason === 'damagedResponse');
        return;
      }
      const result = await run();
      assert.deepEqual(
        [result.frame ? 'table' : undefined, result.problem],
        expected === 'table' ? ['table', undefined] : [undefined, expected],
      );
      const summary = await summarize(result, { rows: 'sample', link: 'vscode://grid-data.grid-data-inspector/open' });
      assert.ok(summary.length <= maxReplyLength);
      const { frame, bodies } = result;
      const response = store.store(bodies);
      const text = await response.readText();
      assert.ok(text === body, 'the response is unchanged');
      assert.equal(await response.readText(100), body.slice(0, 100));
      if (frame)
        for (const format of exportFormats) {
          const writing = exportToBytes({ frame }, { format });
          if (format === 'xlsx' && findLongestText(frame) > excelLimits.text)
            await assert.rejects(writing, ExcelLimitError);
          else await writing;
        }
      else {
        let length = 0;
        for await (const chunk of jsonChunks(text)) length += chunk.length;
        assert.ok(length >= body.length);
      }
      await response.dispose();
    });
});
