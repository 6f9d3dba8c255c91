import { readData } from './dataFiles.ts';
import type { Engine } from './engine.ts';
import { startCluster } from './sparkCluster.ts';

/** PySpark on a cluster of two workers, not in the process of the program. */
export const engine: Engine = {
  isLong: true,
  usesSpark: true,
  async *run(machine) {
    const cluster = await startCluster(machine);
    try {
      yield* readData('spark', machine, cluster.launcher, cluster.env);
    } finally {
      await cluster.close();
    }
  },
};
