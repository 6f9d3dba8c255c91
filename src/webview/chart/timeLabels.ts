import type { Palette } from './palette.ts';
import type { Box, Shape } from './scene.ts';
import type { TimeTick } from './timeTicks.ts';

/** The plot and what it stands in, CSS pixels. */
export interface LabelRoom {
  readonly box: Box;
  /** Of the whole drawing: no label leaves it. */
  readonly width: number;
  readonly toX: (instant: number) => number;
  readonly measure: (text: string, size: number) => number;
}

/** CSS pixels. */
export const axisTextSize = 11;
/** How far the middle of a row is under the plot, CSS pixels. */
const rows = { label: 12, below: 27, title: 47 } as const;
const edge = 2;
const gap = 6;

/**
 * The labels of the marks, each under its own where there is room: at the edges they move inside, and one that would stand on the
 * label before it is left out. Under them the first of the titles that fits.
 */
export function timeLabels(
  ticks: readonly TimeTick[],
  titles: readonly string[],
  room: LabelRoom,
  { muted }: Palette,
): Shape[] {
  const { box, width, toX } = room;
  const measure = (text: string): number => room.measure(text, axisTextSize);
  const bottom = box.y + box.height;
  const title = titles.find(text => measure(text) <= width - 2 * edge) ?? '';
  return [
    ...row(
      ticks.map(({ instant, label }) => ({ text: label, x: toX(instant) })),
      rows.label,
    ),
    ...row(
      ticks.map(({ instant, below }) => ({ text: below, x: toX(instant) })),
      rows.below,
    ),
    ...row([{ text: title, x: box.x + box.width / 2 }], rows.title),
  ];

  function row(texts: readonly { readonly text: string; readonly x: number }[], under: number): Shape[] {
    let free = 0;
    return texts.flatMap(({ text, x }): Shape[] => {
      const half = measure(text) / 2;
      const at = Math.max(edge + half, Math.min(width - edge - half, x));
      if (text === '' || at - half < free || at + half > width) return [];
      free = at + half + gap;
      const look = { colour: muted, size: axisTextSize, anchor: 'middle' } as const;
      return [{ kind: 'text', text, at: { x: at, y: bottom + under }, look }];
    });
  }
}
