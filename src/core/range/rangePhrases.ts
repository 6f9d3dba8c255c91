import { Temporal } from 'temporal-polyfill';
import { seasons, parseUnitLength } from './rangeEnd.ts';
import { financialMonth } from './rangePoint.ts';
import type { CalendarPeriod, Choose, Point, RangeSpec } from './rangeSpec.ts';
import { parseRangeUnit, type Token } from './tokens.ts';

const toDate = (period: CalendarPeriod): RangeSpec => ({ kind: 'toDate', period });
const previous = (period: CalendarPeriod): RangeSpec => ({ kind: 'previous', period });

const periods = ['week', 'month', 'quarter', 'year'] as const;
const lastWeekend: RangeSpec = {
  kind: 'between',
  from: { kind: 'relativeDay', daysAgo: 1, weekday: 6 },
  to: { kind: 'relativeDay', daysAgo: 1, weekday: 7 },
};

const namedRanges = new Map<string, RangeSpec>([
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
    [`voorverlede ${period}`, createEarlierPeriods(period, 2)],
    [`last ${period}`, previous(period)],
    [`previous ${period}`, previous(period)],
  ]),
  ...seasons.flatMap(season =>
    ['last', 'previous', 'past'].map((word): [string, RangeSpec] => [`${word} ${season}`, previous(season)]),
  ),
]);

/** Parses a range that has no separate ends: “last month”, “last 36 hours”, “3 days ago”, FY2022-23. Returns undefined for any other text. */
export function parsePhrase(tokens: readonly Token[], choose: Choose): RangeSpec | undefined {
  const phrase = tokens.map(token => token.text).join(' ');
  return (
    namedRanges.get(phrase) ?? parseRolling(tokens, choose) ?? parseAgo(tokens, choose) ?? parseTwoYears(phrase, choose)
  );
}

/** Parses “the last 7 days”, “past month” or 24h. “last 2 quarters” may mean two whole quarters, or six months. */
function parseRolling(tokens: readonly Token[], choose: Choose): RangeSpec | undefined {
  const [first, ...others] = tokens[0]?.text === 'the' ? tokens.slice(1) : tokens;
  if (!/^(?:last|past|previous)$/.test(first?.text ?? '')) {
    const length = parseUnitLength(tokens);
    const lastRange: RangeSpec | undefined = length && { kind: 'last', ...length };
    // 18h may also mean 18h00, while 24h is a length of time.
    if (
      !lastRange ||
      length?.unit !== 'hours' ||
      tokens[1]?.text !== 'h' ||
      tokens[1].position.isSpaced ||
      length.count > 23
    )
      return lastRange;
    const [from, to] = [length.count, length.count + 1].map((hour): Point => ({
      kind: 'relativeDay',
      daysAgo: 1,
      clock: `${String(hour).padStart(2, '0')}:00`,
    }));
    return from && to && choose<RangeSpec>('end', lastRange, { kind: 'between', from, to });
  }
  // “last 3 full months” are calendar months.
  const fullPeriod = (['day', ...periods] as const).find(period => others.at(-1)?.text.replace(/s$/, '') === period);
  const countText = others.length === 3 ? others[0]?.text : '1';
  if (fullPeriod && others.at(-2)?.text === 'whole' && others.length <= 3 && /^[1-9]\d{0,2}$/.test(countText ?? ''))
    return createEarlierPeriods(fullPeriod, Number(countText), 1);
  const [count, unit] = others.length === 1 ? [1, others[0]] : [Number(others[0]?.text), others[1]];
  const isCount =
    others.length === 1 || (others.length === 2 && others[0]?.kind === 'number' && /^\d{1,6}$/.test(others[0].text));
  const rangeUnit = parseRangeUnit(unit?.text);
  if (isCount && count > 0 && count < 1000 && /^quarters?$/.test(unit?.text ?? ''))
    return choose<RangeSpec>(
      'end',
      { kind: 'last', count: 3 * count, unit: 'months' },
      createEarlierPeriods('quarter', count, 1),
    );
  return isCount && rangeUnit && count > 0 ? { kind: 'last', count, unit: rangeUnit } : undefined;
}

/** Parses “3 days ago”, which means the day or the time since then. */
function parseAgo(tokens: readonly Token[], choose: Choose): RangeSpec | undefined {
  const [number, word] = tokens;
  const count = Number(number?.text);
  if (tokens.length !== 3 || tokens[2]?.text !== 'ago' || !(count > 0) || count > 999) return undefined;
  if (word?.text === 'quarter' || word?.text === 'quarters')
    return choose<RangeSpec>('end', createEarlierPeriods('quarter', count), {
      kind: 'last',
      count: 3 * count,
      unit: 'months',
    });
  const unit = parseUnitLength(tokens.slice(0, 2))?.unit;
  if (!unit) return undefined;
  const since: RangeSpec = { kind: 'last', count, unit };
  if (unit !== 'hours') return choose('end', createEarlierPeriods(unit.slice(0, -1) as CalendarPeriod, count), since);
  const [from, to] = [count, count - 1].map((hours): Point => ({ kind: 'ago', count: hours, unit }));
  return from && to && count > 1 ? choose<RangeSpec>('end', { kind: 'between', from, to }, since) : since;
}

/** Creates the range of the whole periods from `from` to `to` periods before the current one. */
function createEarlierPeriods(period: CalendarPeriod, from: number, to = from): RangeSpec {
  const point = (periodsAgo: number): Point =>
    period === 'day'
      ? { kind: 'relativeDay', daysAgo: periodsAgo }
      : { kind: 'relativePeriod', period, before: periodsAgo };
  const first = point(from);
  return { kind: 'between', from: first, to: from === to ? first : point(to) };
}

/** Parses FY2022-23, which is one financial year, and 2022/23 or “2022 2023”, which mean one financial year or two calendar years. */
function parseTwoYears(phrase: string, choose: Choose): RangeSpec | undefined {
  const years = phrase.replace(/^(?:fy|(?:financial|fiscal) year) | (?:fy|(?:financial|fiscal) year)$/, '');
  const isFinancial = years !== phrase;
  const [, firstText = '', sign, secondText = ''] =
    /^((?:\d\d)?\d\d) (?:([-/]|to) )?((?:\d\d)?\d\d)$/.exec(years) ?? [];
  const [first, second] = [firstText, secondText].map(year => Number(year.padStart(4, '20')));
  if (first === undefined || first + 1 !== second) return undefined;
  // 2011-12 is a month, and 2022..2023 is unambiguous.
  const isNotYears =
    firstText.length === 2 || (secondText.length === 2 ? Number(secondText) <= 12 : sign === '-' || sign === 'to');
  if (!isFinancial && isNotYears) return undefined;
  const year = (yearNumber: number, month: number): Point => ({
    kind: 'period',
    first: Temporal.PlainDate.from({ year: yearNumber, month, day: 1 }),
    length: month === 1 ? { years: 1 } : { months: 12 },
  });
  const financial = year(first, financialMonth);
  const asFinancial: RangeSpec = { kind: 'between', from: financial, to: financial };
  return isFinancial
    ? asFinancial
    : choose('year', asFinancial, { kind: 'between', from: year(first, 1), to: year(second, 1) });
}
