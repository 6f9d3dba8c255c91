import assert from 'node:assert/strict';
import fc from 'fast-check';
import { completeFormula } from '../../../../src/core/formula/formulaCompletions.ts';
import {
  FormulaError,
  formulaFunctions,
  formulaProblems,
  type FormulaColumn,
} from '../../../../src/core/formula/formula.ts';
import { parseDerived } from '../../../../src/core/formula/deriveColumns.ts';
import { parseFormula } from '../../../../src/core/formula/parseFormula.ts';
import { gridStressFields, systemStateFields } from '../../../../src/shared/fields.ts';
import { hourCount, type Unit } from '../../../../src/shared/units.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const catalogColumns = [...systemStateFields, ...gridStressFields].flatMap(([name, field]): FormulaColumn[] =>
  field.unit ? [{ name, kind: 'number', field }] : [],
);
const columns: readonly FormulaColumn[] = [
  { name: 'ts', kind: 'time' },
  ...catalogColumns,
  { name: 'price', kind: 'number' },
  { name: 'odd "name"', kind: 'number' },
  { name: 'and', kind: 'number' },
  { name: 'hours', kind: 'number', field: { label: 'Hours', meaning: '', unit: hourCount } },
  {
    name: 'energy_mwh',
    kind: 'number',
    field: { label: 'Energy', meaning: '', unit: { kind: 'energy', text: 'MWh' } },
  },
  { name: 'flag', kind: 'boolean' },
  { name: 'note', kind: 'text' },
];

function parseUnit(text: string): Unit {
  const parsed = parseFormula(text, columns);
  return parsed instanceof FormulaError
    ? assert.fail(`${text}: ${parsed.message}`)
    : (parsed.unit ?? assert.fail(text));
}

function parseError(text: string, available = columns): FormulaError {
  const parsed = parseFormula(text, available);
  return parsed instanceof FormulaError ? parsed : assert.fail(`${text} was read`);
}

/** Formats a unit as "MW" with a word for each property: energy, difference, overlaps. */
function formatUnit(text: string): string {
  const { text: unit, mwhPerHour, difference, overlaps } = parseUnit(text);
  return `${unit}${mwhPerHour ? ' energy' : ''}${difference ? ' difference' : ''}${overlaps ? ' overlaps' : ''}`;
}

describe('the unit of a formula', () => {
  const unitTexts: Readonly<Record<string, string>> = {
    'wind_mw + pv_mw': 'MW energy',
    'residual_demand_mw - residual_forecast_mw': 'MW energy difference',
    'residual_demand_mw - forecast_error_mw': 'MW energy',
    'forecast_error_mw + residual_forecast_mw': 'MW energy',
    'forecast_error_mw - forecast_error_mw': 'MW energy difference',
    'wind_mw + ocgt_ramp_mw': 'MW',
    'wind_mw - 100': 'MW energy difference',
    '100 + wind_mw': 'MW energy',
    'if(pv_mw > 0, wind_mw, 0 MW)': 'MW energy',
    'if(pv_mw > 0, wind_mw, null)': 'MW energy',
    'max(ocgt_ramp_mw, 0 MW)': 'MW',
    'wind_mw * 2': 'MW energy',
    '-2 * wind_mw': 'MW energy',
    'wind_mw / 2': 'MW energy',
    'wind_mw / pv_mw': '',
    'wind_mw * (pv_mw / total_re_mw)': 'MW energy',
    'wind_mw * value': 'MW energy',
    '1 - value': ' difference',
    'price + 5': '',
    'price * 1 MW': 'MW energy',
    '3 MW + 2': 'MW energy',
    'renewable_share_pct / 100 % * wind_mw': 'MW energy',
    'renewable_share_pct + 5': '%',
    'renewable_share_pct - 5': 'pp difference',
    'renewable_share_pct - (renewable_share_pct - 5 %)': '%',
    'share(wind_mw, total)': '%',
    'share(wind_mw, 30000)': '%',
    'delta(wind_mw, 1h)': 'MW difference',
    'delta(renewable_share_pct, 1h)': 'pp difference',
    'lag(wind_mw, 168h)': 'MW energy',
    'wind_mw - lag(wind_mw, 168h)': 'MW energy difference',
    'mean(wind_mw, 24h)': 'MW overlaps',
    'wind_mw - mean(wind_mw, 24h)': 'MW difference overlaps',
    'highest(energy_mwh, 2d)': 'MWh overlaps',
    'sum(wind_mw, 24h)': 'MWh overlaps',
    '2 * mean(value, 24h)': ' overlaps',
    'mean(wind_mw, 24h) / wind_mw': ' overlaps',
    'share(wind_mw, mean(wind_mw, 24h))': '% overlaps',
    'sum(forecast_error_mw, 24h)': 'MWh difference overlaps',
    'sum(energy_mwh, 24h)': 'MWh overlaps',
    'sum(price, 24h)': ' overlaps',
    'hours + 1': 'h',
    'abs(wind_mw)': 'MW energy',
  };
  for (const [formula, unit] of Object.entries(unitTexts))
    it(`returns '${unit}' as the unit of ${formula}`, () => assert.equal(formatUnit(formula), unit));
});

