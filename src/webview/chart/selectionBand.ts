import { t } from '@vscode/l10n';
import type { TimeRange } from './chartModel.ts';
import { bandShapes, scaleX } from './marks.ts';
import type { PlotFrame } from './marks.ts';
import type { Palette } from './palette.ts';
import type { Plot } from './plot.ts';
import { boxTrace } from './scene.ts';
import type { Shape, Sink } from './scene.ts';
import type { PlotWords } from './words.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const shadeOpacity = 0.12;

/** What lies under grid and lines: the bands of the left axis, and the shade of what is selected in the table. */
export function groundShapes(plot: Plot, place: PlotFrame, palette: Palette): Shape[] {
  const bands = bandShapes(plot, place, palette);
  const spans = spansIn(plot, place);
  if (spans.length === 0 || palette.highContrast) return bands;
  const { box } = place;
  const trace = (sink: Sink): void =>
    spans.forEach(({ start, end }) => boxTrace({ ...box, x: start, width: end - start })(sink));
  return [...bands, { kind: 'path', trace, fill: { colour: palette.foreground, opacity: shadeOpacity } }];
}

/** A bracket over the layers round each stretch selected in the table: areas hide a shade, and high contrast has none. */
export function selectionEdges(plot: Plot, place: PlotFrame, palette: Palette): Shape[] {
  const spans = spansIn(plot, place);
  if (spans.length === 0) return [];
  const { box } = place;
  const trace = (sink: Sink): void => {
    for (const { start, end } of spans) {
      sink.moveTo(start, box.y + box.height);
      sink.lineTo(start, box.y + 1);
      sink.lineTo(end, box.y + 1);
      sink.lineTo(end, box.y + box.height);
    }
  };
  const edge: Shape = { kind: 'path', trace, stroke: { colour: palette.foreground, width: 2, dash: [4, 3] } };
  return [{ kind: 'clip', box, shapes: [edge] }];
}

/**
 * "Selected in the table: 03 May 02:00 SAST to 03 May 06:00 SAST, 4 hours.", up to the end of the last interval where its
 * length is known; days from the first to the last. Nothing where nothing is selected.
 */
export function selectionSentence({ selected, timeline, daily }: Plot, words: PlotWords): string[] {
  const [first, last] = [selected[0], selected.at(-1)];
  if (!first || !last) return [];
  const rows = selected.reduce((sum, stretch) => sum + stretch.rows, 0);
  const count = words.count(rows);
  const size =
    timeline.step === hourMs
      ? t('{0} hours', count)
      : timeline.step === dayMs
        ? t('{0} days', count)
        : t('{0} rows', count);
  const range = words.range({ start: first.start, end: last.end + (daily ? 0 : (timeline.step ?? 0)) });
  if (selected.length === 1) return [t('Selected in the table: {0}, {1}.', range, size)];
  return [t('Selected in the table: {0}, {1} in {2} ranges.', range, size, words.count(selected.length))];
}

/** Where the stretches lie in the box, in its pixels; those out of sight are left out. */
function spansIn({ selected, stepped, timeline }: Plot, place: PlotFrame): TimeRange[] {
  const { window } = place;
  const toX = scaleX(place);
  const held = stepped ? (timeline.step ?? 0) : 0;
  return selected
    .filter(({ start, end }) => start <= window.end && end + held >= window.start)
    .map(({ start, end }) => ({ start: toX(start), end: toX(end + held) }));
}
