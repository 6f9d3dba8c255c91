import uPlot from 'uplot';
import type { TimeRange } from './chartModel.ts';
import { axesIn } from './decimate.ts';
import { afterTwoTurns } from './later.ts';
import { bandNames, colourOf, layerShapes, scaleX } from './marks.ts';
import type { Palette } from './palette.ts';
import { visibleLayers, type Plot } from './plot.ts';
import { isLowPlot, roomBelow, timeAxis, valueAxisOf, type AxisScene } from './plotAxes.ts';
import { pointWithRow } from './readout.ts';
import { ruler, paint } from './paint.ts';
import type { Box, Shape } from './scene.ts';
import { groundShapes, selectionEdges } from './selectionBand.ts';
import { axisTextSize, timeLabels, type TimeTick } from './timeTicks.ts';
import type { ValueAxis } from './valueAxis.ts';

/** What is on the canvas. */
export type PlotScene = AxisScene;

/** What the mouse asked for. */
export interface PlotHandlers {
  zoom(window: TimeRange): void;
  zoomBy(factor: number, at: number): void;
  moveBy(milliseconds: number): void;
  /** The mouse has let go of what it moved. */
  moved(): void;
  reset(): void;
  pointed(point: number | undefined): void;
}

const valueSpacing = 36;
const top = 22;
const roomRight = 16;
const wheelSpeed = 0.0015;

/** The plot itself: uPlot keeps canvas, axes, crosshair and selection; the marks are painted by the same code that writes the pictures. */
export class PlotCanvas {
  readonly element: HTMLElement;
  readonly #handlers: PlotHandlers;
  readonly #sizes: ResizeObserver;
  #measure = ruler('sans-serif');
  #scene: PlotScene | undefined;
  #window: TimeRange = { start: 0, end: 1 };
  #axes: readonly ValueAxis[] = [];
  #ticks: readonly TimeTick[] = [];
  #chart: uPlot | undefined;
  #shownPoint: number | undefined;
  #quiet = false;
  /** As the plot was made. */
  #isLow = false;

  constructor(handlers: PlotHandlers) {
    this.#handlers = handlers;
    this.element = document.createElement('div');
    this.element.className = 'chart-canvas';
    this.#sizes = new ResizeObserver(() => this.#resize());
    this.#sizes.observe(this.element);
  }

  /** Shows another plot, or the same in other colours or words. */
  draw(scene: PlotScene, window: TimeRange): void {
    this.#chart?.destroy();
    this.#scene = scene;
    this.#measure = ruler(scene.font);
    this.#window = window;
    this.#isLow = isLowPlot(this.#size().height);
    // A crosshair put on a plot that does not know its scales yet stands nowhere.
    this.#keepPoint(() => (this.#chart = new uPlot(this.#options(scene), this.#data(scene.plot), this.element)));
    this.#chart?.over.addEventListener('wheel', event => this.#wheel(event), { passive: false });
  }

  setWindow(window: TimeRange): void {
    this.#window = window;
    this.#keepPoint(() => this.#chart?.setScale('x', { min: window.start, max: window.end }));
  }

  /** Puts the crosshair on a point; takes it away for undefined, and while the point is out of sight. */
  point(point: number | undefined): void {
    const window = this.#window;
    const chart = this.#chart;
    this.#shownPoint = point;
    const at = this.#scene?.plot.timeline.x[point ?? -1] ?? NaN;
    const left = at >= window.start && at <= window.end ? chart?.valToPos(at, 'x') : undefined;
    // Without the hook: whoever moves the crosshair knows where it is.
    chart?.setCursor({ left: left ?? -10, top: left === undefined ? -10 : 0 }, false);
  }

  clear(): void {
    this.#chart?.destroy();
    this.#chart = undefined;
    this.#scene = undefined;
  }

  dispose(): void {
    this.#sizes.disconnect();
    this.clear();
  }

