import { once } from 'node:events';
import { dayMs, hourMs } from '../shared/durations.ts';
import { readCliOptions, type CliOptions, usage } from './cliOptions.ts';
import { tokenMinutes } from './dashboard/sessions.ts';
import type { RunningSandbox } from './embedded.ts';
import { formatInstant } from '../core/time/instant.ts';
import { spawnSync } from 'node:child_process';

/** The exit code: 0 after a clean end, 1 if the sandbox could not start, 2 for a wrong command line. */
async function main(): Promise<number> {
  const request = readCliOptions(process.argv.slice(2));
  switch (request.kind) {
    case 'help':
      process.stdout.write(usage);
      return 0;
    case 'wrong':
      process.stderr.write(`${request.sentence}\n`);
      return 2;
    case 'start':
      return serve(request.options);
  }
}

async function serve({ json, keyName, keyTerms, ...options }: CliOptions): Promise<number> {
  // The build makes the service a file of its own, which the extension loads as well.
  const { startSandbox } = await import('./embedded.ts');
  let sandbox: RunningSandbox | undefined;
  try {
    sandbox = await startSandbox({ ...options, say: sentence => process.stderr.write(`${sentence}\n`) });
    const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    const isFirst = !sandbox.keys.list().some(({ revoked }) => !revoked);
    const key = keyName !== undefined || isFirst ? sandbox.createKey(keyName ?? 'sandbox', keyTerms).value : undefined;
    const isInteractive = !json && process.stdin.isTTY && isInForeground(process);
    process.stdout.write(json ? `${JSON.stringify(factsOf(sandbox, key))}\n` : greeting(sandbox, key, isInteractive));
    if (isInteractive) offerLinks(sandbox);
    await stopped;
    return 0;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'SandboxError') throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  } finally {
    process.stdin.pause();
    await sandbox?.close();
  }
}

/** Prints a new link at each Enter: each works once. */
function offerLinks(sandbox: RunningSandbox): void {
  process.stdin.on('data', () => process.stdout.write(`Dashboard: ${sandbox.createDashboardLink()}\n`));
  // After Ctrl+Z, `bg` or `fg` continue it.
  process.on('SIGCONT', () => process.stdin[isInForeground(process) ? 'resume' : 'pause']());
}

function factsOf(sandbox: RunningSandbox, key: string | undefined): object {
  const { baseUrl, dataEnd } = sandbox;
  return {
    url: baseUrl,
    dashboard: sandbox.createDashboardLink(),
    ...(key !== undefined && { key }),
    ...(dataEnd !== undefined && { dataEnd: formatInstant(dataEnd) }),
  };
}

function greeting(sandbox: RunningSandbox, key: string | undefined, isInteractive: boolean): string {
  const present = Math.floor(sandbox.publication.now / hourMs) * hourMs;
  const end = Math.min(sandbox.dataEnd ?? present, present);
  const range = `start=${formatInstant(end - dayMs)}&end=${formatInstant(end)}`;
  const usable = sandbox.keys.list().filter(({ revoked }) => !revoked);
  const another = isInteractive
    ? 'press Enter for another'
    : 'started in the foreground of a terminal, the sandbox makes more';
  return `Sandbox at ${sandbox.baseUrl} (${sandbox.identity})
${key === undefined ? `Keys of the state folder: ${usable.map(({ name, prefix }) => `${name} (${prefix}…)`).join(', ')}; --key NAME makes another` : `Key, shown this once: ${key}`}

Try it in another terminal, with the key in an environment variable:
  read -rs GRID_DATA_KEY    # paste the key, then Enter
  curl -H "X-API-KEY: $GRID_DATA_KEY" "${sandbox.baseUrl}/api/v1/grid/system-state?${range}"

What it answers is described at ${sandbox.baseUrl}/openapi.json. Keys and usage are in the dashboard:
  ${sandbox.createDashboardLink()}
The link signs in once, within ${tokenMinutes} minutes; ${another}. Ctrl+C ends it.
`;
}

void main().then(code => (process.exitCode = code));

/**
 * Whether this process is in the foreground of its terminal: a background process that reads the terminal is stopped
 * (SIGTTIN). False where that is unknown. `ask` runs a command and returns its output.
 */
export function isInForeground(
  { platform, pid }: Pick<NodeJS.Process, 'platform' | 'pid'>,
  ask: (command: string, args: readonly string[]) => string = printed,
): boolean {
  // Without job control nothing is stopped.
  if (platform === 'win32') return true;
  const numbers = /^\s*(\d+)\s+(\d+)\s*$/.exec(ask('ps', ['-o', 'pgid=', '-o', 'tpgid=', '-p', String(pid)]));
  return numbers !== null && numbers[1] === numbers[2];
}

function printed(command: string, args: readonly string[]): string {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return status === 0 ? stdout : '';
}
