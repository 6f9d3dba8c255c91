import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox, type SandboxOptions } from '../../../src/sandbox/embedded.ts';
import type { KeyTerms } from '../../../src/sandbox/keys/keyRing.ts';
import { createTemporaryFolder } from '../../support/temporaryFolder.ts';
import { runGrid, type EndedCommand } from './gridProcess.ts';

/** A folder with saved queries, whose commands use a sandbox of their own. */
export interface GridWorkspace {
  readonly folder: string;
  readonly key: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Runs a command. Rejects if its output contains the key. */
  readonly run: (...args: string[]) => Promise<EndedCommand>;
  /** Returns how many requests the sandbox has received. */
  readonly countRequests: () => number;
  readonly read: (path: string) => string;
  /** Lists the files of the folder, without those of the archive. */
  readonly list: () => string[];
  readonly close: () => Promise<void>;
}

/** Starts a sandbox, and creates a workspace whose path has spaces. */
export async function createGridWorkspace(
  queries: readonly object[],
  options: SandboxOptions = {},
  terms: KeyTerms = {},
): Promise<GridWorkspace> {
  const sandbox = await startSandbox(options);
  const { value: key, prefix } = sandbox.createKey('grid', terms);
  const base = createTemporaryFolder();
  const folder = join(base, 'a work space');
  mkdirSync(join(folder, '.vscode'), { recursive: true });
  writeFileSync(join(folder, '.vscode', 'grid-queries.json'), JSON.stringify({ queries }));
  const variables = {
    GRID_DATA_URL: sandbox.baseUrl,
    GRID_DATA_STORAGE: join(base, 'grid storage'),
    GRID_DATA_API_KEY: key,
  };
  return {
    folder,
    key,
    variables,
    run: async (...args) => {
      const ended = await runGrid(args, { folder, variables });
      if (`${ended.stdout}${ended.stderr}`.includes(key)) throw new Error('The command printed the key.');
      return ended;
    },
    countRequests: () => {
      const { normalized_data: data, features } = sandbox.usage.getUsage(prefix);
      return [data, features].reduce((sum, { lastHour }) => sum + lastHour.accepted + lastHour.refused, 0);
    },
    read: path => readFileSync(join(folder, path), 'utf8'),
    list: () =>
      readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
        .filter(entry => entry.isFile() && entry.name !== 'grid-queries.json')
        .map(({ parentPath, name }) =>
          join(parentPath, name)
            .slice(folder.length + 1)
            .replaceAll('\\', '/'),
        )
        .sort(),
    close: async () => sandbox.close(),
  };
}
