import * as vscode from 'vscode';
import { beginningOfBodies } from '../../core/json/responseText.ts';
import { stepOf } from '../../core/query/catalogue.ts';
import { parseInstant } from '../../core/time/instant.ts';
import { isSampleData, sandboxData, serviceMeta } from '../../core/query/serviceMeta.ts';
import {
  longestRaw,
  type ActionOffer,
  type DisplayZone,
  type HeaderPart,
  type PanelAction,
  type QueryTools,
  type ViewState,
} from '../../shared/protocol.ts';
import { stepShape } from '../../shared/formatTime.ts';
import type { Coverage, Provenance, Result, Revisions } from '../../shared/result.ts';
import type { Against, ComparedResult } from './comparedRun.ts';
import { errorOf } from '../../core/errors.ts';
import { datasetTitle, describeFrame } from '../messages/catalogue.ts';
import { sampleDataName } from '../connections/connectionMessages.ts';
import { actionLabel, failureWords } from '../messages/failures.ts';
import { offeredZones } from '../settings.ts';
import { count, requests, rows, steps } from '../messages/numbers.ts';
import { askedAs, countedIn, intervalPart, partialDayParts, unfinishedDayParts, withoutRow } from './dayMessages.ts';
import { utc } from '../../core/time/zone.ts';
import { momentText, periodText, shortMomentText, spanText, stepText } from '../messages/times.ts';
import { tableLimits, type TableProblem } from '../../shared/tableLimits.ts';

/** How a result is shown: everything that is not in the answer itself. */
export interface Showing {
  readonly title: string;
  /** The query as the toolbar names it. */
  readonly named: Omit<QueryTools, 'actions'>;
  readonly zone: DisplayZone;
  /** Why a newer answer could not be had. */
  readonly notRefreshed?: string | undefined;
  /** What else can be done with it where it is shown. */
  readonly actions?: readonly PanelAction[];
  /** One sentence on what ended without being asked to. */
  readonly notice?: string | undefined;
}

/** What can be done with a query, whatever its answer. */
export const queryActions = ['refresh', 'previousPeriod', 'nextPeriod', 'save'] as const;

/** What the page shows of a finished query. */
export function resultState(result: ComparedResult, showing: Showing): ViewState {
  const { title, zone, named } = showing;
  const header = headerOf(result, showing);
  const { frame, coverage, provenance, against } = result;
  if (!frame)
    return {
      view: 'json',
      title,
      tools: { ...named, actions: offers(...queryActions, 'changeQuery', 'export', 'openInEditor') },
      header,
      sentence: tableProblemText(result.problem),
      text: beginningOfBodies(result.bodies, longestRaw + 1),
    };
  if (frame.rowCount === 0) {
    return {
      view: 'empty',
      title,
      tools: { ...named, actions: offers(...queryActions) },
      header,
      sentence: emptySentence(provenance, coverage, zone),
      actions: offers(...emptyActions(coverage)),
    };
  }
  return {
    view: 'table',
    origin: {
      connection: provenance.connection,
      isSample: isSampleData(provenance),
      dates: periodText(provenance, provenance.days ?? zone),
    },
    title,
    tools: {
      ...named,
      actions: offers(
        ...queryActions,
        ...(withoutRow(coverage) + withoutRow(against?.coverage) > 0 ? (['fetchMissing'] as const) : []),
        ...(result.revisions ? (['showRevisions'] as const) : []),
        'changeQuery',
        ...(showing.actions ?? []),
        ...(['export', 'openInEditor'] as const),
      ),
    },
    header,
    zone,
    zones: offeredZones(),
    interval: provenance.interval,
    start: provenance.start,
    step: stepOf(provenance.interval),
    frame: describeFrame(frame),
    coverage,
    compared: result.compared ?? [],
  };
}

function emptyActions(coverage: Coverage | undefined): readonly PanelAction[] {
  if (coverage?.notAsked) return ['refresh', 'changeQuery'];
  return ['changeQuery', withoutRow(coverage) > 0 ? 'fetchMissing' : 'refresh'];
}

