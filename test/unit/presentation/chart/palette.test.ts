import assert from 'node:assert/strict';
import { convertRgbToOklab, type Rgb } from 'culori/fn';
import fc from 'fast-check';
import {
  colourBlindDifference,
  coloursOfColumns,
  contrast,
  difference,
  fromLab,
  onBackground,
  parseColour,
  withContrast,
  paletteOf,
  paperPalette,
  type Palette,
} from '../../../../src/presentation/chart/palette.ts';
import { themes, type ThemeName } from '../../../view/themes.ts';

const channel = fc.integer({ min: 0, max: 255 }).map(value => value / 255);
const colour = fc.tuple(channel, channel, channel).map(([r, g, b]): Rgb => ({ mode: 'rgb', r, g, b }));

function read(text: string): Rgb {
  const parsed = parseColour(text);
  assert.ok(parsed, text);
  return parsed;
}

function paletteIn(theme: ThemeName): Palette {
  const tokens: Readonly<Record<string, string>> = themes[theme].tokens;
  return paletteOf(token => tokens[token] ?? '', theme.startsWith('hc'));
}

describe('colours', () => {
  it('parses every color format of VS Code', () => {
    const mode = 'rgb';
    assert.deepEqual(read('#1f1F1f'), { mode, r: 31 / 255, g: 31 / 255, b: 31 / 255 });
    assert.deepEqual(read(' #fff '), { mode, r: 1, g: 1, b: 1 });
    assert.deepEqual(read('#ff000080').alpha, 128 / 255);
    assert.deepEqual(read('rgba(36, 137, 219, 0.51)'), { mode, r: 36 / 255, g: 137 / 255, b: 219 / 255, alpha: 0.51 });
    assert.deepEqual(read('rgb(0, 51, 255)'), { mode, r: 0, g: 0.2, b: 1 });
    for (const other of ['', 'red', '#12', 'rgb(1, 2)', 'var(--x)', '#ggg'])
      assert.equal(parseColour(other), undefined);
  });

  it('computes contrast as WCAG defines it', () => {
    assert.equal(contrast(read('#000'), read('#fff')), 21);
    assert.equal(contrast(read('#fff'), read('#fff')), 1);
    assert.equal(contrast(read('#777'), read('#fff')).toFixed(2), '4.48');
  });

  it('blends transparent colors with the background', () => {
    const half = onBackground({ ...read('#000'), alpha: 0.5 }, read('#fff'));
    assert.deepEqual(half, { mode: 'rgb', r: 0.5, g: 0.5, b: 0.5 });
  });

  it('round-trips colors through OKLab', () => {
    const there = fc.property(colour, given => assert.deepEqual(fromLab(convertRgbToOklab(given)), given));
    fc.assert(there);
  });

  it('reaches the requested contrast on any background, and keeps colors that have it', () => {
    fc.assert(
      fc.property(colour, colour, (given, background) => {
        const seen = withContrast(given, background, 3);
        assert.ok(contrast(seen, background) >= 3);
        if (contrast(given, background) >= 3) assert.deepEqual(seen, given);
      }),
    );
  });
});

