import assert from 'node:assert/strict';
import fc from 'fast-check';
import { resolveQuery } from '../../../../src/core/query/query.ts';
import { toServiceQuery } from '../../../support/serviceQuery.ts';
import { queryLanguages, querySnippets } from '../../../../src/core/snippets/querySnippets.ts';
import { createTemplateValues, findRelativeRange } from '../../../../src/core/snippets/snippetQuery.ts';
import { now, createSnippetQuery } from './questions.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** Returns the range that a generated program computes. */
function computeRange(range: string, interval: string, timeZone: string, present: number) {
  const { query } = createSnippetQuery('https://grid.example', { range, interval, timeZone, present: now });
  const relative = findRelativeRange(query);
  if (!relative) return undefined;
  const { gridMs, shiftMs, lengthMs } = relative;
  const end = Math.floor((present + shiftMs) / gridMs) * gridMs - shiftMs;
  return { start: end - lengthMs, end };
}

describe('a relative range', () => {
  it('resolves a relative range in code at any time as in the extension', () => {
    const ranges = fc.constantFrom(
      'last 36 hours',
      'last 1 hour',
      'last 7 days',
      'last 2 weeks',
      'yesterday',
      'last week',
    );
    const zones = fc.constantFrom('UTC', 'Africa/Johannesburg', 'Asia/Kolkata', 'Europe/Berlin');
    const intervals = fc.constantFrom('1h', '1d', '30m', 'monthly', '1d@SAST');
    const instants = fc.integer({ min: 0, max: 4 * 366 * day }).map(ms => now + ms);
    fc.assert(
      fc.property(ranges, zones, intervals, instants, (range, timeZone, interval, present) => {
        const computed = computeRange(range, interval, timeZone, present);
        if (!computed) return;
        const resolved = resolveQuery({ dataset: 'systemState', range, interval, params: {}, timeZone }, present);
        assert.ok(resolved.ok);
        assert.deepEqual(computed, { start: resolved.value.start, end: resolved.value.end });
      }),
      { numRuns: scaleRunCount(500) },
    );
  });

  it('names the time zone of the requested days', () => {
    const formatRangeNote = (interval: string): string => {
      const resolved = resolveQuery(
        { dataset: 'systemState', range: '2023-05', interval, params: {}, timeZone: 'Africa/Johannesburg' },
        now,
      );
      assert.ok(resolved.ok);
      return createTemplateValues({
        baseUrl: '',
        query: toServiceQuery(resolved.value),
      }).comments.join('\n');
    };
    assert.match(formatRangeNote('1d'), /UTC days, aggregated by the service/);
    assert.match(formatRangeNote('1d@SAST'), /days of Africa\/Johannesburg/);
    assert.doesNotMatch(formatRangeNote('1h'), /\bdays\b/);
  });

  it('keeps a range relative if arithmetic can express it', () => {
    const getRangeKind = (range: string, timeZone: string, interval = '1h'): boolean =>
      computeRange(range, interval, timeZone, now) !== undefined;
    for (const range of ['last 24 hours', 'last 7 days', 'last 2 weeks', 'yesterday', 'last week'])
      assert.deepEqual(
        [range, getRangeKind(range, 'UTC'), getRangeKind(range, 'Africa/Johannesburg')],
        [range, true, true],
      );
    // Where clocks change, a day has no fixed length.
    assert.deepEqual(
      [getRangeKind('last 24 hours', 'Europe/Berlin'), getRangeKind('last 7 days', 'Europe/Berlin')],
      [true, false],
    );
    // South African days are not UTC days.
    assert.equal(getRangeKind('yesterday', 'Africa/Johannesburg', '1d'), false);
    for (const range of ['last month', 'month to date', '2023-05', '2023-05-01..'])
      assert.equal(getRangeKind(range, 'UTC'), false);
  });
});