export function offers(...actions: PanelAction[]): ActionOffer[] {
  return actions.map(action => ({ action, label: actionLabel(action) }));
}

/** Connection, dataset, range and zone, interval, rows, requests spent; and what must not be missed: sample data, holes. */
export function headerOf(
  result: ComparedResult,
  { zone, notRefreshed, notice }: Pick<Showing, 'zone' | 'notRefreshed' | 'notice'>,
): HeaderPart[] {
  const { t } = vscode.l10n;
  const { provenance, coverage, frame, against } = result;
  const sample = sampleNote(provenance);
  // The connection of Sample Data mostly has the same name.
  const parts: HeaderPart[] =
    sample?.text === provenance.connection
      ? [sample]
      : [{ text: provenance.connection, tooltip: t('Connection'), spare: 2 }, ...(sample ? [sample] : [])];
  // The title and the toolbar say the first to go as well.
  parts.push({ text: datasetTitle(provenance.dataset), tooltip: paramsText(provenance), spare: 5 });
  parts.push({
    text: spanText(provenance, provenance.days ?? zone, provenance.nextPublication),
    tooltip: t('Requested range: {0}. The end is exclusive.', provenance.range),
    spare: 1,
  });
  parts.push(...unfinishedDayParts(provenance), intervalPart(provenance, zone));
  if (against) parts.push(againstPart(against, provenance, provenance.days ?? zone));
  if (notice) parts.push({ text: notice, tone: 'warning' });
  if (frame) parts.push(rowsPart(frame.rowCount, coverage, provenance, provenance.days ?? zone));
  if (coverage) parts.push(...partialDayParts(coverage, provenance, provenance.days ?? utc));
  if (result.revisions) parts.push(revisionsPart(result.revisions, provenance, zone));
  const notAsked = coverage ? countedIn(coverage).notAsked : 0;
  if (notAsked > 0) {
    parts.push({
      text: t('{0} not requested', steps(notAsked, askedAs(provenance))),
      tooltip: t("Not in the archive and not requested. 'Fetch Missing' requests them."),
      tone: 'warning',
    });
  }
  const late = latePart(provenance, zone);
  if (late) parts.push(late);
  if (provenance.incomplete) {
    parts.push({
      text: t('more rows available'),
      tooltip: t('The service has more rows at an address that is not followed. Choose a shorter range.'),
      tone: 'warning',
    });
  }
  const failed = failedPart(result, zone);
  if (failed) parts.push(failed);
  parts.push(sourcePart(provenance, zone));
  if (notRefreshed) parts.push({ text: t('not refreshed'), tooltip: notRefreshed, tone: 'warning' });
  return parts;
}

/** “compared with previous period: 26 Apr – 2 May 2026 UTC”, and what is missing there. */
function againstPart(against: Against, asked: Pick<Provenance, 'interval' | 'days'>, zone: DisplayZone): HeaderPart {
  const { t } = vscode.l10n;
  const { name, range, coverage } = against;
  const text = t('compared with {0}: {1}', name, periodText(against, zone));
  const tooltip = t('The other range: {0}. The end is exclusive.', `${spanText(against, zone)} (${range})`);
  const lacking = withoutRow(coverage);
  if (lacking === 0) return { text, tooltip };
  return { text: t('{0}, {1} without a row there', text, steps(lacking, askedAs(asked))), tooltip, tone: 'warning' };
}

function revisionsPart(revisions: Revisions, provenance: Provenance, zone: DisplayZone): HeaderPart {
  const tooltip = vscode.l10n.t('Compare the previous and current values of these rows');
  return { text: revisionsText(revisions, provenance, zone), tooltip, action: 'showRevisions' };
}

