import * as vscode from 'vscode';
import { formatJson } from '../../core/formatJson.ts';
import { stepOf } from '../../core/catalogue.ts';
import { parseInstant } from '../../core/instant.ts';
import { sandboxData, serviceMeta } from '../../core/serviceMeta.ts';
import type { ActionOffer, DisplayZone, HeaderPart, PanelAction, ViewState } from '../../shared/protocol.ts';
import { stepShape } from '../../shared/formatTime.ts';
import type { Coverage, Provenance, Result } from '../../shared/result.ts';
import type { Against, ComparedResult } from '../panel/comparedRun.ts';
import { errorOf } from '../../core/errors.ts';
import { datasetTitle, frameInWords } from './catalogue.ts';
import { actionLabel, failureWords } from './failures.ts';
import { offeredZones } from '../settings.ts';
import { intervalName, requests, rows, steps } from './numbers.ts';
import { momentText, periodText, spanText, stepText } from './times.ts';

/** How a result is shown: everything that is not in the answer itself. */
export interface Showing {
  readonly title: string;
  readonly zone: DisplayZone;
  /** Why a newer answer could not be had. */
  readonly notRefreshed?: string | undefined;
  /** What else can be done with it where it is shown. */
  readonly actions?: readonly PanelAction[];
  /** One sentence on what ended without being asked to. */
  readonly notice?: string | undefined;
}

/** What the page shows of a finished query. */
export function resultState(result: ComparedResult, showing: Showing): ViewState {
  const { title, zone } = showing;
  const header = headerOf(result, showing);
  const { frame, coverage, provenance, against } = result;
  if (!frame)
    return {
      view: 'json',
      title,
      header,
      actions: offers('export', 'openInEditor', 'changeQuery', 'refresh'),
      text: formatJson(result.json),
    };
  if (frame.rowCount === 0) {
    return {
      view: 'empty',
      title,
      header,
      sentence: emptySentence(provenance, coverage, zone),
      actions: offers(...emptyActions(coverage)),
    };
  }
  return {
    view: 'table',
    title,
    header,
    actions: offers(
      'refresh',
      ...(withoutRow(coverage) + withoutRow(against?.coverage) > 0 ? (['fetchMissing'] as const) : []),
      ...(showing.actions ?? []),
      'changeQuery',
      'save',
      'export',
      'openInEditor',
    ),
    zone,
    zones: offeredZones(),
    range: provenance.range,
    interval: provenance.interval,
    intervalName: intervalName(provenance.interval),
    start: provenance.start,
    step: stepOf(provenance.interval),
    frame: frameInWords(frame),
    coverage,
    compared: result.compared ?? [],
  };
}

/** Steps that are over and have no row, for whatever reason: the service may have them by now. */
function withoutRow(coverage: Coverage | undefined): number {
  return coverage ? coverage.missing + coverage.late + coverage.failed + coverage.notAsked : 0;
}

function emptyActions(coverage: Coverage | undefined): readonly PanelAction[] {
  if (coverage?.notAsked) return ['refresh', 'changeQuery'];
  return ['changeQuery', withoutRow(coverage) > 0 ? 'fetchMissing' : 'refresh'];
}

export function offers(...actions: PanelAction[]): ActionOffer[] {
  return actions.map(action => ({ action, label: actionLabel(action) }));
}

