import assert from 'node:assert/strict';
import fc from 'fast-check';
import { resolveQuery } from '../../../../src/core/query/query.ts';
import { serviceQuery } from '../../../support/serviceQuery.ts';
import { queryLanguages, querySnippets } from '../../../../src/core/snippets/querySnippets.ts';
import { createTemplateValues, findRelativeRange } from '../../../../src/core/snippets/snippetQuery.ts';
import { now, questionOf } from './questions.ts';
import { manyRuns } from '../../../support/manyRuns.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** Returns the range that a snippet computes. */
function reckoned(range: string, interval: string, timeZone: string, at: number) {
  const { query } = questionOf('https://grid.example', { range, interval, timeZone, at: now });
  const relative = findRelativeRange(query);
  if (!relative) return undefined;
  const { gridMs, shiftMs, lengthMs } = relative;
  const end = Math.floor((at + shiftMs) / gridMs) * gridMs - shiftMs;
  return { start: end - lengthMs, end };
}

describe('a relative range', () => {
  it('resolves in code at any time as in the extension', () => {
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
    const moments = fc.integer({ min: 0, max: 4 * 366 * day }).map(ms => now + ms);
    fc.assert(
      fc.property(ranges, zones, intervals, moments, (range, timeZone, interval, at) => {
        const own = reckoned(range, interval, timeZone, at);
        if (!own) return;
        const resolved = resolveQuery({ dataset: 'systemState', range, interval, params: {}, timeZone }, at);
        assert.ok(resolved.ok);
        assert.deepEqual(own, { start: resolved.value.start, end: resolved.value.end });
      }),
      { numRuns: manyRuns(500) },
    );
  });

  it('names the time zone of the requested days', () => {
    const about = (interval: string): string => {
      const resolved = resolveQuery(
        { dataset: 'systemState', range: '2023-05', interval, params: {}, timeZone: 'Africa/Johannesburg' },
        now,
      );
      assert.ok(resolved.ok);
      return createTemplateValues({
        baseUrl: '',
        query: serviceQuery(resolved.value),
      }).comments.join('\n');
    };
    assert.match(about('1d'), /the days of UTC that the service makes/);
    assert.match(about('1d@SAST'), /days of Africa\/Johannesburg/);
    assert.doesNotMatch(about('1h'), /\bdays\b/);
  });

  it('stays relative where arithmetic can express it', () => {
    const kinds = (range: string, timeZone: string, interval = '1h'): boolean =>
      reckoned(range, interval, timeZone, now) !== undefined;
    for (const range of ['last 24 hours', 'last 7 days', 'last 2 weeks', 'yesterday', 'last week'])
      assert.deepEqual([range, kinds(range, 'UTC'), kinds(range, 'Africa/Johannesburg')], [range, true, true]);
    // Where clocks change, a day has no fixed length.
    assert.deepEqual([kinds('last 24 hours', 'Europe/Berlin'), kinds('last 7 days', 'Europe/Berlin')], [true, false]);
    // South African days are not UTC days.
    assert.equal(kinds('yesterday', 'Africa/Johannesburg', '1d'), false);
    for (const range of ['last month', 'month to date', '2023-05', '2023-05-01..'])
      assert.equal(kinds(range, 'UTC'), false);
  });
});

describe('a query as code', () => {
  it('reports whether the service or the range limits a request', () => {
    const noteFor = (maxRangeMs: number | undefined): string =>
      createTemplateValues(questionOf('https://grid.example', {}, { maxRangeMs })).maxRangeNote;
    assert.match(noteFor(25 * hour), /^the service takes no longer range/);
    for (const longestMs of [undefined, 72 * hour]) assert.match(noteFor(longestMs), /^the whole range/);
  });

  it('states the resolved range', () => {
    const about = (range: string): string =>
      createTemplateValues(questionOf('https://grid.example', { range })).comments[1] ?? '';
    assert.equal(
      about('last 7 days'),
      'The range moves with the present; when this was copied it stood for 2023-05-10T14:00:00Z to 2023-05-17T14:00:00Z.',
    );
    assert.equal(
      about('month to date'),
      'The range stands for 2023-05-01T00:00:00Z to 2023-05-17T14:00:00Z, as it was when this was copied.',
    );
    assert.equal(about('2023-04'), 'The range is 2023-04-01T00:00:00Z to 2023-05-01T00:00:00Z, the end not included.');
  });

  it('reckons a range that moves in whole seconds', () => {
    const { relative } = createTemplateValues(questionOf('https://grid.example', { range: 'last week' }));
    // Weeks begin on Monday, and 1 January 1970 was a Thursday.
    assert.deepEqual(relative, { grid: 604_800, shift: 259_200, length: 604_800 });
  });

  it('reads at most fifty pages of an answer, as the extension does', () => {
    for (const language of queryLanguages)
      assert.match(querySnippets[language].write(questionOf('https://grid.example')), /\b50\b/, language);
  });

  it('names the variable of the key, and contains no key from a parameter', () => {
    const key = 'sb_test_0123456789abcdef';
    const params = { api_key: key, note: `see ${key}`, [key]: 'x', access_token: 'plain-looking' };
    for (const range of ['last 7 days', '2023-04'])
      for (const language of queryLanguages) {
        const text = querySnippets[language].write(questionOf('https://grid.example', { range, params }));
        assert.match(text, /GRID_DATA_API_KEY/);
        assert.ok(!text.includes(key) && !text.includes('plain-looking'), language);
      }
  });

  it('generates code for texts that no URL can hold', () => {
    const params = { 'half \uD83D': 'a half \uDE00, and \0' };
    for (const language of queryLanguages) {
      const text = querySnippets[language].write(questionOf('https://grid.example', { params }));
      assert.doesNotMatch(text, /[\p{Surrogate}\0]/u, language);
    }
  });

  it('keeps any query text within its comment and string', () => {
    const hostile = `x\nEND_OF_SNIPPET\nrm -rf ~\u2028alert(1)`;
    for (const language of queryLanguages) {
      const question = questionOf('https://grid.example/a%20b', { params: { note: hostile } });
      const text = querySnippets[language].write({ ...question, query: { ...question.query, range: hostile } });
      const plain = querySnippets[language].write(question);
      assert.equal(text.split(/[\n\u2028]/).length, plain.split('\n').length, language);
    }
  });
});

describe('a question for days of a zone', () => {
  it('fetches their hours, with a comment about it', () => {
    const question = questionOf('https://grid.example', { range: '2023-05', interval: '1d@SAST' });
    const facts = createTemplateValues(question);
    assert.deepEqual([facts.startText, facts.endText], ['2023-04-30T22:00:00Z', '2023-05-31T22:00:00Z']);
    assert.deepEqual(facts.params, [['interval', '1h']]);
    for (const language of queryLanguages)
      assert.match(
        querySnippets[language].write(question),
        /These are the hours of those days \(days of Africa\/Johannesburg\)/,
      );
  });
});