/** “3 hours revised, 1 withdrawn since 21 Nov 08:05 UTC”. */
export function revisionsText(
  { revised, withdrawn, since }: Revisions,
  { fetchedAt = since, ...asked }: Pick<Provenance, 'interval' | 'days' | 'fetchedAt'>,
  zone: DisplayZone,
): string {
  const { t } = vscode.l10n;
  const interval = askedAs(asked);
  const then = shortMomentText(since, zone, fetchedAt);
  if (withdrawn === 0) return t('{0} revised since {1}', steps(revised, interval), then);
  if (revised === 0) return t('{0} withdrawn since {1}', steps(withdrawn, interval), then);
  return t('{0} revised, {1} withdrawn since {2}', steps(revised, interval), count(withdrawn), then);
}

/** The service says itself that its data is late: no error, but nobody should take the end of it for the present. */
function latePart({ meta }: Provenance, zone: DisplayZone): HeaderPart | undefined {
  const { data_delay: isLate, last_available: last } = serviceMeta(meta);
  if (isLate !== true) return undefined;
  const since = typeof last === 'string' ? parseInstant(last) : undefined;
  const text =
    since === undefined
      ? vscode.l10n.t('data delayed')
      : vscode.l10n.t('data delayed; latest {0}', momentText(since, zone));
  return { text, tooltip: vscode.l10n.t('Reported by the service. It adds the hours when it has them.') };
}

/** What could not be had, or not anew, and why. */
function failedPart({ provenance, coverage }: Result, zone: DisplayZone): HeaderPart | undefined {
  const { t } = vscode.l10n;
  const { failure, keptSince } = provenance;
  if (!failure) return undefined;
  const why = failureWords(errorOf(failure))?.sentence ?? failure.reason;
  const stretches = failure.stretches.map(([start, end]) => spanText({ start, end }, zone)).join(', ');
  const tooltip = `${stretches}: ${why}`;
  const failed = coverage ? countedIn(coverage).failed : 0;
  if (failed > 0) return { text: t('{0} failed', steps(failed, askedAs(provenance))), tooltip, tone: 'warning' };
  // Neither a step of the period itself nor its age: it is the other one that failed.
  const text = keptSince === undefined ? t('comparison failed') : t('as of {0}', momentText(keptSince, zone));
  return { text, tooltip, tone: 'warning' };
}

/** “1 request, 144 hours kept”: what it cost, and when asking again brings something new. */
function sourcePart(provenance: Provenance, zone: DisplayZone): HeaderPart {
  const { t } = vscode.l10n;
  const { requestsSpent, stepsKept, fetchedAt, nextPublication } = provenance;
  const kept = steps(stepsKept, askedAs(provenance));
  const text = stepsKept > 0 ? t('{0}, {1} from archive', requests(requestsSpent), kept) : requests(requestsSpent);
  const fetched = fetchedAt === undefined ? t('Never fetched.') : t('Fetched {0}.', momentText(fetchedAt, zone));
  const next = t('The next publication is about {0}.', momentText(nextPublication, zone));
  return { text, tooltip: `${fetched} ${next}`, spare: 3 };
}

/** “744 rows”; where the range has steps without one, as the strip says it: “164 of 168 hours, 4 missing”. */
function rowsPart(
  rowCount: number,
  coverage: Coverage | undefined,
  { rowsOutside, interval, ...asked }: Provenance,
  zone: DisplayZone,
): HeaderPart {
  const { t } = vscode.l10n;
  const outside = rowsOutside > 0 ? [t('{0} outside the range omitted.', rows(rowsOutside))] : [];
  if (!coverage || rowCount === 0) return { text: rows(rowCount), tooltip: outside.join(' ') };
  const { expected, present, missing, notPublished } = coverage;
  const tooltip = [...outside, ...(missing > 0 ? [missingText(coverage, zone)] : [])].join(' ');
  if (present === expected && rowCount === present) return { text: rows(rowCount), tooltip };
  const text = [
    // Several rows of one step, or of none.
    ...(rowCount === present ? [] : [rows(rowCount)]),
    t('{0} of {1}', count(present), steps(expected, interval)),
    ...(missing > 0 ? [missingWords(coverage, asked.start, stepOf(interval), zone)] : []),
    ...(notPublished > 0 ? [t('{0} not published yet', count(notPublished))] : []),
  ].join(', ');
  return { text, tooltip, ...(missing > 0 && { tone: 'warning' as const }) };
}

