import assert from 'node:assert/strict';
import { eskomTariffs } from '../../../../src/core/calendar/tariffPeriods.ts';
import { filterProblems, type FilterProblem } from '../../../../src/core/filter/filterTypes.ts';
import {
  listCalendarNotes,
  formatFilterHelp,
  formatFilterProblem,
  formatTariffNote,
} from '../../../../src/webview/rows/filterMessages.ts';
import { parseFilter } from '../../../../src/core/filter/parseFilter.ts';
import { booleanColumn, nestedColumn, numberColumn, textColumn, timeColumn } from '../../core/filter/columns.ts';

describe('formatFilterProblem', () => {
  it('explains each problem in its own sentence, with the invalid part', () => {
    const problems = Object.keys(filterProblems) as FilterProblem['problem'][];
    const sentences = problems.map(problem => formatFilterProblem({ problem, part: 'abc' }));
    assert.equal(new Set(sentences).size, problems.length);
    for (const sentence of sentences) assert.match(sentence, /'abc'.*[a-z.]$|abc.*\.$/);
  });
});

it('gives examples of a date, a comparison and calendar parts for an invalid text', () => {
  const sentence = formatFilterProblem({ problem: 'notTime', part: 'soon' });
  const [, examples = ''] = /Try (.*)\.$/.exec(sentence) ?? [];
  assert.match(examples, /holiday/);
  for (const example of examples.split(/, | or /))
    assert.ok(parseFilter(example, timeColumn('a', [0]), { timeZone: 'UTC', locale: 'en' }).ok, example);
});

describe('formatFilterHelp', () => {
  const columns = [
    numberColumn('a', [1]),
    timeColumn('a', [0]),
    textColumn('a', ['x']),
    nestedColumn('a', ['[]']),
    booleanColumn('a', [true]),
  ];

  for (const column of columns)
    it(`shows only valid examples: ${column.kind}`, () => {
      const lines = formatFilterHelp(column.kind, 'SAST').split('\n');
      const examples = lines
        .slice(0, 2)
        .flatMap(line => line.split(/ {3}/))
        .map(example => example.replace(/ ?\(.*\)/, ''))
        .filter(example => example !== '');
      assert.ok(examples.length >= 4 && lines.length <= 9);
      for (const example of examples) {
        const parsed = parseFilter(example, column, { timeZone: 'UTC', locale: 'en' });
        assert.ok(parsed.ok, `${example} in a ${column.kind} column`);
      }
    });

  it('names tariff periods with the source and the first day of each tariff', () => {
    const [first] = eskomTariffs;
    assert.ok(first);
    const lines = formatFilterHelp('time', 'UTC').split('\n').slice(-3);
    assert.deepEqual(lines, [
      'peak   standard   off-peak   (by SAST)',
      ...eskomTariffs.map(({ from, source }) => `Periods from ${from}: ${source}`),
    ]);
    const customHelp = formatFilterHelp('time', 'UTC', [{ ...first, from: '2026-04-01', source: 'My booklet' }]).split(
      '\n',
    );
    assert.deepEqual(customHelp.slice(-2), [lines[0], 'Periods from 2026-04-01: My booklet']);
    for (const word of ['peak', 'standard', 'off-peak', '!peak'])
      assert.ok(parseFilter(word, timeColumn('a', [0]), { timeZone: 'UTC', locale: 'en' }).ok, word);
  });
});

describe('formatTariffNote', () => {
  it('lists years without a known table, with the setting', () => {
    const span = { start: Date.parse('2023-12-01T00:00+02:00'), end: Date.parse('2024-01-01T00:00+02:00') };
    assert.equal(
      formatTariffNote(span),
      "Public holidays not in Eskom's 2025/26 table follow its rule: 2023-12-15, 2023-12-16, 2023-12-25 and 1 more. To change them, set gridData.tariffPeriods.",
    );
    const inTable = { start: Date.parse('2025-12-01T00:00+02:00'), end: Date.parse('2026-01-31T00:00+02:00') };
    assert.equal(formatTariffNote(inTable), undefined);
  });
});

describe('listCalendarNotes', () => {
  const context = { timeZone: 'UTC', locale: 'en' };
  const listNotes = (text: string, ...days: string[]): string[] =>
    listCalendarNotes(
      timeColumn(
        'a',
        days.map(day => Date.parse(`${day}T10:00Z`)),
      ),
      text,
      context,
    );

  it('lists one-off public holidays in the range, and the last year with known ones', () => {
    assert.deepEqual(listNotes('!holiday 06:00-18:00', '2023-11-30', '2024-05-29'), [
      'Holidays proclaimed for one year: 2023-12-15, 2024-05-29.',
    ]);
    assert.deepEqual(listNotes('holiday', '2027-01-02', '2027-03-01'), [
      'Holidays proclaimed after 2026 are not known.',
    ]);
    assert.deepEqual(listNotes('holiday', '2025-01-01', '2025-12-31'), []);
  });

  it('lists the holidays that no tariff table has, such as 27 April 2026', () => {
    assert.deepEqual(listNotes('peak', '2026-04-26', '2026-04-27'), [
      "Public holidays not in Eskom's 2025/26 table follow its rule: 2026-04-27. To change them, set gridData.tariffPeriods.",
    ]);
    assert.deepEqual(listNotes('peak', '2026-04-28'), []);
  });

  it('lists nothing for other filters', () => {
    assert.deepEqual(listNotes('Mon-Fri', '2023-11-30', '2024-05-29'), []);
    assert.deepEqual(listNotes('holidayx', '2023-11-30', '2024-05-29'), []);
  });
});