describe('a query as code', () => {
  it('reports whether the service or the range limits a request', () => {
    const formatLimitNote = (maxRangeMs: number | undefined): string =>
      createTemplateValues(createSnippetQuery('https://grid.example', {}, { maxRangeMs })).maxRangeNote;
    assert.match(formatLimitNote(25 * hour), /^the maximum of the service/);
    for (const maxRangeMs of [undefined, 72 * hour]) assert.match(formatLimitNote(maxRangeMs), /^the whole range/);
  });

  it('states the resolved range', () => {
    const formatRangeNote = (range: string): string =>
      createTemplateValues(createSnippetQuery('https://grid.example', { range })).comments[1] ?? '';
    assert.equal(
      formatRangeNote('last 7 days'),
      'The range is relative to the current time. When this was copied, it was 2023-05-10T14:00:00Z to 2023-05-17T14:00:00Z.',
    );
    assert.equal(
      formatRangeNote('month to date'),
      'The range is 2023-05-01T00:00:00Z to 2023-05-17T14:00:00Z, as it was when this was copied.',
    );
    assert.equal(
      formatRangeNote('2023-04'),
      'The range is 2023-04-01T00:00:00Z to 2023-05-01T00:00:00Z, the end not included.',
    );
  });

  it('computes a relative range in whole seconds', () => {
    const { relative } = createTemplateValues(createSnippetQuery('https://grid.example', { range: 'last week' }));
    // Weeks begin on Monday, and 1 January 1970 was a Thursday.
    assert.deepEqual(relative, { grid: 604_800, shift: 259_200, length: 604_800 });
  });

  it('reads at most fifty pages of a response, like the extension', () => {
    for (const language of queryLanguages)
      assert.match(querySnippets[language].write(createSnippetQuery('https://grid.example')), /\b50\b/, language);
  });

  it('names the variable of the API key, and contains no key from a parameter', () => {
    const key = 'sb_test_0123456789abcdef';
    const params = { api_key: key, note: `see ${key}`, [key]: 'x', access_token: 'plain-looking' };
    for (const range of ['last 7 days', '2023-04'])
      for (const language of queryLanguages) {
        const text = querySnippets[language].write(createSnippetQuery('https://grid.example', { range, params }));
        assert.match(text, /GRID_DATA_API_KEY/);
        assert.ok(!text.includes(key) && !text.includes('plain-looking'), language);
      }
  });

  it('generates code for texts that a URL cannot contain', () => {
    const params = { 'half \uD83D': 'a half \uDE00, and \0' };
    for (const language of queryLanguages) {
      const text = querySnippets[language].write(createSnippetQuery('https://grid.example', { params }));
      assert.doesNotMatch(text, /[\p{Surrogate}\0]/u, language);
    }
  });

  it('keeps any query text within its comment and string', () => {
    const hostile = `x\nEND_OF_SNIPPET\nrm -rf ~\u2028alert(1)`;
    for (const language of queryLanguages) {
      const snippetQuery = createSnippetQuery('https://grid.example/a%20b', { params: { note: hostile } });
      const text = querySnippets[language].write({ ...snippetQuery, query: { ...snippetQuery.query, range: hostile } });
      const code = querySnippets[language].write(snippetQuery);
      assert.equal(text.split(/[\n\u2028]/).length, code.split('\n').length, language);
    }
  });
});

describe('a snippet for the days of a time zone', () => {
  it('requests their hours, and explains this in a comment', () => {
    const snippetQuery = createSnippetQuery('https://grid.example', { range: '2023-05', interval: '1d@SAST' });
    const facts = createTemplateValues(snippetQuery);
    assert.deepEqual([facts.startText, facts.endText], ['2023-04-30T22:00:00Z', '2023-05-31T22:00:00Z']);
    assert.deepEqual(facts.params, [['interval', '1h']]);
    for (const language of queryLanguages)
      assert.match(
        querySnippets[language].write(snippetQuery),
        /The rows are the hours of days of Africa\/Johannesburg/,
      );
  });
});
