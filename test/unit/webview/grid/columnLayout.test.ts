import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ColumnLayout, computeColumnWidths } from '../../../../src/webview/grid/columnLayout.ts';
import type { GridColumn } from '../../../../src/presentation/table/gridColumn.ts';

describe('ColumnLayout', () => {
  it('finds the column under every pixel', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 500 }),
        fc.nat(),
        (widths, seed) => {
          const layout = new ColumnLayout(widths);
          const x = seed % layout.total;
          const column = layout.columnAt(x);
          assert.ok(layout.left(column) <= x && x < layout.left(column) + layout.width(column));
        },
      ),
    );
  });

  it('clamps to the first and the last column', () => {
    const layout = new ColumnLayout([10, 20]);
    assert.deepEqual([layout.columnAt(-5), layout.columnAt(1e9), layout.total, layout.width(1)], [0, 1, 30, 20]);
  });
});

describe('computeColumnWidths', () => {
  it('shows every number in full and cuts long texts', () => {
    const column = (label: string, samples: string[]) => ({ label, unit: '', samples }) as unknown as GridColumn;
    const measure = { header: (text: string) => text.length * 7, cell: (text: string) => text.length * 8 };
    const widths = computeColumnWidths(
      { columns: [column('MW', ['23,581.8']), column('x'.repeat(500), []), column('', ['y'.repeat(500)])] },
      measure,
    );
    assert.ok((widths[0] ?? 0) >= 8 * 8 + 16);
    assert.ok((widths[1] ?? 0) <= 240);
    assert.ok((widths[2] ?? 0) <= 340);
  });

  it('shows the color legend of a header in full', () => {
    const columns = [{ name: 'gas', label: 'Gas', unit: 'MW', samples: ['1.0'] } as unknown as GridColumn];
    const measure = { header: (text: string) => text.length * 7, cell: (text: string) => text.length * 8 };
    const getLegend = () => ({ words: '-1,499.205 to 13,340.205', colors: [] });
    const [plainWidth = 0] = computeColumnWidths({ columns }, measure);
    const [widthWithLegend = 0] = computeColumnWidths({ columns, getLegend }, measure);
    assert.ok(widthWithLegend >= '-1,499.205 to 13,340.205 MW'.length * 7 + 40, `${widthWithLegend}`);
    assert.ok(plainWidth < 100, `${plainWidth}`);
  });
});
