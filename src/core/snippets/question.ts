import { formatInstant } from '../instant.ts';
import { askedInterval, requestParameters, type ResolvedQuery } from '../query.ts';
import { sampleLine } from '../serviceMeta.ts';
import { isKeyName, isKeyText } from '../saved/keyLike.ts';
import { commentText } from './quote.ts';
import { relativeRange, type RelativeRange } from './relativeRange.ts';

/** The environment variable from which every snippet reads the key. */
export const keyVariable = 'GRID_DATA_API_KEY';

/** What a snippet asks. */
export interface SnippetQuestion {
  /** Of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** With the instants of now. */
  readonly query: ResolvedQuery;
  /** The IANA zone of the query's days. */
  readonly timeZone: string;
  /** The longest range one request may ask for, in milliseconds; left out where no limit is known. */
  readonly longestMs?: number | undefined;
  /** The service gives Sample Data. */
  readonly sample?: boolean | undefined;
  /** The name of the column that says when; `ts` where it is left out. */
  readonly timeColumn?: string | undefined;
}

/** The same, as the templates need it. Times in whole seconds. */
export interface SnippetFacts {
  readonly url: string;
  readonly path: string;
  /** Whether the address is plain http, as of a service on this machine. */
  readonly isPlainHttp: boolean;
  /** All parameters but start and end. */
  readonly params: readonly (readonly [name: string, value: string])[];
  readonly start: number;
  readonly end: number;
  readonly startText: string;
  readonly endText: string;
  readonly relative: { readonly grid: number; readonly shift: number; readonly length: number } | undefined;
  readonly longest: number;
  readonly timeColumn: string;
  /** The IANA zone whose days are to be made of the hours; left out where the rows are what was asked for. */
  readonly daysOf?: string;
  /** What is asked, in lines for a comment. */
  readonly about: readonly string[];
  /** What the constant for the longest request means. */
  readonly longestNote: string;
}

/** Attempts at one request, and pages of one answer. */
export const maxTries = 5;
export const maxPages = 50;

/** A parameter that may hold a key keeps its name alone. */
const notCopied = 'NOT-COPIED';

export function snippetFacts(question: SnippetQuestion): SnippetFacts {
  const { baseUrl, query, timeZone, longestMs, timeColumn = 'ts', sample } = question;
  const { dataset, start, end, days, interval } = query;
  const [startText, endText] = [formatInstant(start), formatInstant(end)];
  const relative = relativeRange(query, timeZone);
  const split = longestMs !== undefined && longestMs < end - start;
  return {
    url: baseUrl + dataset.path,
    path: dataset.path,
    isPlainHttp: baseUrl.startsWith('http://'),
    params: requestParameters(query)
      .filter(([name]) => name !== 'start' && name !== 'end')
      .map(([name, value]) => [isKeyText(name) ? notCopied : name, isSecret(name, value) ? notCopied : value] as const),
    ...{ start: start / 1000, end: end / 1000, startText, endText, timeColumn },
    ...(days && { daysOf: days.zone.timeZone }),
    relative: relative && inSeconds(relative),
    longest: Math.max(1, Math.floor((split ? longestMs : end - start) / 1000)),
    about: [
      ...(sample ? [sampleLine] : []),
      commentText(`${dataset.title}, ${query.range} (${timeZone}), interval ${askedInterval(query)}`),
      ...(days
        ? [
            `These are the hours of those days (days of ${days.zone.timeZone}): an hour counts for the day in which it begins.`,
          ]
        : interval === '1d'
          ? ['These are the days of UTC that the service makes.']
          : []),
      relative
        ? `The range moves with the present; when this was copied it stood for ${startText} to ${endText}.`
        : isMoving(query.range)
          ? `The range stands for ${startText} to ${endText}, as it was when this was copied.`
          : `The range is ${startText} to ${endText}, the end not included.`,
    ],
    longestNote: split
      ? 'the service takes no longer range in one request'
      : 'the whole range; make it smaller where the service refuses long ranges',
  };
}

function isSecret(name: string, value: string): boolean {
  return isKeyName(name) || isKeyText(value);
}

/** Whether a range, as it is written, means another one later. */
export function isMoving(range: string): boolean {
  return /last|past|previous|this|to date|today|yesterday|now|td$|\.\.$/.test(range);
}

function inSeconds({ gridMs, shiftMs, lengthMs }: RelativeRange): SnippetFacts['relative'] {
  return { grid: gridMs / 1000, shift: shiftMs / 1000, length: lengthMs / 1000 };
}
