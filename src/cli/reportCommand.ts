import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join, parse, resolve } from 'node:path';
import { GridError } from '../core/errors.ts';
import type { ReportPart } from '../core/report/report.ts';
import { InputError } from '../host/inputError.ts';
import { datasetTitle } from '../host/messages/catalogue.ts';
import { intervalName } from '../host/messages/numbers.ts';
import { formatRange } from '../host/messages/times.ts';
import type { ComparedResult } from '../host/panel/comparedRun.ts';
import { createResultState } from '../host/panel/resultState.ts';
import {
  createReportFiles,
  createReportPart,
  writeReportFiles,
  type ReportFormat,
} from '../host/report/reportFiles.ts';
import { formatQueryCount } from '../host/savedQueries/savedMessages.ts';
import { displayZone, findOfferedZone, getQueryZone } from '../host/settings.ts';
import type { SettledState } from '../shared/protocol.ts';
import { getViewZone, parseView } from '../shared/view.ts';
import { exitCodes, type CommandArguments } from './commandLine.ts';
import type { CommandContext } from './commandContext.ts';
import { describeCliFailure, warnOfFailures, writeOrWarn } from './failures.ts';
import { getPeriodDate, reportPeriods } from './reportPeriod.ts';
import { queryOptions, readRequestedQueries, type NamedQuery } from './requestedQuery.ts';

export const reportCommandOptions = {
  ...queryOptions,
  out: { type: 'string' },
  every: { type: 'string' },
  title: { type: 'string' },
} as const;

/** Writes the queries as one report, with a section for each, as the extension's Export Report does. Returns the exit code. */
export async function runReportCommand(args: CommandArguments, context: CommandContext): Promise<number> {
  const { format, file, incompleteFile } = parseTarget(args, context);
  // The report of this period was written by an earlier run.
  if (incompleteFile !== undefined && existsSync(file)) return exitCodes.success;
  const { title: itemTitle, note = '', queries } = await readRequestedQueries(args, context.folder);
  if (queries.length === 0) throw new InputError(`'${itemTitle ?? ''}' has no queries.`);
  const environment = await context.openEnvironment();
  const results = await environment.run(queries, context.requestOptions);
  const hasFailed = warnOfFailures(queries, results, context);
  const parts: ReportPart[] = [];
  for (const [index, query] of queries.entries())
    parts.push(await createPart(query, results[index], args.text('zone') !== undefined));
  const title =
    args.text('title') ??
    itemTitle ??
    (queries.length > 1 ? formatQueryCount(queries.length) : (parts[0]?.title ?? ''));
  const target = (hasFailed ? incompleteFile : undefined) ?? file;
  const files = createReportFiles({ title, note, parts }, format, parse(target).base, parse(file).name);
  const { clock, requestOptions } = context;
  return writeOrWarn(target, context, async () => {
    await writeReportFiles(dirname(target), files, { clock, signal: requestOptions.signal });
    if (incompleteFile !== undefined && !hasFailed) await rm(incompleteFile, { force: true });
    context.note(`Wrote ${target}.`);
    return hasFailed ? exitCodes.failure : exitCodes.success;
  });
}

interface ReportTarget {
  readonly format: ReportFormat;
  readonly file: string;
  /** The file of a report in which a query failed, so that the next run tries again; only with --every. */
  readonly incompleteFile?: string;
}

function parseTarget(args: CommandArguments, { folder, clock }: CommandContext): ReportTarget {
  const out = args.text('out') ?? '';
  const { dir, name, ext } = parse(resolve(folder, out));
  const format = /^\.html?$/i.test(ext) ? 'html' : /^\.(?:md|markdown)$/i.test(ext) ? 'markdown' : undefined;
  if (out === '' || !format)
    throw new InputError("'grid report' needs the file to write: --out FILE.html, or FILE.md for Markdown.");
  const every = args.text('every')?.toLowerCase();
  if (every === undefined) return { format, file: join(dir, `${name}${ext}`) };
  const period = reportPeriods.find(candidate => candidate === every);
  if (!period) throw new InputError(`Unknown period '${every}'. Use ${reportPeriods.join(', ')}.`);
  const datedName = `${name}-${getPeriodDate(period, clock.now(), displayZone().timeZone)}`;
  return { format, file: join(dir, `${datedName}${ext}`), incompleteFile: join(dir, `${datedName}.incomplete${ext}`) };
}

/** Creates the section of a query, in the zone of --zone or else of its view. */
async function createPart(
  query: NamedQuery,
  result: ComparedResult | GridError = new GridError('cancelled'),
  isZoneChosen: boolean,
): Promise<ReportPart> {
  const { dataset, range, interval } = query.query;
  const viewZone = isZoneChosen ? undefined : findOfferedZone(getViewZone(query) ?? '');
  const zone = viewZone ?? getQueryZone(query.query);
  const title = query.name ?? [datasetTitle(dataset), formatRange(range, zone), intervalName(interval)].join(' · ');
  const received = result instanceof GridError ? undefined : result;
  const settled: SettledState = !(result instanceof GridError)
    ? createResultState(result, { title, zone, toolbarTexts: { interval: intervalName(interval) } })
    : { view: 'error', title, header: [], sentence: describeCliFailure(result), actions: [] };
  return createReportPart({ title, result: received, zone, view: parseView(query), settled, note: query.note }, title);
}
