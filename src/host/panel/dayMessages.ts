import * as vscode from 'vscode';
import { stepShape } from '../../shared/formatTime.ts';
import type { DisplayZone, HeaderPart } from '../../shared/protocol.ts';
import { partialDay, shownStates, stepStart, type Coverage, type Provenance } from '../../shared/result.ts';
import { count, intervalName } from '../messages/numbers.ts';
import { reachesToNow, stepText } from '../messages/times.ts';
import { utc } from '../../core/time/zone.ts';

const dayMs = 86_400_000;
/** More days in one tooltip are read by nobody. */
const mostListed = 10;

/** Steps that are over and have no row, for whatever reason: the service may have them by now. Of days made from hours, hours. */
export function withoutRow(coverage: Coverage | undefined): number {
  if (!coverage) return 0;
  const { missing, late, failed, notAsked } = countedIn(coverage);
  return missing + late + failed + notAsked;
}

/** What was asked for, told apart: the hours of days that are made from them. */
export function countedIn(coverage: Coverage): Omit<Coverage, 'states' | 'kept' | 'missingStretches'> {
  return coverage.hours?.counts ?? coverage;
}

/** The interval of what was asked for. */
export function askedAs({ interval, days }: Pick<Provenance, 'interval' | 'days'>): string {
  return days ? '1h' : interval;
}

/** The interval, and for days: whose they are, and what they are made from. */
export function intervalPart({ interval, days }: Provenance, zone: DisplayZone): HeaderPart {
  const { t } = vscode.l10n;
  const text = intervalName(interval);
  const asked = t('Interval: {0}. Times are the beginning of each.', interval);
  if (!days) {
    const own = t("These are the service's own days, which are days of UTC.");
    return { text, tooltip: interval === '1d' ? `${asked} ${own}` : asked, spare: 4 };
  }
  const made = t('Days of {0}, made from hours: an hour counts for the day in which it begins.', days.label);
  // Where another zone is shown, nobody should take the days for that one's.
  if (days.timeZone === zone.timeZone) return { text, tooltip: `${asked} ${made}`, spare: 4 };
  return { text, tooltip: `${asked} ${made} ${t('They stay the same when another zone is shown.')}` };
}

/** “without 23 Nov, which is not over”, where a range of the service's days reaches to now. */
export function unfinishedDayParts({ interval, days, range, end, nextPublication }: Provenance): HeaderPart[] {
  const { t } = vscode.l10n;
  if (interval !== '1d' || days || end >= nextPublication || !reachesToNow(range)) return [];
  const day = stepText(end, utc, stepShape(end, dayMs, 1));
  const tooltip = t(
    'The service publishes a day after it ends in UTC. For this day, use hourly values, or days made from hours such as 1d@UTC.',
  );
  return [{ text: t('without {0}, which has not ended', day), tooltip }];
}

/** “3 May: 14 of 24 h”, or of how many days only some hours are there; a warning where an hour of them is over. */
export function partialDayParts(
  coverage: Coverage,
  { start, nextPublication }: Provenance,
  zone: DisplayZone,
): HeaderPart[] {
  const { t } = vscode.l10n;
  const { hours, expected } = coverage;
  if (!hours) return [];
  const states = shownStates(coverage);
  const days = Array.from(states.keys()).filter(day => states[day] === partialDay);
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const shape = stepShape(start, dayMs, expected, coverage.edges);
  const said = (day: number): string => {
    const at = stepText(stepStart(coverage, start, dayMs, day), zone, shape);
    return t('{0}: {1} of {2} h', at, hours.present[day] ?? 0, hours.expected[day] ?? 0);
  };
  const isOpen = last === first && stepStart(coverage, start, dayMs, last + 1) > nextPublication - dayMs / 24;
  const listed = days.slice(0, mostListed).map(said).join(', ') + (days.length > mostListed ? ' …' : '');
  const text = days.length === 1 ? said(first) : t('{0} days with some of their hours', count(days.length));
  const tooltip = t('Available hours: {0}.', listed);
  const isLacking = hours.counts ? withoutRow(coverage) > 0 : !isOpen;
  return [{ text, tooltip, ...(isLacking && { tone: 'warning' as const }) }];
}
