import { once } from 'node:events';
import { dayMs, hourMs } from '../shared/durations.ts';
import { parseCliOptions, type CliOptions, usageText } from './cliOptions.ts';
import { tokenMinutes } from './dashboard/sessions.ts';
import type { RunningSandbox } from './embedded.ts';
import { formatInstant } from '../core/time/instant.ts';
import { spawnSync } from 'node:child_process';

/** Returns the exit code: 0 after a clean end, 1 if the sandbox could not start, 2 for an invalid command line. */
export async function runSandboxCommand(args: readonly string[]): Promise<number> {
  const request = parseCliOptions(args);
  switch (request.kind) {
    case 'help':
      process.stdout.write(usageText);
      return 0;
    case 'invalid':
      process.stderr.write(`${request.message}\n`);
      return 2;
    case 'start':
      return serve(request.options);
  }
}

async function serve({ json, keyName, keyTerms, ...options }: CliOptions): Promise<number> {
  // The build puts the service into a separate file, which the extension loads too.
  const { startSandbox } = await import('./embedded.ts');
  let sandbox: RunningSandbox | undefined;
  try {
    sandbox = await startSandbox({ ...options, report: sentence => process.stderr.write(`${sentence}\n`) });
    const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    const hasNoActiveKey = !sandbox.keys.list().some(({ revoked }) => !revoked);
    const key =
      keyName !== undefined || hasNoActiveKey ? sandbox.createKey(keyName ?? 'sandbox', keyTerms).value : undefined;
    const offersLinks = !json && process.stdin.isTTY && isInForeground(process);
    process.stdout.write(
      json ? `${JSON.stringify(toJsonOutput(sandbox, key))}\n` : formatGreeting(sandbox, key, offersLinks),
    );
    if (offersLinks) offerLinks(sandbox);
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

/** Prints a new link at each Enter, because a link works only once. */
function offerLinks(sandbox: RunningSandbox): void {
  process.stdin.on('data', () => process.stdout.write(`Dashboard: ${sandbox.createDashboardLink()}\n`));
  // The user may have suspended the process with Ctrl+Z and resumed it with `bg` or `fg`.
  process.on('SIGCONT', () => process.stdin[isInForeground(process) ? 'resume' : 'pause']());
}

function toJsonOutput(sandbox: RunningSandbox, key: string | undefined): object {
  const { baseUrl, dataEnd } = sandbox;
  return {
    url: baseUrl,
    dashboard: sandbox.createDashboardLink(),
    ...(key !== undefined && { key }),
    ...(dataEnd !== undefined && { dataEnd: formatInstant(dataEnd) }),
  };
}

function formatGreeting(sandbox: RunningSandbox, key: string | undefined, isInteractive: boolean): string {
  const currentHour = Math.floor(sandbox.publication.now / hourMs) * hourMs;
  const end = Math.min(sandbox.dataEnd ?? currentHour, currentHour);
  const range = `start=${formatInstant(end - dayMs)}&end=${formatInstant(end)}`;
  const activeKeys = sandbox.keys.list().filter(({ revoked }) => !revoked);
  const linkHint = isInteractive
    ? 'press Enter for another'
    : 'in the foreground of a terminal, the sandbox creates more';
  return `Sandbox at ${sandbox.baseUrl} (${sandbox.identity})
${key === undefined ? `Keys of the state folder: ${activeKeys.map(({ name, prefix }) => `${name} (${prefix}…)`).join(', ')}; --key NAME creates another` : `Key, shown only once: ${key}`}

Try it in another terminal, with the key in an environment variable:
  read -rs GRID_DATA_KEY    # paste the key, then Enter
  curl -H "X-API-KEY: $GRID_DATA_KEY" "${sandbox.baseUrl}/api/v1/grid/system-state?${range}"

Its API is described at ${sandbox.baseUrl}/openapi.json. Keys and usage are in the dashboard:
  ${sandbox.createDashboardLink()}
The link signs in once, within ${tokenMinutes} minutes; ${linkHint}. Press Ctrl+C to stop the sandbox.
`;
}

/**
 * Whether this process is in the foreground of its terminal; false if unknown. A background process that reads the terminal
 * is stopped (SIGTTIN). `run` runs a command and returns its output.
 */
export function isInForeground(
  { platform, pid }: Pick<NodeJS.Process, 'platform' | 'pid'>,
  run: (command: string, args: readonly string[]) => string = runCommand,
): boolean {
  // Windows has no job control, so no process is stopped.
  if (platform === 'win32') return true;
  const groupIds = /^\s*(\d+)\s+(\d+)\s*$/.exec(run('ps', ['-o', 'pgid=', '-o', 'tpgid=', '-p', String(pid)]));
  return groupIds !== null && groupIds[1] === groupIds[2];
}

function runCommand(command: string, args: readonly string[]): string {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return status === 0 ? stdout : '';
}
