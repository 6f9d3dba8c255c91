import { join } from 'node:path';
import { runCommand, secondsSince, type Engine } from './engine.ts';
import { startService } from './gridTables.ts';

/** Runs schemathesis, which generates requests from the sandbox's OpenAPI document and checks the responses. */
export const engine: Engine = {
  async *run({ bin, folder }) {
    // The service has one month of hours, since generated ranges are centuries long.
    const service = await startService(Date.UTC(2018, 1, 1));
    const startMs = performance.now();
    try {
      const output = await runCommand(
        join(bin, 'schemathesis'),
        [
          ...['run', `${service.baseUrl}/openapi.json`, '--header', `X-API-KEY: ${service.createKey('engines').value}`],
          ...['--checks', 'all', '--max-examples', '50', '--seed', '1', '--no-color'],
          // A schema cannot express that the start must be before the end.
          ...['--exclude-checks', 'positive_data_acceptance'],
        ],
        { cwd: folder },
      ).catch((error: unknown) => String(error));
      const cases = Number(/([\d,]+) generated/.exec(output)?.[1]?.replaceAll(',', '') ?? 0);
      const failure = /generated, \d+ found|^Error/m.test(output) || cases === 0 ? output : undefined;
      yield { label: `${cases} requests by OpenAPI`, seconds: secondsSince(startMs), failure };
    } finally {
      await service.close();
    }
  },
};
