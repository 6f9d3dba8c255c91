import { Temporal } from 'temporal-polyfill';
import { seasons, unitLength } from './rangeEnd.ts';
import { financialMonth } from './rangePoint.ts';
import type { CalendarPeriod, Choose, Point, RangeSpec } from './rangeSpec.ts';
import { rangeUnitOf, type Token } from './tokens.ts';

const toDate = (period: CalendarPeriod): RangeSpec => ({ kind: 'toDate', period });
const previous = (period: CalendarPeriod): RangeSpec => ({ kind: 'previous', period });

const periods = ['week', 'month', 'quarter', 'year'] as const;
const lastWeekend: RangeSpec = {
  kind: 'between',
  from: { kind: 'relativeDay', daysAgo: 1, weekday: 6 },
  to: { kind: 'relativeDay', daysAgo: 1, weekday: 7 },
};

const named = new Map<string, RangeSpec>([
  ['today', toDate('day')],
  ['yesterday', previous('day')],
  ['last weekend', lastWeekend],
  ['previous weekend', lastWeekend],
  ['past weekend', lastWeekend],
  ['today so far', toDate('day')],
  ['from midnight', toDate('day')],
  ...periods.flatMap((period): [string, RangeSpec][] => [
    [`${period} to date`, toDate(period)],
    [`this ${period}`, toDate(period)],
    [`this ${period} so far`, toDate(period)],
    [`so far this ${period}`, toDate(period)],
    [`${period} so far`, toDate(period)],
    [`from ${period}`, toDate(period)],
    [`voorverlede ${period}`, earlier(period, 2)],
    [`last ${period}`, previous(period)],
    [`previous ${period}`, previous(period)],
  ]),
  ...seasons.flatMap(season =>
    ['last', 'previous', 'past'].map((word): [string, RangeSpec] => [`${word} ${season}`, previous(season)]),
  ),
]);

/** The range of a text that has no ends: “last month”, “last 36 hours”, “3 days ago”, FY2022-23; undefined for any other text. */
export function readPhrase(tokens: readonly Token[], choose: Choose): RangeSpec | undefined {
  const phrase = tokens.map(token => token.text).join(' ');
  return named.get(phrase) ?? rolling(tokens, choose) ?? ago(tokens, choose) ?? twoYears(phrase, choose);
}

/** “the last 7 days”, “past month”, 24h. “last 2 quarters” may be whole ones, or six months. */
function rolling(tokens: readonly Token[], choose: Choose): RangeSpec | undefined {
  const [first, ...others] = tokens[0]?.text === 'the' ? tokens.slice(1) : tokens;
  if (!/^(?:last|past|previous)$/.test(first?.text ?? '')) {
    const length = unitLength(tokens);
    const back: RangeSpec | undefined = length && { kind: 'last', ...length };
    // 18h may also be 18h00; 24h may not.
    if (!back || length?.unit !== 'hours' || tokens[1]?.text !== 'h' || tokens[1].at.apart || length.count > 23)
      return back;
    const [from, to] = [length.count, length.count + 1].map((hour): Point => ({
      kind: 'relativeDay',
      daysAgo: 1,
      clock: `${String(hour).padStart(2, '0')}:00`,
    }));
    return from && to && choose<RangeSpec>('end', back, { kind: 'between', from, to });
  }
  // “last 3 full months” are of the calendar.
  const whole = (['day', ...periods] as const).find(period => others.at(-1)?.text.replace(/s$/, '') === period);
  const written = others.length === 3 ? others[0]?.text : '1';
  if (whole && others.at(-2)?.text === 'whole' && others.length <= 3 && /^[1-9]\d{0,2}$/.test(written ?? ''))
    return earlier(whole, Number(written), 1);
  const [count, unit] = others.length === 1 ? [1, others[0]] : [Number(others[0]?.text), others[1]];
  const isCount =
    others.length === 1 || (others.length === 2 && others[0]?.kind === 'number' && /^\d{1,6}$/.test(others[0].text));
  const known = rangeUnitOf(unit?.text);
  if (isCount && count > 0 && count < 1000 && /^quarters?$/.test(unit?.text ?? ''))
    return choose<RangeSpec>('end', { kind: 'last', count: 3 * count, unit: 'months' }, earlier('quarter', count, 1));
  return isCount && known && count > 0 ? { kind: 'last', count, unit: known } : undefined;
}

/** “3 days ago”: the day, or the time since. */
function ago(tokens: readonly Token[], choose: Choose): RangeSpec | undefined {
  const [number, word] = tokens;
  const count = Number(number?.text);
  if (tokens.length !== 3 || tokens[2]?.text !== 'ago' || !(count > 0) || count > 999) return undefined;
  if (word?.text === 'quarter' || word?.text === 'quarters')
    return choose<RangeSpec>('end', earlier('quarter', count), { kind: 'last', count: 3 * count, unit: 'months' });
  const unit = unitLength(tokens.slice(0, 2))?.unit;
  if (!unit) return undefined;
  const since: RangeSpec = { kind: 'last', count, unit };
  if (unit !== 'hours') return choose('end', earlier(unit.slice(0, -1) as CalendarPeriod, count), since);
  const [from, to] = [count, count - 1].map((hours): Point => ({ kind: 'ago', count: hours, unit }));
  return from && to && count > 1 ? choose<RangeSpec>('end', { kind: 'between', from, to }, since) : since;
}

/** The whole periods from so many before the present one to another. */
function earlier(period: CalendarPeriod, from: number, to = from): RangeSpec {
  const point = (before: number): Point =>
    period === 'day' ? { kind: 'relativeDay', daysAgo: before } : { kind: 'relativePeriod', period, before };
  const first = point(from);
  return { kind: 'between', from: first, to: from === to ? first : point(to) };
}

/** FY2022-23 is one financial year; 2022/23, and 2022/2023 with a slash or a blank, are one or two years of the calendar. */
function twoYears(phrase: string, choose: Choose): RangeSpec | undefined {
  const years = phrase.replace(/^(?:fy|(?:financial|fiscal) year) | (?:fy|(?:financial|fiscal) year)$/, '');
  const isFinancial = years !== phrase;
  const [, one = '', sign, other = ''] = /^((?:\d\d)?\d\d) (?:([-/]|to) )?((?:\d\d)?\d\d)$/.exec(years) ?? [];
  const [first, second] = [one, other].map(year => Number(year.padStart(4, '20')));
  if (first === undefined || first + 1 !== second) return undefined;
  // 2011-12 is December, and 2022..2023 is unambiguous.
  const isOther = one.length === 2 || (other.length === 2 ? Number(other) <= 12 : sign === '-' || sign === 'to');
  if (!isFinancial && isOther) return undefined;
  const year = (at: number, month: number): Point => ({
    kind: 'period',
    first: Temporal.PlainDate.from({ year: at, month, day: 1 }),
    length: month === 1 ? { years: 1 } : { months: 12 },
  });
  const financial = year(first, financialMonth);
  const asFinancial: RangeSpec = { kind: 'between', from: financial, to: financial };
  return isFinancial
    ? asFinancial
    : choose('year', asFinancial, { kind: 'between', from: year(first, 1), to: year(second, 1) });
}