describe('parseFormula', () => {
  const problems: Readonly<Record<string, readonly [place: string, message: string]>> = {
    'wnd_mw + 1': ['wnd_mw', "Unknown column 'wnd_mw'. Did you mean 'wind_mw'?"],
    '1 + WIND_MW': ['WIND_MW', "Unknown column 'WIND_MW'. Did you mean 'wind_mw'?"],
    something: ['something', "Unknown column 'something'."],
    '"no such ""name"""': ['"no such ""name"""', `Unknown column 'no such "name"'.`],
    'meen(wind_mw, 24h)': ['meen', "Unknown function 'meen'. Did you mean 'mean'?"],
    'total(1, 2)': ['total', "Unknown function 'total'."],
    'negate(1)': ['negate', "Unknown function 'negate'."],
    '2 * note': ['note', "Column 'note' has no numbers."],
    'wind_mw + renewable_share_pct': [
      'wind_mw + renewable_share_pct',
      "MW and % can't be combined. Use values of the same unit.",
    ],
    'wind_mw > 5 %': ['wind_mw > 5 %', "MW and % can't be combined. Use values of the same unit."],
    'wind_mw + energy_mwh': ['wind_mw + energy_mwh', "MW and MWh can't be combined. Use values of the same unit."],
    'wind_mw + price': [
      'wind_mw + price',
      "MW and a value without a unit can't be combined. If that value is in MW, multiply it by 1 MW.",
    ],
    'wind_mw * pv_mw': [
      'wind_mw * pv_mw',
      "MW and MW can't be multiplied. Multiply by a value without a unit; a share divided by 100 % is one.",
    ],
    '1 / wind_mw': ['1 / wind_mw', 'Only a value in MW can be divided by one in MW.'],
    'sum(renewable_share_pct, 24h)': [
      'sum(renewable_share_pct, 24h)',
      'Only energy, money, mass, power that is a mean over its hours, and counts can be added up. Use mean(x, 24h).',
    ],
    'sum(mean(wind_mw, 1h), 24h)': [
      'sum(mean(wind_mw, 1h), 24h)',
      'Only energy, money, mass, power that is a mean over its hours, and counts can be added up. Use mean(x, 24h).',
    ],
    '(wind_mw > 1) + 1': [
      'wind_mw > 1',
      'Enter a number here. To convert a condition to a number, use if(condition, 1, 0).',
    ],
    '(1 < 2) < 3': ['1 < 2', 'Enter a number here. To convert a condition to a number, use if(condition, 1, 0).'],
    'if(wind_mw, 1, 2)': ['wind_mw', 'Enter a condition here, such as wind_mw > 100 MW.'],
    'if(not 1, 1, 2)': ['1', 'Enter a condition here, such as wind_mw > 100 MW.'],
    'mean(wind_mw)': ['mean(wind_mw)', 'Use mean(x, 24h).'],
    'min(1)': ['min(1)', 'Use min(x, y).'],
    'max(wind_mw, 24h)': ['max(wind_mw, 24h', 'Use highest(x, 24h).'],
    '1 + MIN(wind_mw, 7 D) * 2': ['MIN(wind_mw, 7 D', 'Use lowest(x, 24h).'],
    'max(wind_mw, 0 MW, 30min)': ['max(wind_mw, 0 MW, 30min', 'Use highest(x, 24h).'],
    'share(wind_mw, 24h)': ['share(wind_mw, 24h', 'Use share(x, total).'],
    'abs(1, 2)': ['abs(1, 2)', 'Use abs(x).'],
    'lag(wind_mw, 1h, 2)': ['lag(wind_mw, 1h, 2)', 'Use lag(x, 168h).'],
    'lag(wind_mw, 0h)': ['0h', 'Enter a duration of at most 10 years, such as 30min, 24h or 7d.'],
    'lag(wind_mw, 24)': ['24)', 'Enter a duration of at most 10 years, such as 30min, 24h or 7d.'],
    'lag(wind_mw, 4000d)': ['4000d', 'Enter a duration of at most 10 years, such as 30min, 24h or 7d.'],
    'lag(wind_mw, 24 MW)': ['24 MW', 'Enter a duration of at most 10 years, such as 30min, 24h or 7d.'],
    '1e999': ['1e999', 'The number is too large.'],
    'NaN + 1': ['NaN', "Unknown column 'NaN'."],
    '1 +': ['', 'The formula is incomplete.'],
    '(1': ['', 'The formula is incomplete.'],
    '1 2': ['2', "Unexpected '2'."],
    '1h': ['h', "Unexpected 'h'."],
    '* 1': ['*', "Unexpected '*'."],
    '1 and': ['', 'The formula is incomplete.'],
    'and + 1': ['and', "Unexpected 'and'."],
    'mean()': [')', "Unexpected ')'."],
    '1 😀': ['😀', "Unexpected '😀'."],
    '"open': ['"', `Unexpected '"'.`],
    'wind_mw = = 1': ['=', "Unexpected '='."],
    ' ': [' ', 'Enter a formula, such as wind_mw + pv_mw.'],
  };
  for (const [text, [markedText, message]] of Object.entries(problems))
    it(`explains ${text}: ${message}`, () => {
      const error = parseError(text);
      assert.equal(error.message, message);
      const { start, end } = error.range;
      // The range may cover half of a surrogate pair.
      assert.ok(markedText.startsWith(text.slice(start, end)) && text.indexOf(markedText, start) === start);
    });

  it('binds signs as arithmetic does', () => {
    const formatTree = (text: string): string =>
      JSON.stringify(parseFormula(text, columns), (key, value: unknown) => (key === 'range' ? undefined : value));
    const same: readonly (readonly [string, string])[] = [
      ['price - price - price', '(price - price) - price'],
      ['price + price * price / price', 'price + ((price * price) / price)'],
      ['-price * price', '(-price) * price'],
      ['2 - -price', '2 - (-price)'],
      ['if(not price = 1 and flag or flag, 1, 2)', 'if(((not (price = 1)) and flag) or flag, 1, 2)'],
      ['if(price + 1 > price * 2, 1, 2)', 'if((price + 1) > (price * 2), 1, 2)'],
      ['IF(flag AND NOT flag, Abs(price), 2)', 'if((flag and (not flag)), abs(price), 2)'],
      ['2 * 3 MW + 1', '7 MW'],
      ['.5e1 %', '5 %'],
    ];
    for (const [text, equivalent] of same) assert.equal(formatTree(text), formatTree(equivalent), text);
  });

  it('reads names with dots, and other names in quotes', () => {
    for (const text of [
      'components.reserve_margin',
      '"components.reserve_margin"',
      '"odd ""name"""',
      '"and" + 1',
      '"price"',
    ])
      parseUnit(text);
    assert.equal(parseError('components. + 1').reason, 'unexpected');
  });

  it('requires a time column for rolling functions, and the columns of total generation for its share', () => {
    const timeless = columns.filter(({ kind }) => kind !== 'time');
    assert.equal(parseError('lag(price, 1h)', timeless).reason, 'noTime');
    const noTotal = columns.filter(({ name }) => name !== 'renewable_share_pct');
    assert.equal(parseError('share(wind_mw, total)', noTotal).reason, 'noTotal');
  });

  it('rejects names of prototypes, and formulas that are too long, deep or large', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      assert.equal(parseError(name).reason, 'unknownColumn', name);
      assert.equal(parseError(`${name}(1)`).reason, 'unknownFunction', name);
      assert.equal(parseError(`1 ${name} 2`).reason, 'unexpected', name);
      const columnNamedLikePrototype: FormulaColumn[] = [{ name, kind: 'number' }];
      assert.ok(!(parseFormula(`${name} + 1`, columnNamedLikePrototype) instanceof FormulaError));
    }
    assert.equal(parseError(`1${' '.repeat(1000)}`).reason, 'tooLong');
    for (const deep of ['('.repeat(999), '-'.repeat(999), 'not '.repeat(200), 'abs('.repeat(200)])
      assert.equal(parseError(deep).reason, 'tooManyParts');
    assert.equal(parseError(`price${'+price'.repeat(120)}`).reason, 'tooManyParts');
    assert.equal(parseError(Array.from({ length: 21 }, () => 'lag(price, 1h)').join('+')).reason, 'tooManyParts');
  });

  it('never throws, and reports ranges within the text, for any input', () => {
    const part = fc.constantFrom(
      ...[
        'wind_mw',
        'price',
        '"',
        '(',
        ')',
        ',',
        ' ',
        '1',
        '.5',
        'e9',
        '%',
        'MW',
        '24h',
        'and',
        'not',
        '!=',
        '<',
        '-',
        '*',
        '\u0000',
        '😀',
      ],
      ...Object.keys(formulaFunctions).map(name => `${name}(`),
    );
    const texts = fc.oneof(
      fc.array(part, { maxLength: 30 }).map(parts => parts.join('')),
      // The texts include half of a surrogate pair.
      fc.array(fc.nat(0xffff)).map(codes => String.fromCharCode(...codes)),
    );
    fc.assert(
      fc.property(texts, fc.nat(40), (text, caret) => {
        const parsed = parseFormula(text, columns);
        if (parsed instanceof FormulaError) {
          assert.ok(Object.hasOwn(formulaProblems, parsed.reason) && !/\{\d\}/.test(parsed.message));
          assert.ok(
            0 <= parsed.range.start && parsed.range.start <= parsed.range.end && parsed.range.end <= text.length + 1,
            parsed.message,
          );
        }
        const { range } = completeFormula(text, Math.min(caret, text.length), columns);
        assert.ok(0 <= range.start && range.start <= range.end && range.end <= text.length);
      }),
      { numRuns: scaleRunCount(3000) },
    );
  });

  it('rejects a name that is already used', () => {
    const getReason = (name: string): string => {
      const parsed = parseDerived({ name, formula: 'price' }, columns);
      return parsed instanceof FormulaError ? parsed.reason : 'read';
    };
    assert.deepEqual(['wind_mw', ' ', 'x'.repeat(101), 'x\ny', 'wind', '__proto__'].map(getReason), [
      ...['nameTaken', 'name', 'name', 'name', 'read', 'read'],
    ]);
  });
});

