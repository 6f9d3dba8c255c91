import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Machine } from './engine.ts';

/** How programs are sent to a cluster. */
export interface SparkCluster {
  readonly launcher: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export const workers = 2;

/** A cluster on this machine: a master and two workers, each a process of its own. Throws an Error where one does not start. */
export async function startCluster({ bin, python, folder }: Machine): Promise<SparkCluster> {
  const env = { SPARK_LOCAL_IP: '127.0.0.1', PYSPARK_PYTHON: python, PYSPARK_DRIVER_PYTHON: python };
  const children: ChildProcess[] = [];
  /** Starts a part of the cluster and waits for the line of its log that says that it is there. */
  const start = async (part: string, args: readonly string[], isThere: RegExp): Promise<string> => {
    const all = [`org.apache.spark.deploy.${part}`, '--host', '127.0.0.1', '--webui-port', '0', ...args];
    const child = spawn(join(bin, 'spark-class'), all, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...env },
    });
    children.push(child);
    const log: string[] = [];
    const lines = createInterface({ input: child.stderr });
    return new Promise((resolve, fail) => {
      lines.on('line', line => {
        const found = isThere.exec(line);
        if (found) resolve(found[1] ?? '');
        else log.push(line);
      });
      lines.once('close', () => fail(new Error(`Spark's ${part} ended:\n${log.slice(-10).join('\n')}`)));
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
    const own = ['--cores', '1', '--memory', '1g', '--work-dir', join(folder, 'spark'), master];
    for (let worker = 0; worker < workers; worker++)
      await start('worker.Worker', own, /Successfully registered with master/);
    const settings = {
      'spark.driver.host': '127.0.0.1',
      'spark.ui.enabled': 'false',
      // Nothing begins before both are there.
      'spark.cores.max': String(workers),
      'spark.scheduler.minRegisteredResourcesRatio': '1',
      'spark.sql.warehouse.dir': join(folder, 'warehouse'),
      'spark.sql.shuffle.partitions': '4',
    };
    const confs = Object.entries(settings).flatMap(([name, value]) => ['--conf', `${name}=${value}`]);
    return { launcher: [join(bin, 'spark-submit'), '--master', master, ...confs], env, close };
  } catch (error) {
    await close();
    throw error;
  }
}
