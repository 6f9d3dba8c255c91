import { maxPages, maxTries, keyVariable, createTemplateValues, type SnippetQuery } from './snippetQuery.ts';
import type { PanelTransformations } from './panelTransformations.ts';
import { quoteSqlName, quoteForTypeScript as text } from './quote.ts';

/**
 * Returns a TypeScript program for Node 20 or newer that prints the rows as JSON, in the order of their instants. It needs no packages,
 * except DuckDB for a panel's transformations.
 */
export function formatTypeScriptSnippet(snippetQuery: SnippetQuery): string {
  const values = createTemplateValues(snippetQuery, true);
  const transformationCode = snippetQuery.transformations
    ? formatTransformations(snippetQuery.transformations, values.timeColumn)
    : '';
  const { relative } = values;
  const range = relative
    ? `const end = (Math.floor((Math.floor(Date.now() / 1000) + ${relative.shift}) / ${relative.grid}) * ${relative.grid} - ${relative.shift}) * 1000;
const start = end - ${relative.length} * 1000;`
    : `const start = Date.parse('${values.startText}');
const end = Date.parse('${values.endText}');`;
  return `${values.comments.map(line => `// ${line}`).join('\n')}
${transformationCode ? '// Needs: npm install @duckdb/node-api\n' : ''}// Save it as grid-data.mts and run it with Node 22.18 or newer: node grid-data.mts (with Node 20: npx tsx grid-data.mts)
import { setTimeout as sleep } from 'node:timers/promises';

type Row = Record<string, unknown>;
type Params = (readonly [name: string, value: string])[];

const key = process.env.${keyVariable};
if (!key) throw new Error('Set the environment variable ${keyVariable} to your API key first.');

const url = ${text(values.url)};
const path = ${text(values.path)};
const fixed: Params = [${values.params.map(([name, value]) => `[${text(name)}, ${text(value)}]`).join(', ')}];
${range}
const maxRange = ${values.maxRangeSeconds} * 1000; // maximum milliseconds per request: ${values.maxRangeNote}

/** Returns the milliseconds to wait. Retry-After has a number of seconds, or a date by the clock of the service. */
function waitAfter(headers: Headers, attempt: number): number {
  const retryAfter = headers.get('Retry-After') ?? '';
  if (/^\\d+$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const wait = Date.parse(retryAfter) - (Date.parse(headers.get('Date') ?? '') || Date.now());
  return Number.isNaN(wait) ? 2 ** attempt * 1000 : Math.max(1000, wait);
}

/** Sends one request. Waits as long as the service asks, and follows no redirect, which could send the key to another address. */
async function getPage(apiKey: string, params: Params): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const query = new URLSearchParams(params.map(([name, value]) => [name, value]));
    const response = await fetch(\`\${url}?\${query}\`, {
      headers: { 'X-API-KEY': apiKey },
      redirect: 'manual',
      signal: AbortSignal.timeout(60_000),
    });
    if (response.status === 200) return response.json();
    const body = await response.text();
    if (![429, 503].includes(response.status) || attempt === ${maxTries})
      throw new Error(\`The service returned \${response.status}: \${body.slice(0, 300)}\`);
    await sleep(waitAfter(response.headers, attempt));
  }
}

/** Returns the rows of a range from all pages. */
async function rowsBetween(apiKey: string, from: number, until: number): Promise<Row[]> {
  const rows: Row[] = [];
  const instant = (ms: number) => new Date(ms).toISOString().replace('.000', '');
  let params: Params = [['start', instant(from)], ['end', instant(until)], ...fixed];
  for (let page = 1; page <= ${maxPages}; page++) {
    const body = (await getPage(apiKey, params)) as Row[] | { data?: Row[]; results?: Row[]; next?: string | null };
    if (Array.isArray(body)) return [...rows, ...body];
    rows.push(...(body.data ?? body.results ?? []));
    if (!body.next || !URL.canParse(body.next, url)) break;
    const link = new URL(body.next, url);
    if (!link.search || !link.pathname.replace(/\\/+$/, '').endsWith(path)) break;
    params = [...link.searchParams]; // only its parameters; the address stays the same
  }
  return rows;
}

const byInstant = new Map<number, Row>();
for (let part = start; part < end; part += maxRange) {
  for (const row of await rowsBetween(key, part, Math.min(part + maxRange, end))) {
    const at = Date.parse(String(row[${text(values.timeColumn)}]));
    if (!(at < start || at >= end)) byInstant.set(Number.isNaN(at) ? -byInstant.size : at, row);
  }
}
const rows = [...byInstant].sort(([a], [b]) => a - b).map(([, row]) => row);
${transformationCode}console.log(JSON.stringify(${transformationCode ? 'transformed' : 'rows'}, undefined, 2));
`;
}

/** Returns TypeScript statements that apply the transformations to `rows` with DuckDB. `time`: the time column. */
function formatTransformations({ sql, renamed }: PanelTransformations, time: string): string {
  if (sql.length === 0) return '';
  const names = new Map(renamed);
  const instants = quoteSqlName(names.get(time) ?? time);
  const selectTyped = `SELECT * REPLACE (${instants}::TIMESTAMPTZ AS ${instants})`;
  const pairs = renamed.map(pair => `[${pair.map(text).join(', ')}]`).join(', ');
  const nameMap = names.size > 0 && `const sqlNames = new Map([${pairs}]);\n`;
  const createTable = `CREATE TEMP TABLE grid AS ${selectTyped} FROM (SELECT unnest(from_json($1, '`;
  return `
// The columns and rows of the panel.
import { DuckDBInstance } from '@duckdb/node-api';

/** Flattens nested objects: the member b of the object a becomes the cell "a.b". */
function flatten(row: Row): Row {
  const cells = Object.entries(row).flatMap(([name, cell]) =>
    typeof cell === 'object' && cell !== null && !Array.isArray(cell)
      ? Object.entries(flatten(cell as Row)).map(([part, inner]) => [\`\${name}.\${part}\`, inner] as const)
      : [[name, cell] as const],
  );
  return Object.fromEntries(cells);
}

/** Returns the SQL type of a column: VARCHAR, unless all of its values are numbers or booleans. */
function getSqlType(name: string): string {
  const kinds = new Set(received.flatMap(row => ((row[name] ?? null) === null ? [] : [typeof row[name]])));
  if (kinds.size > 1) return 'VARCHAR';
  return kinds.has('number') ? 'DOUBLE' : kinds.has('boolean') ? 'BOOLEAN' : 'VARCHAR';
}

${nameMap || ''}const received = rows.map(${nameMap ? 'row => Object.fromEntries(Object.entries(flatten(row)).map(([name, cell]) => [sqlNames.get(name) ?? name, cell]))' : 'flatten'});
if (received.length === 0) throw new Error('Nothing is published for this range yet.');
const names = [...new Set(received.flatMap(row => Object.keys(row)))];
const types = JSON.stringify([Object.fromEntries(names.map(name => [name, getSqlType(name)]))]).replaceAll("'", "''");
const database = await (await DuckDBInstance.create()).connect();
await database.run("SET TimeZone = 'UTC'");
await database.run(${text(createTable)} + types + ${text("'), recursive := true))")}, [JSON.stringify(received)]);
${sql.map(statement => `await database.run(${text(statement)});`).join('\n')}
const transformed = (await database.runAndReadAll('FROM grid')).getRowObjectsJS();
`;
}