/** Connection, dataset, range and zone, interval, rows, requests spent; and what must not be missed: sample data, holes. */
export function headerOf(result: ComparedResult, { zone, notRefreshed, notice }: Showing): HeaderPart[] {
  const { t } = vscode.l10n;
  const { provenance, coverage, frame, against } = result;
  const parts: HeaderPart[] = [{ text: provenance.connection, tooltip: t('Connection') }];
  const sample = sampleNote(provenance);
  if (sample) parts.push(sample);
  parts.push({ text: datasetTitle(provenance.dataset), tooltip: paramsText(provenance) });
  parts.push({
    text: spanText(provenance, zone, provenance.nextPublication),
    tooltip: t('Range asked: {0}. The end does not belong to it.', provenance.range),
  });
  parts.push({
    text: intervalName(provenance.interval),
    tooltip: t('Interval: {0}. Times are the beginning of each.', provenance.interval),
  });
  if (against) parts.push(againstPart(against, provenance.interval, zone));
  if (notice) parts.push({ text: notice, tone: 'warning' });
  if (frame) parts.push(rowsPart(frame.rowCount, coverage, provenance));
  if (coverage && coverage.missing > 0 && frame?.rowCount) {
    parts.push({
      text: missingWords(coverage, provenance, zone),
      tooltip: missingText(coverage, zone),
      tone: 'warning',
    });
  }
  if (coverage && coverage.notAsked > 0) {
    parts.push({
      text: t('{0} not asked for', steps(coverage.notAsked, provenance.interval)),
      tooltip: t('These are not in the archive, and nothing was sent. “Fetch Missing” asks for them.'),
      tone: 'warning',
    });
  }
  const late = latePart(provenance, zone);
  if (late) parts.push(late);
  if (provenance.incomplete) {
    parts.push({
      text: t('more at the service'),
      tooltip: t('The service says that it has more rows at an address that is not followed. Ask for a shorter range.'),
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
function againstPart(against: Against, interval: string, zone: DisplayZone): HeaderPart {
  const { t } = vscode.l10n;
  const { name, range, coverage } = against;
  const text = t('compared with {0}: {1}', name, periodText(against, zone));
  const tooltip = t('The other range: {0}. The end does not belong to it.', `${spanText(against, zone)} (${range})`);
  const lacking = withoutRow(coverage);
  if (lacking === 0) return { text, tooltip };
  return { text: t('{0}, {1} without a row there', text, steps(lacking, interval)), tooltip, tone: 'warning' };
}

/** The service says itself that its data is late: no error, but nobody should take the end of it for the present. */
function latePart({ meta }: Provenance, zone: DisplayZone): HeaderPart | undefined {
  const { data_delay: isLate, last_available: last } = serviceMeta(meta);
  if (isLate !== true) return undefined;
  const since = typeof last === 'string' ? parseInstant(last) : undefined;
  const text =
    since === undefined
      ? vscode.l10n.t('data is late')
      : vscode.l10n.t('data is late, the last is of {0}', momentText(since, zone));
  return { text, tooltip: vscode.l10n.t('The service says so. It fills the hours in when it has them.') };
}

/** What could not be had, or not anew, and why. */
function failedPart({ provenance, coverage }: Result, zone: DisplayZone): HeaderPart | undefined {
  const { t } = vscode.l10n;
  const { failure, keptSince, interval } = provenance;
  if (!failure) return undefined;
  const why = failureWords(errorOf(failure))?.sentence ?? failure.reason;
  const stretches = failure.stretches.map(([start, end]) => spanText({ start, end }, zone)).join(', ');
  const tooltip = `${stretches}: ${why}`;
  if (coverage && coverage.failed > 0)
    return { text: t('{0} failed', steps(coverage.failed, interval)), tooltip, tone: 'warning' };
  // Neither a step of the period itself nor its age: it is the other one that failed.
  const text = keptSince === undefined ? t('comparison failed') : t('as of {0}', momentText(keptSince, zone));
  return { text, tooltip, tone: 'warning' };
}

/** “1 request, 144 hours kept”: what it cost, and when asking again brings something new. */
function sourcePart(provenance: Provenance, zone: DisplayZone): HeaderPart {
  const { t } = vscode.l10n;
  const { requestsSpent, stepsKept, fetchedAt, nextPublication, interval } = provenance;
  const text =
    stepsKept > 0 ? t('{0}, {1} kept', requests(requestsSpent), steps(stepsKept, interval)) : requests(requestsSpent);
  const fetched = fetchedAt === undefined ? t('Never fetched.') : t('Fetched {0}.', momentText(fetchedAt, zone));
  return { text, tooltip: `${fetched} ${t('The next publication is about {0}.', momentText(nextPublication, zone))}` };
}

function rowsPart(rowCount: number, coverage: Coverage | undefined, provenance: Provenance): HeaderPart {
  const { t } = vscode.l10n;
  const outside = provenance.rowsOutside > 0 ? t('{0} outside the range left out. ', rows(provenance.rowsOutside)) : '';
  if (!coverage) return { text: rows(rowCount), tooltip: outside };
  const tooltip =
    outside +
    t(
      '{0} asked, {1} with a row, {2} missing, {3} not published yet.',
      coverage.expected,
      coverage.present,
      coverage.missing,
      coverage.notPublished,
    );
  return { text: rows(rowCount), tooltip };
}

/** The sandbox says in `meta` that its data is made up or replayed; no other service sets this. */
function sampleNote({ meta }: Provenance): HeaderPart | undefined {
  const kind = sandboxData(meta);
  if (kind === undefined) return undefined;
  const { t } = vscode.l10n;
  if (kind === 'synthetic')
    return { text: t('Sample data'), tone: 'warning', tooltip: t('This is sample data, made up by the sandbox.') };
  const { note } = serviceMeta(meta);
  return { text: t('Replayed data'), tone: 'warning', ...(typeof note === 'string' && { tooltip: note }) };
}

/** “1 hour missing: 3 May 02:00”, “23 hours missing, the first 20 Nov 13:00”. */
function missingWords({ missingStretches, missing, expected }: Coverage, asked: Provenance, zone: DisplayZone): string {
  const { t } = vscode.l10n;
  const [first] = missingStretches;
  const howMany = steps(missing, asked.interval);
  const stepMs = stepOf(asked.interval);
  if (!first || stepMs === undefined) return t('{0} missing', howMany);
  const when = stepText(first[0], zone, stepShape(asked.start, stepMs, expected));
  return missing === 1 ? t('{0} missing: {1}', howMany, when) : t('{0} missing, the first {1}', howMany, when);
}

function paramsText({ params, dataset }: Provenance): string {
  const extra = Object.entries(params).map(([name, value]) => `${name}=${value}`);
  return [dataset, ...extra].join(' ');
}

function missingText(coverage: Coverage, zone: DisplayZone): string {
  const shown = coverage.missingStretches.map(([start, end]) => spanText({ start, end }, zone));
  const counted = coverage.missingStretches.length < coverage.missing ? '…' : '';
  return vscode.l10n.t('No row came for {0}. “Fetch Missing” asks for them again.', shown.join(', ') + counted);
}

/** Which kind of nothing: in the future, not published yet, or a silence of the service's. */
function emptySentence(provenance: Provenance, coverage: Coverage | undefined, zone: DisplayZone): string {
  const { t } = vscode.l10n;
  const span = spanText(provenance, zone, provenance.nextPublication);
  if (provenance.start >= provenance.nextPublication)
    return t('{0} lies in the future. Choose a range that has begun.', span);
  if (coverage && coverage.notAsked > 0)
    return t('Nothing of {0} is in the archive. Run the query to ask the service.', span);
  if (coverage && coverage.notPublished === coverage.expected) {
    return t('Nothing is published yet for {0}. An hour is published when it is over.', span);
  }
  return t('The service answered, but has no rows for {0}. It may never have had them, or fill them in later.', span);
}
