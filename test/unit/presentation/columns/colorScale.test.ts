import assert from 'node:assert/strict';
import { gridStressFields } from '../../../../src/shared/fields.ts';
import type { NumberColumn } from '../../../../src/shared/frame.ts';
import { createCellShades, createColorScale } from '../../../../src/presentation/columns/colorScale.ts';
import {
  computeContrast,
  createPalette,
  parseColor,
  type Palette,
} from '../../../../src/presentation/chart/palette.ts';
import type { CellShade, GridColumn } from '../../../../src/presentation/table/gridColumn.ts';
import { themes, type ThemeName } from '../../../view/themes.ts';
import { numberColumn } from '../../core/filter/columns.ts';

function gridColumn(column: NumberColumn): GridColumn {
  const text = (): string => '';
  const base = { name: column.name, label: '', unit: '', headerTooltip: '', samples: [], align: 'end' } as const;
  return {
    ...base,
    text,
    formatTooltip: text,
    exact: text,
    scalePosition: createColorScale(column, column.values.length),
  };
}

function createThemePalette(theme: ThemeName): Palette {
  const tokens: Readonly<Record<string, string>> = themes[theme].tokens;
  return createPalette(token => tokens[token] ?? '', theme.startsWith('hc'));
}

/** Returns the index of the color of each row in a scale. */
function findColorIndexes(colors: readonly string[], column: NumberColumn): (number | undefined)[] {
  const getShade = createCellShades(createThemePalette('light'), [column.name]);
  const grid = gridColumn(column);
  return [...column.values.keys()].map(row => {
    const fill = getShade(grid, row)?.['--shade-fill'];
    return fill === undefined ? undefined : colors.indexOf(fill);
  });
}

describe('the color scale of cells', () => {
  const { scale, diverging, bands } = createThemePalette('light');

  it('uses the colors of the heatmap from the minimum to the maximum, and no color for gaps', () => {
    const cells = [10, 20, 15, null, undefined, 12.5, NaN, Infinity];
    const indexes = findColorIndexes(scale, numberColumn('mw', cells));
    assert.deepEqual(indexes, [0, 31, 16, undefined, undefined, 8, undefined, undefined]);
  });

  it('is symmetric around 0 if there are positive and negative values', () => {
    assert.deepEqual(
      findColorIndexes(diverging, numberColumn('mw', [-10, 0, 40, -40, 1, 20])),
      [12, 16, 32, 0, 16, 24],
    );
    assert.deepEqual(findColorIndexes(diverging, numberColumn('mw', [-5, 0, 20])), [12, 16, 32]);
    assert.deepEqual(findColorIndexes(scale, numberColumn('mw', [-20, -10, 0])), [0, 16, 31]);
  });

  it('uses the middle color for equal values, and the band colors for the stress index', () => {
    assert.deepEqual(findColorIndexes(scale, numberColumn('mw', [7, 7])), [16, 16]);
    const field = gridStressFields.get('value');
    const stress = { ...numberColumn('value', [0, 0.29, 0.3, 0.6, 0.8, 1, null]), ...(field && { field }) };
    assert.deepEqual(findColorIndexes(bands, stress), [0, 0, 1, 2, 3, 3, undefined]);
  });

  it('colors only the selected columns', () => {
    const column = gridColumn(numberColumn('mw', [1, 2]));
    assert.equal(createCellShades(createThemePalette('light'), ['pv'])(column, 0), undefined);
    assert.notEqual(createCellShades(createThemePalette('light'), ['pv', 'mw'])(column, 0), undefined);
  });

  for (const theme of Object.keys(themes) as ThemeName[])
    it(`keeps a contrast of 4.5:1 between text and every color in ${theme}`, () => {
      const values = Array.from({ length: 201 }, (_, row) => row / 200);
      const field = gridStressFields.get('value');
      const columns = [
        numberColumn('even', values),
        numberColumn(
          'signed',
          values.map(value => value - 0.5),
        ),
        { ...numberColumn('value', values), ...(field && { field }) },
      ];
      const getShade = createCellShades(
        createThemePalette(theme),
        columns.map(({ name }) => name),
      );
      for (const column of columns.map(gridColumn))
        for (const row of values.keys()) {
          const shade = getShade(column, row);
          const [text, fill] = (['--shade-text', '--shade-fill'] as const).map(name => parseColor(shade?.[name] ?? ''));
          assert.ok(text && fill && computeContrast(text, fill) >= 4.5, JSON.stringify(shade));
        }
    });

  it('draws proportional bars in high contrast themes, from the middle if there are positive and negative values', () => {
    const listBars = (column: NumberColumn): (readonly [string, string])[] => {
      const getShade = createCellShades(createThemePalette('hc-dark'), [column.name]);
      const bar = (shade: CellShade | undefined) =>
        [shade?.['--shade-from'] ?? '', shade?.['--shade-to'] ?? ''] as const;
      return [...column.values.keys()].map(row => bar(getShade(gridColumn(column), row)));
    };
    assert.deepEqual(listBars(numberColumn('mw', [0, 50, 100])), [
      ['0%', '3.125%'],
      ['0%', '53.125%'],
      ['0%', '100%'],
    ]);
    const [low, zero, high] = listBars(numberColumn('mw', [-1, 0, 1])).map(bar => bar.map(Number.parseFloat));
    assert.deepEqual(zero, [50, 50]);
    assert.ok((low?.[0] ?? 9) < 2 && low?.[1] === 50 && high?.[0] === 50 && (high[1] ?? 0) > 98, String([low, high]));
  });
});