/** Sample Data says so; what is replayed also says from which file. */
function sampleNote(provenance: Provenance): HeaderPart | undefined {
  if (!isSampleData(provenance)) return undefined;
  const { meta } = provenance;
  const { note } = serviceMeta(meta);
  const tooltip =
    sandboxData(meta) === 'replay' && typeof note === 'string' ? note : vscode.l10n.t('Not measured on a real grid.');
  return { text: sampleDataName(), tone: 'warning', tooltip };
}

/** “1 missing: 3 May 02:00”, “23 missing”: when those are is in the tooltip. */
function missingWords(coverage: Coverage, start: number, stepMs: number | undefined, zone: DisplayZone): string {
  const { t } = vscode.l10n;
  const { missingStretches, missing, expected } = coverage;
  const [first] = missingStretches;
  if (missing !== 1 || !first || stepMs === undefined) return t('{0} missing', count(missing));
  return t(
    '{0} missing: {1}',
    count(missing),
    stepText(first[0], zone, stepShape(start, stepMs, expected, coverage.edges)),
  );
}

function paramsText({ params, dataset }: Provenance): string {
  const extra = Object.entries(params).map(([name, value]) => `${name}=${value}`);
  return [dataset, ...extra].join(' ');
}

function missingText(coverage: Coverage, zone: DisplayZone): string {
  const shown = coverage.missingStretches.map(([start, end]) => spanText({ start, end }, zone));
  const counted = coverage.missingStretches.length < coverage.missing ? '…' : '';
  return vscode.l10n.t("No rows received for {0}. 'Fetch Missing' requests them again.", shown.join(', ') + counted);
}

/** Which kind of nothing: in the future, not published yet, or a silence of the service's. */
function emptySentence(provenance: Provenance, coverage: Coverage | undefined, zone: DisplayZone): string {
  const { t } = vscode.l10n;
  const span = spanText(provenance, zone, provenance.nextPublication);
  if (provenance.start >= provenance.nextPublication)
    return t('{0} is in the future. Choose a range that has begun.', span);
  if (coverage && coverage.notAsked > 0) return t('No data for {0} in the archive. Run the query to request it.', span);
  if (coverage && coverage.notPublished === coverage.expected) {
    return t('No data is published for {0} yet. Hours are published after they end.', span);
  }
  return t('The service has no rows for {0}. It may add them later.', span);
}

/** Why a response is shown as JSON alone, in one sentence. */
function tableProblemText(problem: TableProblem = 'notRecords'): string {
  const { t } = vscode.l10n;
  switch (problem) {
    case 'notRecords':
      return t("The response isn't a table, so only its JSON is shown.");
    case 'tooManyColumns':
      return t('The response has more than {0} columns, so only its JSON is shown.', count(tableLimits.columns));
    case 'tooManyRows':
      return t('The response has more than {0} rows, so only its JSON is shown.', count(tableLimits.rows));
    case 'tooManyCells':
      return t('The response has more than {0} cells, so only its JSON is shown.', count(tableLimits.cells));
    case 'tooManyTexts':
      return t('The response has more than {0} different texts, so only its JSON is shown.', count(tableLimits.texts));
    case 'nameTooLong':
      return t(
        'The response has a field name of more than {0} characters, so only its JSON is shown.',
        count(tableLimits.nameLength),
      );
    case 'nestedTooDeep':
      return t(
        'The response is nested more than {0} levels deep, so only its JSON is shown.',
        count(tableLimits.nesting),
      );
    case 'tooLarge':
      return t('The response takes too much memory for a table, so only its JSON is shown.');
  }
}
