import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Machine } from './engine.ts';

/** A running cluster, and the command that submits programs to it. */
export interface SparkCluster {
  readonly launcher: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export const workers = 2;

/** Starts a master and two workers as processes on this machine. Throws an Error if one does not start. */
export async function startCluster({ bin, python, folder }: Machine): Promise<SparkCluster> {
  const env = { SPARK_LOCAL_IP: '127.0.0.1', PYSPARK_PYTHON: python, PYSPARK_DRIVER_PYTHON: python };
  const children: ChildProcess[] = [];
  /** Starts a process of the cluster and waits for the line of its log that shows it is ready. */
  const start = async (className: string, args: readonly string[], readyLine: RegExp): Promise<string> => {
    const sparkArgs = [`org.apache.spark.deploy.${className}`, '--host', '127.0.0.1', '--webui-port', '0', ...args];
    const child = spawn(join(bin, 'spark-class'), sparkArgs, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...env },
    });
    children.push(child);
    const log: string[] = [];
    const lines = createInterface({ input: child.stderr });
    return new Promise((resolve, fail) => {
      lines.on('line', line => {
        const match = readyLine.exec(line);
        if (match) resolve(match[1] ?? '');
        else log.push(line);
      });
      lines.once('close', () => fail(new Error(`Spark's ${className} ended:\n${log.slice(-10).join('\n')}`)));
    });
  };
  const close = async () => {
    for (const child of children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    }
  };
  try {
    const master = await start('master.Master', ['--port', '0'], /Starting Spark master at (spark:\S+)/);
    const workerArgs = ['--cores', '1', '--memory', '1g', '--work-dir', join(folder, 'spark'), master];
    for (let worker = 0; worker < workers; worker++)
      await start('worker.Worker', workerArgs, /Successfully registered with master/);
    const settings = {
      'spark.driver.host': '127.0.0.1',
      'spark.ui.enabled': 'false',
      // No job starts before both workers are registered.
      'spark.cores.max': String(workers),
      'spark.scheduler.minRegisteredResourcesRatio': '1',
      'spark.sql.warehouse.dir': join(folder, 'warehouse'),
      'spark.sql.shuffle.partitions': '4',
    };
    const configArgs = Object.entries(settings).flatMap(([name, value]) => ['--conf', `${name}=${value}`]);
    return { launcher: [join(bin, 'spark-submit'), '--master', master, ...configArgs], env, close };
  } catch (error) {
    await close();
    throw error;
  }
}
