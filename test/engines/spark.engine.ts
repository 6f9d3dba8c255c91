import { readData } from './dataFiles.ts';
import { runPrograms, type Engine, type Line } from './engine.ts';
import { readReplaced } from './replaced.ts';
import { startCluster, workers, type SparkCluster } from './sparkCluster.ts';
import { exportYears, readYears } from './years.ts';

/** The hosts of executors: the workers, and the driver, which is none. */
const executors = `from pyspark.sql import SparkSession
context = SparkSession.builder.getOrCreate().sparkContext
records = [{"executors": context._jsc.sc().getExecutorMemoryStatus().size() - 1}]`;

/** PySpark on a cluster of two workers, not in the process of the program. */
export const engine: Engine = {
  isLong: true,
  usesSpark: true,
  async *run(machine) {
    const cluster = await startCluster(machine);
    const launched = [cluster.launcher, cluster.env] as const;
    try {
      yield await clusterOf(cluster);
      yield* readData('spark', machine, ...launched);
      yield* readReplaced('spark', machine, ...launched);
      yield* readYears('spark', machine, await exportYears(machine), ...launched);
    } finally {
      await cluster.close();
    }
  },
};

async function clusterOf({ launcher, env }: SparkCluster): Promise<Line> {
  const [outcome] = await runPrograms(launcher, [{ name: 'cluster', kind: 'records', code: executors }], env);
  const found = outcome?.rows?.[0]?.['executors'];
  const failure = found === workers ? undefined : (outcome?.error ?? `${JSON.stringify(found)} executors`);
  return { what: `cluster of ${workers} workers`, seconds: outcome?.seconds ?? 0, failure };
}
