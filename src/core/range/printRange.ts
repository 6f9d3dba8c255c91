import { Temporal } from 'temporal-polyfill';
import { isRelativeYear, thisYear, type Point, type RangeSpec, type RangeUnit } from './rangeSpec.ts';

const afrikaans = new Map(
  Object.entries({
    now: 'nou',
    ago: 'gelede',
    today: 'vandag',
    yesterday: 'gister',
    tomorrow: 'môre',
    last: 'laaste',
    this: 'hierdie',
    to: 'tot',
    date: 'datum',
    hour: 'uur',
    hours: 'uur',
    day: 'dag',
    days: 'dae',
    weeks: 'weke',
    month: 'maand',
    months: 'maande',
    quarter: 'kwartaal',
    quarters: 'kwartale',
    before: 'voor',
    summer: 'somer',
    autumn: 'herfs',
    spring: 'lente',
    January: 'Januarie',
    February: 'Februarie',
    March: 'Maart',
    May: 'Mei',
    June: 'Junie',
    July: 'Julie',
    August: 'Augustus',
    October: 'Oktober',
    December: 'Desember',
    year: 'jaar',
    years: 'jaar',
    Monday: 'Maandag',
    Tuesday: 'Dinsdag',
    Wednesday: 'Woensdag',
    Thursday: 'Donderdag',
    Friday: 'Vrydag',
    Saturday: 'Saterdag',
    Sunday: 'Sondag',
  }),
);

/** Translates a normal form into Afrikaans, such as “laaste 7 dae”, which parses to the same range. */
export function toAfrikaansRange(normal: string): string {
  return normal.replace(/[a-z]+/gi, (word, index: number) => {
    // “last week” means the previous week, which isn't “laaste” in Afrikaans.
    if (word === 'last' && !/^last \d/.test(normal.slice(index))) return 'verlede';
    return afrikaans.get(word) ?? word;
  });
}

/** Formats a range in its normal form, which parses to the same range. */
export function printRange(spec: RangeSpec): string {
  switch (spec.kind) {
    case 'last':
      return `last ${formatLength(spec)}`;
    case 'toDate':
      return spec.period === 'day' ? 'today' : `${spec.period} to date`;
    case 'previous':
      return spec.period === 'day' ? 'yesterday' : `last ${spec.period}`;
    case 'between':
      break;
  }
  const { from, to } = spec;
  const first = formatPoint(from, 'first');
  const last = formatPoint(to, 'last');
  if (to.kind === 'now') return `${first}..`;
  return from === to && first === last ? first : `${first}..${last}`;
}

/** Formats one end. A season of a year has no text, so `side` decides whether to print its first or its last month. */
function formatPoint(point: Point, side: 'first' | 'last'): string {
  switch (point.kind) {
    case 'now':
      return 'now';
    case 'instant':
      return new Date(point.ms).toISOString().replace(/(?::00)?\.000Z$/, 'Z');
    case 'local':
      return point.dateTime.toString().replace(/(T..:..):00$/, '$1');
    case 'ago':
      return `${formatLength(point)} ago`;
    case 'length':
      return Temporal.Duration.from(point.duration).toString();
    case 'relativeDay':
      return [formatRelativeDay(point), point.clock].filter(Boolean).join(' ');
    case 'relativePeriod':
      return formatEarlierPeriod(point.before, point.period);
    case 'period':
      return formatPeriod(point, side);
  }
}

function formatLength({ count, unit }: { readonly count: number; readonly unit: RangeUnit }): string {
  return `${count} ${count === 1 ? unit.slice(0, -1) : unit}`;
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
];

function formatRelativeDay({ daysAgo, weekday }: Point & { kind: 'relativeDay' }): string {
  if (weekday === undefined) return ['tomorrow', 'today', 'yesterday'][daysAgo + 1] ?? `${daysAgo} days before today`;
  return `${daysAgo > 0 ? 'last ' : ''}${weekdays[weekday - 1] ?? ''}`;
}

/** Returns “this month”, “last month” or “2 months before this month”. */
function formatEarlierPeriod(periodsAgo: number, period: string): string {
  return (
    ['this', 'last'].map(word => `${word} ${period}`)[periodsAgo] ?? `${periodsAgo} ${period}s before this ${period}`
  );
}

function formatPeriod(point: Point & { kind: 'period' }, side: 'first' | 'last'): string {
  const { first, length } = point;
  const { years, months, days } = Temporal.Duration.from(length);
  if (isRelativeYear(first.year)) return formatPeriodOfRelativeYear(point, side);
  const date = first.toString();
  if (years > 0) return date.slice(0, 4);
  if (days === 7) return formatWeek(first);
  if (days > 0) return date;
  if (months === 6) return `${date.slice(0, 4)}-H${first.month === 1 ? 1 : 2}`;
  if (months === 3 && first.month % 3 === 1) return formatQuarter(first);
  return getMonthOfSide(point, side).toString().slice(0, 7);
}

function getMonthOfSide({ first, length }: Point & { kind: 'period' }, side: 'first' | 'last'): Temporal.PlainDate {
  return side === 'first' ? first : first.add(length).subtract({ months: 1 });
}

/** Returns a text such as “1 May last year” or “Q1 this year”. */
function formatPeriodOfRelativeYear(point: Point & { kind: 'period' }, side: 'first' | 'last'): string {
  const { months: count, days } = Temporal.Duration.from(point.length);
  const { month, day, year } = days > 0 ? point.first : getMonthOfSide(point, side);
  const name = months[month - 1] ?? '';
  const isQuarter = count === 3 && point.first.month % 3 === 1;
  const half = `H${point.first.month === 1 ? 1 : 2}`;
  const part = days > 0 ? `${day} ${name}` : count === 6 ? half : isQuarter ? `Q${(point.first.month + 2) / 3}` : name;
  return `${part} ${formatEarlierPeriod(thisYear - year, 'year')}`;
}

/** Formats the ISO 8601 week that begins on a Monday: `2023-W05`. */
export function formatWeek(monday: Temporal.PlainDate): string {
  return `${String(monday.yearOfWeek).padStart(4, '0')}-W${String(monday.weekOfYear).padStart(2, '0')}`;
}

/** Formats the quarter that begins on a day: `2023-Q2`. */
export function formatQuarter(first: Temporal.PlainDate): string {
  return `${first.toString().slice(0, 4)}-Q${(first.month + 2) / 3}`;
}
