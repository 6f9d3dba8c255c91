import { once } from 'node:events';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import process from 'node:process';
import { StdioTransport } from '@tmcp/transport-stdio';
import { McpServer } from 'tmcp';
import { JsonSchemaAdapter } from 'tmcp/adapter';
import * as v from 'valibot';
import type { SavedTree } from '../core/savedQueries/savedItem.ts';
import { InputError } from '../host/inputError.ts';
import { tools as toolNames } from '../host/ids.ts';
import { formatRequests } from '../host/messages/numbers.ts';
import { describeToolError, type ToolResult } from '../host/tools/gridTool.ts';
import { createGridTools, type ToolsDeps } from '../host/tools/gridTools.ts';
import { maxAgentRequestsPerHour } from '../host/settings.ts';
import { AgentAllowance } from '../service/limiter/agentAllowance.ts';
import { exitCodes, parseCount, type CommandArguments } from './commandLine.ts';
import type { CommandContext } from './commandContext.ts';
import type { Environment } from './environment.ts';
import { findQueriesFile, readSavedQueries } from './savedQueries.ts';
import { callWindow } from './windowClient.ts';

export const mcpCommandOptions = { queries: { type: 'string' } } as const;

/** The folder that has package.json: the parent of `dist`, or of `src`. */
const packageFolder = join(import.meta.dirname, extname(import.meta.filename) === '.js' ? '..' : '../..');

interface PackageJson {
  readonly version: string;
  readonly contributes: {
    readonly languageModelTools: readonly {
      readonly name: string;
      readonly displayName: string;
      readonly modelDescription: string;
      readonly inputSchema: JsonSchema;
    }[];
  };
}

type JsonSchema = Readonly<Record<string, unknown>> & { readonly properties?: Readonly<Record<string, unknown>> };

/** Accepts any object, because the tools validate their inputs themselves. */
const createToolSchema = () => v.fallback(v.looseObject({}), {});
type ToolSchema = ReturnType<typeof createToolSchema>;

/** Describes the inputs of the tools as package.json does. */
class PackageSchemas extends JsonSchemaAdapter<ToolSchema> {
  readonly #descriptions = new Map<ToolSchema, JsonSchema>();

  create(description: JsonSchema): ToolSchema {
    const schema = createToolSchema();
    this.#descriptions.set(schema, description);
    return schema;
  }