describe('the completion of a formula', () => {
  const listLabels = (textWithCaret: string, available = columns): string[] => {
    const caret = textWithCaret.indexOf('|');
    return completeFormula(textWithCaret.replace('|', ''), caret, available).completions.map(({ label }) => label);
  };

  it('offers names that start with the word at the caret before names that contain it', () => {
    assert.deepEqual(listLabels('wi|'), ['wind_mw']);
    assert.deepEqual(listLabels('2 * resid|'), [
      ...['residual_demand_mw', 'residual_forecast_mw', 'components.residual_demand'],
    ]);
    assert.deepEqual(listLabels('mea|'), ['mean(x, 24h)']);
    assert.ok(listLabels('Renewable|').includes('total_re_mw'));
  });

  it('replaces the whole word or quoted name', () => {
    const { range, completions } = completeFormula('1 + win_x * 2', 7, columns);
    assert.deepEqual(
      [range, completions[0]],
      [
        { start: 4, end: 9 },
        { text: 'wind_mw', label: 'wind_mw', help: 'Wind', unit: 'MW', kind: 'column' },
      ],
    );
    const quoted = completeFormula('1 + "od" * 2', 7, columns);
    assert.deepEqual([quoted.range, quoted.completions[0]?.text], [{ start: 4, end: 8 }, '"odd ""name"""']);
    assert.deepEqual(completeFormula('an', 2, columns).completions[0]?.text, '"and"');
  });

  it('offers no completions within numbers, after values or for durations', () => {
    for (const text of ['24|', '24h|', 'wind_mw |', 'wind_mw p|', '(1) w|', 'mean(wind_mw, |', 'mean(wind_mw, 2|'])
      assert.deepEqual(listLabels(text), [], text);
    for (const text of ['|', '(|', '1 + |', 'not |', 'min(wind_mw, |', 'flag and |'])
      assert.ok(listLabels(text).length > 10, text);
  });

  it('offers at most 50 items', () => {
    const manyColumns = Array.from({ length: 2000 }, (_, index): FormulaColumn => ({
      name: `column_${index}`,
      kind: 'number',
    }));
    assert.equal(listLabels('|', manyColumns).length, 50);
  });
});
