import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/paths.ts';
import { startSandbox } from '../../src/sandbox/embedded.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';
import type { Bench } from './bench.ts';
import { medianRatio } from './median.ts';

const runs = 15;
const grid = join(root, 'dist', 'grid.js');

/** Measures `grid query` of a day in the archive, compared with Node without a program, each in a new process. */
export const bench: Bench = async () => {
  if (!existsSync(grid)) execFileSync(process.execPath, ['esbuild.js', '--production'], { cwd: root });
  const folder = createTemporaryFolder();
  const sandbox = await startSandbox();
  const variables = { GRID_DATA_URL: sandbox.baseUrl, GRID_DATA_STORAGE: folder, TMPDIR: folder };
  const start = (args: readonly string[], key = ''): number => {
    const startMs = performance.now();
    execFileSync(process.execPath, args, { env: { ...variables, GRID_DATA_API_KEY: key }, stdio: 'pipe' });
    return performance.now() - startMs;
  };
  const query = [grid, 'query', '--range', '2023-05-01', '--format', 'csv'];
  // A synchronous child would block the sandbox, which runs in this process.
  await fillArchive(query, { ...variables, GRID_DATA_API_KEY: sandbox.createKey('bench').value });
  await sandbox.close();
  // Alternates between both, so that other load affects them equally.
  const starts = Array.from({ length: runs }, () => ({
    node: start(['-e', '0']),
    query: start([...query, '--offline']),
  }));
  return [
    {
      label: 'grid query from the archive, times the start of Node',
      value: medianRatio(
        starts.map(times => times.query),
        starts.map(times => times.node),
      ),
      unit: '×',
    },
  ];
};

async function fillArchive(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    execFile(process.execPath, [...args], { env }, error =>
      error ? reject(new Error('The command failed.', { cause: error })) : resolve(),
    );
  });
}
