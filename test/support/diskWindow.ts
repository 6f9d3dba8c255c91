import { join } from 'node:path';
import type { Clock, Logger } from '../../src/core/ports.ts';
import { ResponseFetcher } from '../../src/service/client/responseFetcher.ts';
import { ResponseReader } from '../../src/service/client/responseReader.ts';
import { ReaderProcesses } from '../../src/service/reader/readerProcess.ts';
import { ApiClient } from '../../src/service/client/apiClient.ts';
import type { StorageFs } from '../../src/service/files/fileSystem.ts';
import { FileArchive } from '../../src/service/archive/fileArchive.ts';
import { type Fingerprint, SharedLimiter } from '../../src/service/limiter/sharedLimiter.ts';
import { LimitFolder } from '../../src/service/limiter/limitFolder.ts';
import { QueryEngine, type QueryEngineDeps } from '../../src/service/query/queryEngine.ts';
import { computePrice } from '../../src/service/query/requestPricing.ts';
import { SeriesLock } from '../../src/service/query/seriesLease.ts';
import { ServiceClock } from '../../src/service/client/serviceClock.ts';
import { MaxRangeStore } from '../../src/service/query/maxRangeStore.ts';
import type { TransportOptions } from '../../src/service/client/apiClient.ts';
import { EndpointRunner } from './followRun.ts';
import { createMachine } from './realClock.ts';
import { noConnections } from './noConnections.ts';
import { FakeState } from '../unit/service/storeFakes.ts';

interface DiskWindowOptions {
  /** The folder that all windows share. */
  readonly folder: string;
  /** The unique name of the window. */
  readonly name: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly fingerprint: Fingerprint;
  readonly transportOptions?: TransportOptions;
  readonly fs?: StorageFs;
}

/** Creates the limiter of a window. */
export function createLimiter(options: Omit<DiskWindowOptions, 'transportOptions' | 'fs'>): SharedLimiter {
  const { folder, name: window, clock, logger, fingerprint } = options;
  const store = new LimitFolder({ folder: join(folder, 'limits'), clock, random: Math.random, logger });
  return new SharedLimiter({ store, clock, machine: createMachine(clock), window, fingerprint });
}

/** Creates a window like the extension's: archive, limiter and lock on disk, everything else separate and new. */
export function createDiskWindow(options: DiskWindowOptions): {
  readonly runner: EndpointRunner;
  /** The dependencies of an engine, without connections. */
  readonly deps: Omit<QueryEngineDeps, 'endpoints'>;
  readonly limiter: SharedLimiter;
  readonly client: ApiClient;
  readonly readers: ReaderProcesses;
} {
  const { folder, clock, logger, transportOptions = {}, fs } = options;
  const limiter = createLimiter(options);
  const state = new FakeState();
  const archive = new FileArchive({
    folder: join(folder, 'archive'),
    clock,
    logger,
    maxBytes: () => 1e9,
    ...(fs && { fs }),
  });
  const readers = new ReaderProcesses();
  const reader = new ResponseReader(readers);
  const client = new ApiClient({ limiter, reader, clock, random: Math.random, logger, transportOptions });
  const deps: Omit<QueryEngineDeps, 'endpoints'> = {
    fetcher: new ResponseFetcher(client, reader),
    archive,
    lock: new SeriesLock({ folder: join(folder, 'fetching'), clock, random: Math.random, logger }),
    maxRanges: new MaxRangeStore(state, clock),
    getPrice: async (...plan) => computePrice(limiter, ...plan),
    clock,
    serviceClock: new ServiceClock(clock, state),
    settledAfterMs: () => 48 * 3_600_000,
  };
  return {
    runner: new EndpointRunner(new QueryEngine({ ...deps, endpoints: noConnections })),
    deps,
    limiter,
    client,
    readers,
  };
}
