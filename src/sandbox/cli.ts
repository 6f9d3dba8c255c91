import { once } from 'node:events';
import { readCliOptions, usage } from './cliOptions.ts';
import type { CliOptions } from './cliOptions.ts';
import { startSandbox } from './embedded.ts';
import type { RunningSandbox } from './embedded.ts';
import { formatInstant } from '../core/instant.ts';
import { hourMs } from './hours.ts';
import { SandboxError } from './sandboxError.ts';

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

async function serve({ json, replay, ...options }: CliOptions): Promise<number> {
  let sandbox: RunningSandbox;
  try {
    sandbox = await startSandbox({ ...options, ...(replay !== undefined && { replay }) });
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  const { value } = sandbox.createKey('sandbox');
  const end = sandbox.dataEnd;
  const facts = { url: sandbox.baseUrl, key: value, ...(end !== undefined && { dataEnd: formatInstant(end) }) };
  process.stdout.write(json ? `${JSON.stringify(facts)}\n` : greeting(sandbox, value));
  await stopped;
  await sandbox.close();
  return 0;
}

function greeting(sandbox: RunningSandbox, key: string): string {
  const end = sandbox.dataEnd ?? Math.floor(Date.now() / hourMs) * hourMs;
  const range = `start=${formatInstant(end - 24 * hourMs)}&end=${formatInstant(end)}`;
  return `Sandbox at ${sandbox.baseUrl} (${sandbox.identity})
Key, shown this once: ${key}

Try it in another terminal, with the key in an environment variable:
  read -rs GRID_DATA_KEY    # paste the key, then Enter
  curl -H "X-API-KEY: $GRID_DATA_KEY" "${sandbox.baseUrl}/api/v1/grid/system-state?${range}"

Ctrl+C ends it.
`;
}

process.exitCode = await main();
