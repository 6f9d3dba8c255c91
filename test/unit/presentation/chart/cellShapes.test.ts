import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createCellShapes, createScaleShapes } from '../../../../src/presentation/chart/cellShapes.ts';
import { createFewHoursStyle } from '../../../../src/presentation/chart/marks.ts';
import { createRecordingSink, palette } from './chartWorld.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const cellWidth = 4;

describe('the cells of a heatmap', () => {
  it('fills cells with their colors, and joins adjacent cells of one color into a box', () => {
    const gridCells = fc.array(fc.array(fc.constantFrom(NaN, 0, 0.5, 1), { minLength: 24, maxLength: 24 }), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(gridCells, cells => {
        const drawn = new Map<string, string>();
        let boxes = 0;
        for (const shape of createShapes(cells)) {
          if (shape.kind !== 'path' || !shape.fill) continue;
          const sink = createRecordingSink();
          shape.trace(sink);
          for (const box of sink.commands.join(' ').split(' Z').filter(Boolean)) {
            const [, left = 0, top = 0, right = 0] = /M(\d+),(\d+) L(\d+),/.exec(box)?.map(Number) ?? [];
            for (let x = left; x < right; x += cellWidth) {
              assert.ok(!drawn.has(`${x} ${top}`), 'the cell is drawn twice');
              drawn.set(`${x} ${top}`, shape.fill.hatch ? 'hatched' : shape.fill.color);
            }
            boxes += 1;
          }
        }
        const expected = cells.flatMap((hours, column) =>
          hours.map((value, hour) => [`${column * cellWidth} ${23 - hour}`, findColor(value)]),
        );
        assert.deepEqual(Object.fromEntries(drawn), Object.fromEntries(expected));
        const changes = cells.flatMap((hours, column) =>
          hours.filter(
            (value, hour) => column === 0 || findColor(value) !== findColor(cells[column - 1]?.[hour] ?? NaN),
          ),
        );
        assert.equal(boxes, changes.length);
      }),
      { numRuns: scaleRunCount(60) },
    );
  });

  it('marks the corner of each cell with too few hours', () => {
    const fewHours = new Uint8Array(48);
    fewHours[0] = fewHours[24] = fewHours[30] = 1;
    const shape = createShapes([Array<number>(24).fill(1), Array<number>(24).fill(1)], fewHours).at(-1);
    assert.ok(shape?.kind === 'path' && shape.fill?.hatch);
    const sink = createRecordingSink();
    shape.trace(sink);
    const boxes = sink.commands
      .join(' ')
      .split(' Z')
      .filter(Boolean)
      .map(box => box.trim().split(' ')[0]);
    assert.deepEqual(boxes, ['M0,235', 'M4,235', 'M4,175']);
  });
});

describe('the color scale over a heatmap', () => {
  const plot = { x: 50, y: 30, width: 600, height: 200 };
  const formatter = { formatTick: (value: number, decimals: number): string => value.toFixed(decimals) };
  const createScale = (min: number, max: number, color: 'scale' | 'bands', width = plot.width) => {
    const cells = { values: new Float64Array(), min, max, row: 0 };
    const shapes = createScaleShapes(
      cells,
      { unit: 'MW', decimals: 0, style: { color, dash: 0, width: 1 } },
      { ...plot, width },
      palette,
      formatter,
    );
    return {
      fills: shapes.flatMap(shape => (shape.kind === 'path' && shape.fill ? shape.fill.color : [])),
      texts: shapes.flatMap(shape => (shape.kind === 'text' ? { text: shape.text, x: shape.position.x } : [])),
    };
  };

  it('shows all colors, with round values at their positions, and the unit', () => {
    const { fills, texts } = createScale(18_071.741, 27_267.798, 'scale');
    assert.deepEqual(fills, palette.scale);
    const unit = texts.pop();
    assert.deepEqual(
      texts.map(({ text }) => text),
      ['20000', '22000', '24000', '26000'],
    );
    assert.equal(unit?.text, 'MW');
    const from = 50 + 600 - 280 - 10;
    const to = 50 + 600 - 10;
    for (const { text, x } of texts)
      assert.ok(Math.abs((x - from) / (to - from) - (Number(text) - 18_071.741) / (27_267.798 - 18_071.741)) < 1e-9);
    assert.deepEqual(createScale(18_071.741, 27_267.798, 'scale', 300).texts.length, 3);
  });

  it('shows stress bands with their limits, a single value in the middle, and nothing without values', () => {
    const { fills, texts } = createScale(0.1, 0.2, 'bands');
    assert.deepEqual(fills, palette.bands);
    assert.deepEqual(
      texts.map(({ text }) => text),
      ['0.0', '0.3', '0.6', '0.8', '1.0', 'MW'],
    );
    assert.equal(createScale(5, 5, 'scale').texts.at(0)?.text, '5');
    assert.deepEqual(createScale(Infinity, -Infinity, 'scale'), { fills: [], texts: [] });
  });
});

function createShapes(
  cells: readonly (readonly number[])[],
  fewHours?: Uint8Array,
): ReturnType<typeof createCellShapes> {
  const cellHeight = fewHours ? 10 : 1;
  const x = Float64Array.from(cells, (_, column) => column);
  const points = {
    x,
    from: 0,
    to: cells.length,
    toX: (column: number) => column * cellWidth,
    toY: (hour: number) => (24 - hour) * cellHeight,
    hold: 1,
  };
  const style = { color: 'scale', dash: 0, width: 1 } as const;
  return createCellShapes(
    { values: Float64Array.from(cells.flat()), min: 0, max: 1, row: 0, ...(fewHours && { fewHours }) },
    points,
    undefined,
    style,
    palette,
    createFewHoursStyle(palette),
  );
}

function findColor(value: number): string {
  if (Number.isNaN(value)) return 'hatched';
  return palette.scale[Math.min(2, Math.floor(value * 3))] ?? '';
}