  #resize(): void {
    const { width, height } = this.#size();
    const scene = this.#scene;
    const chart = this.#chart;
    if (!chart || !scene || (width === chart.width && height === chart.height)) return;
    if (isLowPlot(height) === this.#isLow) this.#keepPoint(() => chart.setSize({ width, height }));
    else this.draw(scene, this.#window);
  }

  #moved(point: number | undefined): void {
    if (this.#quiet) return;
    this.#shownPoint = point;
    this.#handlers.pointed(point);
  }

  /** The library leaves the crosshair at its pixel, over another instant; it works in the microtask after a change, and in one more for its axes. */
  #keepPoint(change: () => void): void {
    this.#quiet = true;
    change();
    afterTwoTurns(() => {
      this.#quiet = false;
      this.point(this.#shownPoint);
    });
  }

  #size(): { readonly width: number; readonly height: number } {
    return { width: Math.max(120, this.element.clientWidth), height: Math.max(120, this.element.clientHeight) };
  }

  /** The lines only: what they are read for is the dot on each at the crosshair. */
  #data(plot: Plot): uPlot.AlignedData {
    const lines = visibleLayers(plot).filter(({ kind }) => kind === 'line');
    return [plot.timeline.x, ...lines.map(({ values }) => values)];
  }

  #options(scene: PlotScene): uPlot.Options {
    const { plot, palette } = scene;
    const lines = visibleLayers(plot).filter(({ kind }) => kind === 'line');
    const scales = Object.fromEntries(
      (['y0', 'y1'] as const).map((key, index): [string, uPlot.Scale] => [key, { range: () => this.#range(index) }]),
    );
    return {
      ...this.#size(),
      ms: 1,
      padding: [top, plot.axes.length > 1 ? 0 : roomRight, 0, 0],
      legend: { show: false },
      scales: { x: { time: false, range: () => [this.#window.start, this.#window.end] }, ...scales },
      axes: [
        timeAxis(scene, this.#isLow, ticks => (this.#ticks = ticks)),
        ...plot.axes.map((_, index) =>
          valueAxisOf(
            scene,
            index,
            () => this.#axes[index],
            text => this.#measure(text, axisTextSize),
          ),
        ),
      ],
      series: [
        {},
        ...lines.map(layer => ({
          scale: `y${layer.axis}`,
          auto: false,
          paths: () => null,
          points: { show: false },
          stroke: colourOf(layer.style, palette),
        })),
      ],
      cursor: this.#cursor(plot, palette),
      hooks: {
        drawClear: [chart => paintPlot(chart, box => groundShapes(plot, this.#place(box), palette), this.#scene?.font)],
        draw: [chart => paintPlot(chart, box => this.#marks(scene, box), this.#scene?.font)],
        setSelect: [chart => this.#selected(chart)],
        setCursor: [chart => this.#moved(this.#pointOf(chart.cursor.idx))],
      },
    };
  }

  #cursor(plot: Plot, palette: Palette): uPlot.Cursor {
    const { x } = plot.timeline;
    return {
      y: false,
      points: { size: 7, fill: palette.background, width: 2 },
      drag: { x: true, y: false, setScale: false, dist: 6 },
      // The crosshair stands on a point, not between two; a selection goes where the mouse goes.
      move: (chart, left, y) => {
        if (left < 0 || chart.cursor.event?.buttons) return [left, y];
        const point = this.#pointOf(chart.posToIdx(left));
        return [point === undefined ? left : chart.valToPos(x[point] ?? 0, 'x'), y];
      },
      dataIdx: (chart, series, index) => {
        const point = this.#pointOf(index);
        return point === undefined || Number.isNaN(chart.data[series]?.[point]) ? null : point;
      },
      bind: {
        mousedown: (chart, _target, handler) => event => {
          if (event.shiftKey && event.button === 0) this.#startMove(chart, event);
          else handler(event);
          return null;
        },
        dblclick: () => () => {
          this.#handlers.reset();
          return null;
        },
      },
    };
  }

  #range(index: number): [number, number] {
    const scene = this.#scene;
    // Left first: both axes are made anew for the window in one go.
    if (index === 0 && scene) {
      const height = this.#size().height - top - roomBelow(this.#isLow);
      this.#axes = axesIn(scene.plot, this.#window, Math.max(2, height / valueSpacing));
    }
    const { min = 0, max = 1 } = this.#axes[index] ?? {};
    return [min, max];
  }

  #marks({ plot, palette, words }: PlotScene, box: Box): Shape[] {
    const look = { colour: palette.muted, size: axisTextSize } as const;
    const [left, right] = plot.axes;
    const unit = (text: string | undefined, x: number, anchor: 'start' | 'end'): Shape[] =>
      text ? [{ kind: 'text', text, at: { x, y: top / 2 }, look: { ...look, anchor } }] : [];
    const room = { box, width: this.#size().width, toX: scaleX(this.#place(box)), measure: this.#measure };
    return [
      // In a low plot the zone stands over the plot only.
      ...timeLabels(this.#ticks, this.#isLow ? [] : words.axisTitles(), room, palette),
      ...layerShapes(plot, this.#place(box), palette),
      ...selectionEdges(plot, this.#place(box), palette),
      ...bandNames(plot, this.#place(box), palette),
      ...unit(left?.unit, box.x, 'start'),
      ...unit(right?.unit, box.x + box.width, 'end'),
    ];
  }

  #place(box: Box): { readonly box: Box; readonly window: TimeRange; readonly axes: readonly ValueAxis[] } {
    return { box, window: this.#window, axes: this.#axes };
  }

  #pointOf(index: number | null | undefined): number | undefined {
    return index == null || !this.#scene ? undefined : pointWithRow(this.#scene.plot, index);
  }

  #selected(chart: uPlot): void {
    const { left, width } = chart.select;
    if (width === 0) return;
    const window = { start: chart.posToVal(left, 'x'), end: chart.posToVal(left + width, 'x') };
    chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.#handlers.zoom(window);
  }

  #wheel(event: WheelEvent): void {
    if (!this.#chart || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    const at = this.#chart.posToVal(event.clientX - this.#chart.over.getBoundingClientRect().left, 'x');
    this.#handlers.zoomBy(Math.exp(event.deltaY * wheelSpeed), at);
  }

  #startMove(chart: uPlot, down: MouseEvent): void {
    const perPixel = (this.#window.end - this.#window.start) / (chart.bbox.width / uPlot.pxRatio);
    followMouse(
      down,
      pixels => this.#handlers.moveBy(-pixels * perPixel),
      () => this.#handlers.moved(),
    );
  }
}

/** Paints shapes over the library's plot area, in CSS pixels whatever the screen's. */
function paintPlot(chart: uPlot, shapes: (box: Box) => Shape[], font = 'sans-serif'): void {
  const ratio = uPlot.pxRatio;
  const { left, top, width, height } = chart.bbox;
  const box = { x: left / ratio, y: top / ratio, width: width / ratio, height: height / ratio };
  chart.ctx.save();
  chart.ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  paint(chart.ctx, shapes(box), font);
  chart.ctx.restore();
}

/** Follows a pressed mouse until it is let go: `moved` hears of every move in pixels, right is positive; `done` once, if there was any. */
function followMouse(down: MouseEvent, moved: (pixels: number) => void, done: () => void): void {
  let last = down.clientX;
  let hasMoved = false;
  const stop = new AbortController();
  const { signal } = stop;
  const move = (event: MouseEvent): void => {
    hasMoved = true;
    moved(event.clientX - last);
    last = event.clientX;
  };
  const release = (): void => {
    stop.abort();
    if (hasMoved) done();
  };
  document.addEventListener('mousemove', move, { signal });
  document.addEventListener('mouseup', release, { signal });
}