describe('the palette', () => {
  for (const theme of ['light', 'dark'] as const)
    it(`goes in even steps from the background to two unlike colors in ${theme}`, () => {
      const { diverging, background } = paletteIn(theme);
      const middle = (diverging.length - 1) / 2;
      assert.equal(diverging[middle], background);
      const steps = diverging.slice(1).map((text, index) => difference(read(text), read(diverging[index] ?? '')));
      const mean = steps.reduce((sum, step) => sum + step, 0) / steps.length;
      // A channel of a colour is one of 256.
      for (const step of steps) assert.ok(Math.abs(step - mean) < 0.006, `${step} of ${mean}`);
      const [low = '', high = ''] = [diverging[0], diverging.at(-1)];
      assert.ok(colourBlindDifference(read(low), read(high)) > 0.15, `${low} ${high}`);
    });

  for (const theme of Object.keys(themes) as ThemeName[]) {
    it(`creates twelve series colors in ${theme}, each 3:1 on the background and distinct from the others and the text`, () => {
      const { series, background, foreground, muted } = paletteIn(theme);
      assert.equal(series.length, 12);
      for (const text of series) assert.ok(contrast(read(text), read(background)) >= 3, text);
      series.forEach((one, index) => {
        for (const other of [...series.slice(index + 1), foreground])
          assert.ok(difference(read(one), read(other)) > 0.09, `${one} ${other}`);
      });
      assert.ok(contrast(read(foreground), read(background)) >= 4.5);
      assert.ok(contrast(read(muted), read(background)) >= 4.5);
    });
  }

  for (const theme of Object.keys(themes) as ThemeName[])
    it(`gives areas in ${theme} a pattern only where color-blind readers would mistake the color for another`, () => {
      const { series, patterns } = paletteIn(theme);
      const alike = (one: number, other: number): boolean =>
        colourBlindDifference(read(series[one] ?? ''), read(series[other] ?? '')) < 0.06;
      const places = [...series.keys()];
      for (const place of places) {
        const before = places.slice(0, place).filter(other => alike(place, other));
        assert.ok(
          before.every(other => patterns[other] !== patterns[place]),
          series[place],
        );
        assert.equal(
          patterns[place] === 0,
          before.every(other => patterns[other] !== 0),
          series[place],
        );
      }
    });

  it('sees colors as those do who do not tell red from green', () => {
    assert.ok(difference(read('#b5200d'), read('#374e06')) > 0.2);
    assert.ok(colourBlindDifference(read('#b5200d'), read('#374e06')) < 0.01);
    assert.ok(colourBlindDifference(read('#000'), read('#fff')) > 0.99);
  });

  it('has the same series colors in every theme', () => {
    const [first, ...others] = (Object.keys(themes) as ThemeName[]).map(theme => paletteIn(theme).series);
    for (const series of others) assert.deepEqual(series, first);
  });

  it('tells all series apart for color-blind readers without a pattern', () => {
    for (const theme of Object.keys(themes) as ThemeName[])
      assert.deepEqual([...new Set(paletteIn(theme).patterns)], [0], theme);
  });

  it('draws a known column in the color of its meaning, whatever it is drawn with', () => {
    const alone = coloursOfColumns(['wind_mw'])('wind_mw');
    const names = ['odd', 'other', 'hydro_water_mw', 'wind_mw', 'residual_demand_mw', 'constructor'];
    const together = coloursOfColumns(names);
    assert.equal(together('wind_mw'), alone);
    assert.equal(together('residual_demand_mw'), 'foreground');
    const places = names.map(together);
    assert.equal(new Set(places).size, names.length);
  });

  it('gives each column a color of its own while there are some left, also where two mean the same', () => {
    const names = ['imports_mw', 'net_import_mw', ...Array.from({ length: 10 }, (_, at) => `feeder_${at}`)];
    const colourOf = coloursOfColumns(names);
    assert.deepEqual(
      names.map(colourOf).sort((a, b) => Number(a) - Number(b)),
      Array.from({ length: 12 }, (_, place) => place),
    );
  });

  it('creates a full palette for a theme without colors, and for one with a single color', () => {
    const tell = (token: string): string => (token === '--vscode-editor-background' ? '#808080' : '#818181');
    for (const palette of [paletteOf(() => '', false), paletteOf(tell, true)]) {
      assert.equal(palette.series.length, 12);
      for (const text of palette.series) assert.ok(contrast(read(text), read(palette.background)) >= 3);
    }
  });

  it('has the colors of the light theme on paper, those of the stress bands among them', () => {
    const { tokens } = themes.light;
    const onWhite = { ...tokens, '--vscode-editor-background': '#ffffff' };
    const light = paletteOf(token => (onWhite as Readonly<Record<string, string>>)[token] ?? '', false);
    const paper = paperPalette();
    for (const part of ['background', 'series', 'patterns', 'scale', 'diverging', 'bands'] as const)
      assert.deepEqual(paper[part], light[part], part);
    for (const text of [paper.foreground, paper.muted]) assert.ok(contrast(read(text), read('#ffffff')) >= 7);
  });
});
