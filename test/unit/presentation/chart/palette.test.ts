import assert from 'node:assert/strict';
import { convertRgbToOklab, type Rgb } from 'culori/fn';
import fc from 'fast-check';
import {
  computeColorBlindDifference,
  assignSeriesColors,
  computeContrast,
  computeDifference,
  convertLabToRgb,
  blendWithBackground,
  parseColor,
  ensureContrast,
  createPalette,
  createPaperPalette,
  type Palette,
} from '../../../../src/presentation/chart/palette.ts';
import { themes, type ThemeName } from '../../../view/themes.ts';

const channel = fc.integer({ min: 0, max: 255 }).map(value => value / 255);
const color = fc.tuple(channel, channel, channel).map(([r, g, b]): Rgb => ({ mode: 'rgb', r, g, b }));

function parse(text: string): Rgb {
  const parsed = parseColor(text);
  assert.ok(parsed, text);
  return parsed;
}

function createThemePalette(theme: ThemeName): Palette {
  const tokens: Readonly<Record<string, string>> = themes[theme].tokens;
  return createPalette(token => tokens[token] ?? '', theme.startsWith('hc'));
}

describe('colors', () => {
  it('parses every color format of VS Code', () => {
    const mode = 'rgb';
    assert.deepEqual(parse('#1f1F1f'), { mode, r: 31 / 255, g: 31 / 255, b: 31 / 255 });
    assert.deepEqual(parse(' #fff '), { mode, r: 1, g: 1, b: 1 });
    assert.deepEqual(parse('#ff000080').alpha, 128 / 255);
    assert.deepEqual(parse('rgba(36, 137, 219, 0.51)'), { mode, r: 36 / 255, g: 137 / 255, b: 219 / 255, alpha: 0.51 });
    assert.deepEqual(parse('rgb(0, 51, 255)'), { mode, r: 0, g: 0.2, b: 1 });
    for (const invalid of ['', 'red', '#12', 'rgb(1, 2)', 'var(--x)', '#ggg'])
      assert.equal(parseColor(invalid), undefined);
  });

  it('computes contrast as WCAG defines it', () => {
    assert.equal(computeContrast(parse('#000'), parse('#fff')), 21);
    assert.equal(computeContrast(parse('#fff'), parse('#fff')), 1);
    assert.equal(computeContrast(parse('#777'), parse('#fff')).toFixed(2), '4.48');
  });

  it('blends transparent colors with the background', () => {
    const blended = blendWithBackground({ ...parse('#000'), alpha: 0.5 }, parse('#fff'));
    assert.deepEqual(blended, { mode: 'rgb', r: 0.5, g: 0.5, b: 0.5 });
  });

  it('round-trips colors through OKLab', () => {
    const property = fc.property(color, original =>
      assert.deepEqual(convertLabToRgb(convertRgbToOklab(original)), original),
    );
    fc.assert(property);
  });

  it('reaches the requested contrast on any background, and keeps colors that have it', () => {
    fc.assert(
      fc.property(color, color, (foreground, background) => {
        const adjusted = ensureContrast(foreground, background, 3);
        assert.ok(computeContrast(adjusted, background) >= 3);
        if (computeContrast(foreground, background) >= 3) assert.deepEqual(adjusted, foreground);
      }),
    );
  });
});

