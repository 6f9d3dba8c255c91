import { parseArgs } from 'node:util';
import { parseInstant } from '../../src/core/time/instant.ts';
import { realClock } from '../support/realClock.ts';
import { checkContract, type ClauseResult } from './suite.ts';

// Checks a service against the contract: `npm run contract -- --url https://api.example.org --key-env GRID_DATA_KEY`

const usage = `Usage: npm run contract -- --url URL --key-env NAME [options]

  --url URL              the service, such as http://127.0.0.1:8011
  --key-env NAME         the environment variable that holds the key
  --revoked-key-env NAME the variable with a revoked key, for the clause about it
  --start DAY            the first of two UTC days for which the service has hours (2023-01-10)
  --budget N             the maximum number of requests with the key (90)
  --system-state N       the key's limit per window for system state (10)
  --grid-stress N        the same for grid stress (3)
  --window S             length of the window in seconds (60)
  --gentle               never exceed a limit
`;

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    'key-env': { type: 'string' },
    'revoked-key-env': { type: 'string' },
    start: { type: 'string', default: '2023-01-10' },
    budget: { type: 'string', default: '90' },
    'system-state': { type: 'string', default: '10' },
    'grid-stress': { type: 'string', default: '3' },
    window: { type: 'string', default: '60' },
    gentle: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
process.exitCode = values.help ? help() : await check();

function help(): number {
  console.log(usage);
  return 0;
}

/** Returns the exit code: 0 if every checked clause holds, 1 if one is broken, 2 for an invalid command line. */
async function check(): Promise<number> {
  const key = process.env[values['key-env'] ?? ''];
  const start = parseInstant(`${values.start}T00:00Z`);
  if (values.url === undefined || !URL.canParse(values.url) || !key || start === undefined) {
    console.error(`--url, --key-env and a valid --start are required.\n\n${usage}`);
    return 2;
  }
  const seconds = Number(values.window);
  const report = await checkContract(
    {
      baseUrl: values.url.replace(/\/+$/, ''),
      key,
      clock: realClock,
      budget: Number(values.budget),
      revokedKey: process.env[values['revoked-key-env'] ?? ''],
      limits: {
        normalized_data: { requests: Number(values['system-state']), seconds },
        features: { requests: Number(values['grid-stress']), seconds },
      },
    },
    { start, gentle: values.gentle, onResult: print },
  );
  const count = (outcome: ClauseResult['outcome']) =>
    report.results.filter(result => result.outcome === outcome).length;
  console.log(
    `\n${count('holds')} hold, ${count('broken')} broken, ${count('not checked')} not checked; ${report.spent} requests`,
  );
  return count('broken') > 0 ? 1 : 0;
}

function print({ clause, outcome, reason }: ClauseResult): void {
  const mark = { holds: 'ok    ', broken: 'BROKEN', 'not checked': '-     ' }[outcome];
  console.log(
    `${mark} ${clause.source.padEnd(13)} ${clause.text}${reason && `\n         ${reason.replaceAll('\n', '\n         ')}`}`,
  );
}
