import { GridError } from '../core/errors.ts';
import { toSingleLine } from '../core/inertText.ts';
import { findZone } from '../core/time/zone.ts';
import { InputError } from '../host/inputError.ts';
import { settings } from '../host/ids.ts';
import { useSettings } from '../host/settings.ts';
import { exitCodes, parseCommandArguments, PriceError, type CommandArguments } from './commandLine.ts';
import { commonOptions, createContext, type CommandContext } from './commandContext.ts';

const usageText = `Usage: grid COMMAND [QUERY…] [options]

  query QUERY      print the rows of a saved query, or of --dataset and --range
  report QUERY…    write a report: --out FILE.html|.md [--title T]
                   [--every day|monday|…|month] once a period, FILE-2026-11-23
  export QUERY…    write the rows as received as Parquet files: --out FOLDER
  check QUERY…     [--min-coverage 99] [--condition FORMULA] [--late]
  mcp              serve the tools to agents (Model Context Protocol)
  sandbox          serve the API with sample data ('grid sandbox --help')

QUERY is a query or folder in .vscode/grid-queries.json, here or above.
  --queries FILE   another file of saved queries
  --dataset D --range R [--interval 1h|1d|1d@SAST] [--param NAME=VALUE]
  --zone ZONE      UTC (GRID_DATA_ZONE), SAST or a name such as Europe/Berlin
  --analysis JSON  such as '{"resample":"day"}', or @FILE
  --fields A,B     only these columns;  --out FILE
  --format F       table, csv, tsv, json, ndjson, markdown, xlsx, parquet, arrow
  --url URL        the service (GRID_DATA_URL; Power Signals by default)
  --key-file FILE  a file of mode 600 with the key, not GRID_DATA_API_KEY
  --max-requests N send at most N requests (10);  --offline  only the archive
  --storage DIR    archive and rate limits (GRID_DATA_STORAGE; as VS Code)
  --verbose        print each request
Exit codes: 0 success, 1 failure, 2 invalid command, 3 check found something,
4 more requests needed than allowed.
`;

interface Command {
  readonly options: Parameters<typeof parseCommandArguments>[1];
  readonly run: (args: CommandArguments, context: CommandContext) => Promise<number>;
}

/** Each command is loaded when it runs. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  query: async () => {
    const { queryCommandOptions, runQueryCommand } = await import('./queryCommand.ts');
    return { options: queryCommandOptions, run: runQueryCommand };
  },
  mcp: async () => {
    const { mcpCommandOptions, runMcpCommand } = await import('./mcpCommand.ts');
    return { options: mcpCommandOptions, run: runMcpCommand };
  },
  report: async () => {
    const { reportCommandOptions, runReportCommand } = await import('./reportCommand.ts');
    return { options: reportCommandOptions, run: runReportCommand };
  },
  export: async () => {
    const { exportCommandOptions, runExportCommand } = await import('./exportCommand.ts');
    return { options: exportCommandOptions, run: runExportCommand };
  },
  check: async () => {
    const { checkCommandOptions, runCheckCommand } = await import('./checkCommand.ts');
    return { options: checkCommandOptions, run: runCheckCommand };
  },
};

/** Runs the command line of this process. Returns the exit code. */
async function main(): Promise<number> {
  const [name = '--help', ...args] = process.argv.slice(2);
  if (name === 'sandbox') return (await import('../sandbox/cli.ts')).runSandboxCommand(args);
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load) {
    const isHelp = /^(--help|-h|help)$/.test(name);
    (isHelp ? process.stdout : process.stderr).write(
      isHelp ? usageText : `Unknown command '${name}'. 'grid --help' lists the commands.\n`,
    );
    return isHelp ? exitCodes.success : exitCodes.usage;
  }
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(usageText);
    return exitCodes.success;
  }
  const { options, run } = await load();
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort());
  process.once('SIGTERM', () => controller.abort());
  // The reader of a pipe, such as `head`, may end first, which is no failure.
  const output = { hasReader: true };
  process.stdout.on('error', () => {
    output.hasReader = false;
    controller.abort();
  });
  let context: CommandContext | undefined;
  try {
    const parsed = parseCommandArguments(args, { ...commonOptions, ...options });
    useSettings(readSettings(parsed));
    context = await createContext(parsed, process, controller.signal);
    return await run(parsed, context);
  } catch (error) {
    if (controller.signal.aborted) return output.hasReader ? exitCodes.interrupted : exitCodes.success;
    return await reportError(error);
  } finally {
    await context?.close();
  }
}

function readSettings(args: CommandArguments): Parameters<typeof useSettings>[0] {
  const zone = args.text('zone') ?? process.env['GRID_DATA_ZONE'];
  if (zone !== undefined && !findZone(zone))
    throw new InputError(`Unknown time zone '${zone}'. Use UTC, SAST or a name such as Europe/Berlin.`);
  const get = (name: string): unknown => (name === settings.timeZone ? zone : undefined);
  return { get, getUserValue: get };
}

/** Prints one sentence that says what to do. Returns the exit code. */
async function reportError(error: unknown): Promise<number> {
  if (error instanceof InputError) return print(error.message, exitCodes.usage);
  if (error instanceof PriceError) return print(error.message, exitCodes.price);
  if (!(error instanceof GridError))
    return print(`Unexpected error: ${error instanceof Error ? error.message : String(error)}`, exitCodes.failure);
  const { describeCliFailure } = await import('./failures.ts');
  return print(describeCliFailure(error), exitCodes.failure);
}

function print(sentence: string, exitCode: number): number {
  // A sentence may quote a name from a file, whose control characters a terminal would obey.
  process.stderr.write(`${toSingleLine(sentence)}\n`);
  return exitCode;
}

void main().then(code => (process.exitCode = code));
