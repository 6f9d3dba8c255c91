import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { convertLrgbToRgb, convertRgbToLrgb, convertRgbToOklab, type Rgb } from 'culori/fn';
import {
  computeContrast,
  computeDifference,
  blendWithBackground,
  parseColor,
  createPalette,
} from '../../../../src/presentation/chart/palette.ts';
import { bandOpacity } from '../../../../src/presentation/chart/marks.ts';
import { root } from '../../../../scripts/paths.ts';
import { themes, type ThemeName } from '../../../view/themes.ts';
import { stressBandIds } from '../../../../src/shared/stressBands.ts';

type Row = readonly [red: number, green: number, blue: number];

/**
 * Matrices that simulate color vision deficiencies on linear RGB, after Machado, Oliveira and Fernandes, "A
 * Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE TVCG 15 (2009), severity 1.0.
 */
const visionMatrices: Readonly<Record<string, readonly [Row, Row, Row]>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function simulate(rows: readonly [Row, Row, Row], color: Rgb): Rgb {
  const light = convertRgbToLrgb(color);
  const seen = rows.map(([red, green, blue]) => red * light.r + green * light.g + blue * light.b);
  const [r = NaN, g = NaN, b = NaN] = seen.map(share => Math.min(1, Math.max(0, share)));
  return convertLrgbToRgb({ r, g, b });
}

function parse(text: string): Rgb {
  const color = parseColor(text);
  assert.ok(color, text);
  return color;
}

/** The colors of the bands as drawn in the chart, and their background. */
function listBands(theme: ThemeName): { readonly bands: readonly Rgb[]; readonly background: Rgb } {
  const tokens: Readonly<Record<string, string>> = themes[theme].tokens;
  const { bands, background } = createPalette(token => tokens[token] ?? '', theme.startsWith('hc'));
  return { bands: bands.map(parse), background: parse(background) };
}

/** Pairs each color with the next color, or with every later color. */
function listPairs(colors: readonly Rgb[], scope: 'neighbors' | 'all'): [Rgb, Rgb][] {
  return colors.flatMap((first, index) =>
    colors.slice(index + 1, scope === 'all' ? undefined : index + 2).map((second): [Rgb, Rgb] => [first, second]),
  );
}

// In OKLab, a difference of about 0.02 is just noticeable side by side.
const minDifference = 0.1;
const minShadeDifference = 0.03;

describe('the colors of the stress bands', () => {
  for (const theme of Object.keys(themes) as ThemeName[]) {
    it(`uses the theme's colors for stress bands in ${theme}, each 3:1 on its background`, () => {
      const { bands, background } = listBands(theme);
      const tokens: Readonly<Record<string, string>> = themes[theme].tokens;
      assert.deepEqual(
        bands,
        stressBandIds.map(id => parse(tokens[`--vscode-gridDataStress-${id}`] ?? '')),
      );
      for (const band of bands) assert.ok(computeContrast(band, background) >= 3, JSON.stringify(band));
    });

    for (const [name, rows] of Object.entries(visionMatrices))
      it(`keeps stress bands distinct in ${theme} with ${name} vision, neighbors by lightness too`, () => {
        const { bands, background } = listBands(theme);
        const seen = bands.map(band => simulate(rows, band));
        for (const [first, second] of listPairs(seen, 'all'))
          assert.ok(computeDifference(first, second) >= minDifference, JSON.stringify([first, second]));
        for (const [first, second] of listPairs(seen, 'neighbors'))
          assert.ok(
            Math.abs(convertRgbToOklab(first).l - convertRgbToOklab(second).l) >= minDifference,
            JSON.stringify([first, second]),
          );
        const shades = bands.map(band =>
          simulate(rows, blendWithBackground({ ...band, alpha: bandOpacity }, background)),
        );
        for (const [first, second] of listPairs(shades, 'neighbors'))
          assert.ok(computeDifference(first, second) >= minShadeDifference, JSON.stringify([first, second]));
      });

    it(`keeps the index line and band names readable on their shades in ${theme}`, () => {
      const { bands, background } = listBands(theme);
      const foreground = parse(themes[theme].tokens['--vscode-editor-foreground']);
      for (const band of bands) {
        const shade = blendWithBackground({ ...band, alpha: bandOpacity }, background);
        assert.ok(computeContrast(foreground, shade) >= 4.5, JSON.stringify(shade));
      }
    });
  }

  it('uses the same band colors as the table', () => {
    const css = readFileSync(join(root, 'media', 'grid.css'), 'utf8');
    const used = [...css.matchAll(/\[data-tone='(\w+)'\] \{\s*--tone: var\(--vscode-gridDataStress-(\w+)\);/g)];
    assert.deepEqual(
      used.map(([, band, token]) => [band, token]),
      stressBandIds.map(id => [id, id]),
    );
  });

  it('keeps band colors visible on any background', () => {
    const { bands, background } = createPalette(token => (token.includes('stress') ? '#808080' : '#7f7f7f'), false);
    for (const band of bands) assert.ok(computeContrast(parse(band), parse(background)) >= 3);
  });
});
