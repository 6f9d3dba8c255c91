import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ZoneOffsets } from '../../../../src/core/time/zoneOffsets.ts';
import { createTimeLabels, createTimeTicks } from '../../../../src/presentation/chart/timeTicks.ts';
import { hourMs, palette, start } from './chartWorld.ts';

const measure = (text: string, size: number): number => text.length * size * 0.6;
const long = 'Hour beginning, America/Argentina/ComodRivadavia (UTC−3)';
const titles = [long, 'America/Argentina/ComodRivadavia (UTC−3)', 'UTC'];

/** Lists the rows of labels under a plot. Each label has its start and end. */
function listLabelRows(width: number, left: number, hours: number, locale: string, zone: string, rows: 1 | 2) {
  const box = { x: left, y: 20, width: width - left - 16, height: 200 };
  const window = { start, end: start + hours * hourMs };
  const ticks = createTimeTicks(window, new ZoneOffsets(zone), box.width / 84, locale, 0, rows);
  const toX = (instant: number): number => box.x + ((instant - start) / (hours * hourMs)) * box.width;
  const rowsByHeight = new Map<number, { text: string; from: number; to: number }[]>();
  for (const shape of createTimeLabels(ticks, titles, { box, width, toX, measureWidth: measure }, palette)) {
    assert.ok(shape.kind === 'text' && shape.style.anchor === 'middle');
    const halfWidth = measure(shape.text, shape.style.size) / 2;
    const { x, y } = shape.position;
    rowsByHeight.set(y, [...(rowsByHeight.get(y) ?? []), { text: shape.text, from: x - halfWidth, to: x + halfWidth }]);
  }
  return [...rowsByHeight.values()];
}

describe('the labels of the time axis', () => {
  it('keeps labels inside and apart at every width, length, time zone and language', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 120, max: 3440 }),
        fc.integer({ min: 0, max: 80 }),
        fc.integer({ min: 1, max: 100_000 }),
        fc.constantFrom('en', 'af', 'de', 'pt-BR', 'vi'),
        fc.constantFrom('UTC', 'Africa/Johannesburg', 'Asia/Kolkata', 'America/Argentina/ComodRivadavia'),
        fc.constantFrom(1 as const, 2 as const),
        (width, left, hours, locale, zone, rows) => {
          const labelRows = listLabelRows(width, left, hours, locale, zone, rows);
          assert.ok(labelRows.length >= 1, 'no title');
          for (const row of labelRows)
            row.forEach(({ text, from, to }, index) => {
              assert.ok(from >= 0 && to <= width, `${text}: ${from} to ${to}`);
              assert.ok(from >= (row[index - 1]?.to ?? -Infinity), `${text} stands on another`);
            });
        },
      ),
    );
  });

  it('moves edge labels inside rather than drop them, and centers the others', () => {
    const [label, below] = listLabelRows(420, 20, 24, 'en', 'UTC', 2);
    assert.deepEqual(
      label?.map(({ text }) => text),
      ['00:00', '06:00', '12:00', '18:00', '00:00'],
    );
    assert.deepEqual(
      below?.map(({ text }) => text),
      ['Fri 01 May 2026', 'Sat 02 May'],
    );
    assert.deepEqual(
      below.slice(0, 1).map(({ from }) => from),
      [2],
    );
  });

  it('drops labels that would overlap the previous one', () => {
    const [label] = listLabelRows(200, 20, 24, 'vi', 'UTC', 1);
    assert.deepEqual(
      label?.map(({ text }) => text),
      ['Thứ 6 01 thg 5 2026'],
    );
  });

  it("shows as much of the time zone's name as fits", () => {
    const texts = [1000, 300, 120].map(width => listLabelRows(width, 20, 24, 'en', 'UTC', 2).at(-1)?.[0]?.text);
    assert.deepEqual(texts, titles);
  });
});