describe('the palette', () => {
  for (const theme of ['light', 'dark'] as const)
    it(`interpolates evenly from the background to two different colors in ${theme}`, () => {
      const { diverging, background } = createThemePalette(theme);
      const middle = (diverging.length - 1) / 2;
      assert.equal(diverging[middle], background);
      const differences = diverging
        .slice(1)
        .map((text, index) => computeDifference(parse(text), parse(diverging[index] ?? '')));
      const mean = differences.reduce((sum, difference) => sum + difference, 0) / differences.length;
      // Each color channel is rounded to one of 256 values.
      for (const difference of differences)
        assert.ok(Math.abs(difference - mean) < 0.006, `${difference} differs from the mean ${mean}`);
      const low = diverging[0] ?? '';
      const high = diverging.at(-1) ?? '';
      assert.ok(computeColorBlindDifference(parse(low), parse(high)) > 0.15, `${low} ${high}`);
    });

  for (const theme of Object.keys(themes) as ThemeName[]) {
    it(`creates twelve series colors in ${theme}, each 3:1 on the background and distinct from the others and the text`, () => {
      const { series, background, foreground, muted } = createThemePalette(theme);
      assert.equal(series.length, 12);
      for (const text of series) assert.ok(computeContrast(parse(text), parse(background)) >= 3, text);
      series.forEach((color, index) => {
        for (const otherColor of [...series.slice(index + 1), foreground])
          assert.ok(computeDifference(parse(color), parse(otherColor)) > 0.09, `${color} ${otherColor}`);
      });
      assert.ok(computeContrast(parse(foreground), parse(background)) >= 4.5);
      assert.ok(computeContrast(parse(muted), parse(background)) >= 4.5);
    });
  }

  for (const theme of Object.keys(themes) as ThemeName[])
    it(`gives areas in ${theme} a pattern only if color-blind readers would confuse their color with another`, () => {
      const { series, patterns } = createThemePalette(theme);
      const areAlike = (index: number, otherIndex: number): boolean =>
        computeColorBlindDifference(parse(series[index] ?? ''), parse(series[otherIndex] ?? '')) < 0.06;
      const indexes = [...series.keys()];
      for (const index of indexes) {
        const similarEarlier = indexes.slice(0, index).filter(earlier => areAlike(index, earlier));
        assert.ok(
          similarEarlier.every(earlier => patterns[earlier] !== patterns[index]),
          series[index],
        );
        assert.equal(
          patterns[index] === 0,
          similarEarlier.every(earlier => patterns[earlier] !== 0),
          series[index],
        );
      }
    });

  it('simulates red-green color blindness', () => {
    assert.ok(computeDifference(parse('#b5200d'), parse('#374e06')) > 0.2);
    assert.ok(computeColorBlindDifference(parse('#b5200d'), parse('#374e06')) < 0.01);
    assert.ok(computeColorBlindDifference(parse('#000'), parse('#fff')) > 0.99);
  });

  it('has the same series colors in every theme', () => {
    const [first, ...otherThemes] = (Object.keys(themes) as ThemeName[]).map(theme => createThemePalette(theme).series);
    for (const series of otherThemes) assert.deepEqual(series, first);
  });

  it('needs no pattern to distinguish series for color-blind readers', () => {
    for (const theme of Object.keys(themes) as ThemeName[])
      assert.deepEqual([...new Set(createThemePalette(theme).patterns)], [0], theme);
  });

  it('draws a known column in its fixed color, regardless of the other columns', () => {
    const alone = assignSeriesColors(['wind_mw'])('wind_mw');
    const names = ['odd', 'other', 'hydro_water_mw', 'wind_mw', 'residual_demand_mw', 'constructor'];
    const together = assignSeriesColors(names);
    assert.equal(together('wind_mw'), alone);
    assert.equal(together('residual_demand_mw'), 'foreground');
    const colors = names.map(together);
    assert.equal(new Set(colors).size, names.length);
  });

  it('gives each column a different color while there are unused ones, even if two share a fixed color', () => {
    const names = ['imports_mw', 'net_import_mw', ...Array.from({ length: 10 }, (_, index) => `feeder_${index}`)];
    const getColor = assignSeriesColors(names);
    assert.deepEqual(
      names.map(getColor).sort((a, b) => Number(a) - Number(b)),
      Array.from({ length: 12 }, (_, index) => index),
    );
  });

  it('creates a full palette for a theme with no colors or a single color', () => {
    const readToken = (token: string): string => (token === '--vscode-editor-background' ? '#808080' : '#818181');
    for (const palette of [createPalette(() => '', false), createPalette(readToken, true)]) {
      assert.equal(palette.series.length, 12);
      for (const text of palette.series) assert.ok(computeContrast(parse(text), parse(palette.background)) >= 3);
    }
  });

  it('uses the colors of the light theme on paper, including those of the stress bands', () => {
    const { tokens } = themes.light;
    const onWhite = { ...tokens, '--vscode-editor-background': '#ffffff' };
    const light = createPalette(token => (onWhite as Readonly<Record<string, string>>)[token] ?? '', false);
    const paper = createPaperPalette();
    for (const part of ['background', 'series', 'patterns', 'scale', 'diverging', 'bands'] as const)
      assert.deepEqual(paper[part], light[part], part);
    for (const text of [paper.foreground, paper.muted]) assert.ok(computeContrast(parse(text), parse('#ffffff')) >= 7);
  });
});
