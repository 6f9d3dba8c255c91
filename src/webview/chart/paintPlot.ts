import uPlot from 'uplot';
import type { Box, Shape } from './scene.ts';
import { paint } from './paint.ts';

/** Paints shapes over the library's plot area, in CSS pixels whatever the screen's. */
export function paintPlot(chart: uPlot, shapes: (box: Box) => Shape[], font = 'sans-serif'): void {
  const ratio = uPlot.pxRatio;
  const { left, top, width, height } = chart.bbox;
  const box = { x: left / ratio, y: top / ratio, width: width / ratio, height: height / ratio };
  chart.ctx.save();
  chart.ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  paint(chart.ctx, shapes(box), font);
  chart.ctx.restore();
}
