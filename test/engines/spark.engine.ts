import { readData } from './dataFiles.ts';
import { runPrograms, type Engine, type CheckResult } from './engine.ts';
import { readWhileReplaced } from './readWhileReplaced.ts';
import { startCluster, workers, type SparkCluster } from './sparkCluster.ts';
import { exportYears, readYears } from './years.ts';

/** Python code that counts the executors, without the driver. */
const countExecutors = `from pyspark.sql import SparkSession
context = SparkSession.builder.getOrCreate().sparkContext
records = [{"executors": context._jsc.sc().getExecutorMemoryStatus().size() - 1}]`;

/** Runs PySpark on a cluster of two workers in separate processes. */
export const engine: Engine = {
  isLong: true,
  usesSpark: true,
  async *run(machine) {
    const cluster = await startCluster(machine);
    const launchArguments = [cluster.launcher, cluster.env] as const;
    try {
      yield await checkCluster(cluster);
      yield* readData('spark', machine, ...launchArguments);
      yield* readWhileReplaced('spark', machine, ...launchArguments);
      yield* readYears('spark', machine, await exportYears(machine), ...launchArguments);
    } finally {
      await cluster.close();
    }
  },
};

async function checkCluster({ launcher, env }: SparkCluster): Promise<CheckResult> {
  const [outcome] = await runPrograms(launcher, [{ name: 'cluster', kind: 'records', code: countExecutors }], env);
  const executorCount = outcome?.rows?.[0]?.['executors'];
  const failure =
    executorCount === workers ? undefined : (outcome?.error ?? `${JSON.stringify(executorCount)} executors`);
  return { label: `cluster of ${workers} workers`, seconds: outcome?.seconds ?? 0, failure };
}