  override async toJsonSchema(schema: ToolSchema): Promise<JsonSchema> {
    return Promise.resolve(this.#descriptions.get(schema) ?? { type: 'object' });
  }
}

/**
 * Serves the tools to an agent by the Model Context Protocol, over stdin and stdout, until the agent closes stdin. A call runs in a VS Code
 * window if there is one, where the person confirms requests; otherwise here, from the archive or with the key of this process.
 */
export async function runMcpCommand(args: CommandArguments, context: CommandContext): Promise<number> {
  const { signal } = context.requestOptions;
  const environment = await context.openEnvironment();
  const runLocally = createLocalCalls(environment, args, context);
  // A window has connections of its own.
  const isLocal = args.has('offline') || args.text('url') !== undefined;
  const call = async (name: string, input: unknown): Promise<ToolResult> => {
    const result = isLocal ? undefined : await callWindow(context.storage, name, input, signal);
    return result ?? runLocally(name, input);
  };

  const load = createRequire(import.meta.filename);
  const { version, contributes } = load(join(packageFolder, 'package.json')) as PackageJson;
  const names = load(join(packageFolder, 'package.nls.json')) as Readonly<Record<string, string>>;
  const schemas = new PackageSchemas();
  const server = new McpServer(
    { name: 'grid-data', title: 'Grid Data Inspector', version },
    { adapter: schemas, capabilities: { tools: {}, resources: {} } },
  );
  for (const { name, displayName, modelDescription, inputSchema } of contributes.languageModelTools)
    server.tool<ToolSchema>(
      {
        name,
        title: names[displayName.slice(1, -1)] ?? name,
        description: modelDescription,
        schema: schemas.create(inputSchema),
        annotations: { readOnlyHint: true, openWorldHint: 'range' in (inputSchema.properties ?? {}) },
      },
      async input => {
        try {
          const { text, picture } = await call(name, input);
          const data = picture && Buffer.from(picture).toString('base64');
          const image = data === undefined ? [] : [{ type: 'image', data, mimeType: 'image/png' } as const];
          return { content: [{ type: 'text', text }, ...image] };
        } catch (error) {
          return { isError: true, content: [{ type: 'text', text: describeToolError(error, context.logError) }] };
        }
      },
    );
  const addResource = (name: string, title: string, description: string, read: () => Promise<string>): void => {
    const uri = `grid-data://${name}`;
    server.resource({ name, title, description, uri }, async () => ({ contents: [{ uri, text: await read() }] }));
  };
  addResource('fields', 'Fields', 'Names, units and meanings of the fields of all datasets.', async () => {
    return (await call(toolNames.describeFields, {})).text;
  });
  addResource('saved-queries', 'Saved queries', 'The saved queries of the person and the workspace.', async () => {
    return (await call(toolNames.listSavedQueries, {})).text;
  });
  addResource('archive', 'Archive', 'The years of each series that can be read without a request, in UTC.', async () =>
    describeArchive(environment),
  );

  new StdioTransport(server).listen();
  await once(process.stdin, 'end', { signal }).catch(() => undefined);
  return exitCodes.success;
}

/** Returns a function that runs a tool in this process. It throws InputError if the call needs more requests than are allowed. */
function createLocalCalls(
  { connection, connections, engine, pricing, nowAt, getSource, readers }: Environment,
  args: CommandArguments,
  { folder, storage, clock, requestOptions: { signal } }: CommandContext,
): (name: string, input: unknown) => Promise<ToolResult> {
  const hasKey = connection.keyPrefix !== '';
  const maxPerHour = args.has('offline')
    ? 0
    : (parseCount('max-requests', args.text('max-requests')) ?? maxAgentRequestsPerHour());
  let savedQueries: SavedTree = [];
  const deps: ToolsDeps = {
    connections,
    engine,
    // Without a key, a query still has a price, so that the model learns it.
    pricing: hasKey ? pricing : createKeylessPricing(pricing),
    nowAt,
    readers,
    uriScheme: 'vscode',
    stores: {
      list: () => [{ kind: 'workspace', tree: () => savedQueries }],
      settle: async () => {
        const file = args.text('queries') ?? findQueriesFile(folder);
        savedQueries = file === undefined ? [] : await readSavedQueries(file);
      },
    },
    allowance: new AgentAllowance({
      path: join(storage, 'agents', 'agents.json'),
      clock,
      random: Math.random,
      maxPerHour: () => maxPerHour,
    }),
    getSource,
  };
  return async (name, input) => {
    const tool = createGridTools(deps)[name];
    if (!tool) throw new InputError(`Unknown tool '${name}'.`);
    const { requests = 0 } = await tool.prepare(input);
    if (requests > 0 && !hasKey)
      throw new InputError(
        `Nothing was sent, because this needs ${formatRequests(requests)}: the person can open Grid Data in VS Code and confirm them there, or start 'grid mcp' with a key in GRID_DATA_API_KEY or --key-file.`,
      );
    try {
      return await tool.invoke(input, signal);
    } finally {
      // The process may end at any time; rows that are not written would be requested again.
      await engine.waitForWrites();
    }
  };
}

function createKeylessPricing(pricing: Environment['pricing']): ToolsDeps['pricing'] {
  return {
    async computeTotalPrice(periods) {
      const counts = await Promise.all(
        periods.map(async ({ query, connection }) => pricing.countRequests(query, connection)),
      );
      const requests = counts.reduce((sum, count) => sum + count.requests, 0);
      return { requests, now: 0, waitMs: 0 };
    },
    getBudget: async () => Promise.resolve(undefined),
  };
}

/** Describes the archive as JSON: each series with its years, as [start, end) in UTC. */
async function describeArchive({ archive }: Environment): Promise<string> {
  const contents = await archive.contents();
  const series = contents.map(({ series: { source, dataset, interval, params }, years, bytes }) => ({
    source,
    dataset,
    interval,
    params,
    years: years.map(({ start, end }) => `${new Date(start).toISOString()}..${new Date(end).toISOString()}`),
    bytes,
  }));
  return JSON.stringify({ series });
}
