import { element } from '../grid/gridDom.ts';
import { startDrag } from '../startDrag.ts';
import type { TimeRange } from '../../presentation/chart/chartModel.ts';
import { pointsInside } from '../../presentation/chart/decimate.ts';
import { colourOf, scaleX, scaleY, type PlotFrame } from '../../presentation/chart/marks.ts';
import { emptied, paint } from './paint.ts';
import { visibleLayers, type Layer } from '../../presentation/chart/plot.ts';
import { plotShapes, type PlotScene } from '../../presentation/chart/plotShapes.ts';
import { pointWithRow } from '../../presentation/chart/readout.ts';
import { countUpTo } from '../../core/statistics/sorted.ts';
import { middleOf, nearest } from '../../presentation/chart/timeline.ts';

/** What the mouse asked for. */
export interface PlotHandlers {
  zoom(window: TimeRange): void;
  zoomBy(factor: number, at: number): void;
  moveBy(milliseconds: number): void;
  /** The mouse has let go of what it moved. */
  moved(): void;
  reset(): void;
  /** `row`: of the cells of a heatmap. */
  pointed(point: number | undefined, row?: number): void;
  /** The mouse was pressed and let go without a move. */
  clicked(): void;
}

/** CSS pixels: a lower plot has no room for more than one row under it. */
const lowPlot = 240;
/** CSS pixels: a press that moves less is a click. */
const leastDrag = 6;
const wheelSpeed = 0.0015;

/** The plot itself on a canvas; over it the crosshair, and what the mouse does to the window. */
export class PlotCanvas {
  readonly element = element('chart-canvas');
  readonly #handlers: PlotHandlers;
  readonly #canvas = document.createElement('canvas');
  /** Lies over the plot between its axes. */
  readonly #area = element('chart-area');
  readonly #crosshair = element('chart-crosshair');
  readonly #dragged = element('chart-dragged');
  #scene: PlotScene | undefined;
  #window: TimeRange = { start: 0, end: 1 };
  #frame: PlotFrame | undefined;
  #point: number | undefined;
  #painted = '';

  constructor(handlers: PlotHandlers) {
    this.#handlers = handlers;
    this.#canvas.ariaHidden = 'true';
    this.#crosshair.hidden = this.#dragged.hidden = true;
    this.#area.append(this.#dragged, this.#crosshair);
    this.element.append(this.#canvas, this.#area);
    this.#area.addEventListener('mousemove', event => this.#pointTo(this.#pointAt(event), this.#rowAt(event)));
    this.#area.addEventListener('mouseleave', () => this.#pointTo(undefined));
    this.#area.addEventListener('pointerdown', event => this.#press(event));
    this.#area.addEventListener('wheel', event => this.#wheel(event), { passive: false });
    this.#area.addEventListener('dblclick', () => handlers.reset());
    // It reports once at first as well, and when the window comes to a finer screen.
    const sizes = new ResizeObserver(() => this.#size() !== this.#painted && this.#paint());
    sizes.observe(this.element, { box: 'device-pixel-content-box' });
  }

  /** Shows another plot, or the same in other colours or words. */
  draw(scene: PlotScene, window: TimeRange): void {
    this.#scene = scene;
    this.setWindow(window);
  }

  /** The same picture, with other values at the crosshair. */
  relabel(scene: PlotScene): void {
    this.#scene = scene;
    this.point(this.#point);
  }

  setWindow(window: TimeRange): void {
    this.#window = window;
    this.#paint();
  }

  /** Puts the crosshair on a point; takes it away for undefined, and while the point is out of sight. */
  point(point: number | undefined): void {
    this.#point = point;
    const scene = this.#scene;
    const frame = this.#frame;
    const { start, end } = this.#window;
    const { layers = [], timeline } = scene?.plot ?? {};
    const begin = timeline?.x[point ?? -1] ?? NaN;
    const at = timeline && layers.some(({ bar }) => bar) ? middleOf(timeline, point ?? -1) : begin;
    this.#crosshair.hidden = !(begin >= start && begin <= end);
    if (!scene || !frame || point === undefined) return;
    this.#crosshair.style.left = `${Math.round(scaleX(frame)(at) - frame.box.x)}px`;
    this.#crosshair.replaceChildren(...dotsOf(scene, frame, point));
  }

  clear(): void {
    this.#scene = undefined;
  }

  #size(): string {
    return `${this.element.clientWidth} ${this.element.clientHeight} ${devicePixelRatio}`;
  }

  #paint(): void {
    const scene = this.#scene;
    const { clientWidth: width, clientHeight: height } = this.element;
    // Out of sight nothing is painted, and what stands on the canvas is old: it is painted once it is seen, in the same size too.
    this.#painted = width > 0 ? this.#size() : '';
    if (!scene || width === 0) return;
    const room = { area: { x: 0, y: 0, width, height }, width, isLow: height < lowPlot, ratio: devicePixelRatio };
    const { frame, shapes } = plotShapes(scene, this.#window, room);
    this.#frame = frame;
    paint(emptied(this.#canvas, width, height), shapes, scene.font);
    const { box } = frame;
    for (const [side, at] of [
      ['left', box.x],
      ['top', box.y],
      ['width', box.width],
      ['height', box.height],
    ] as const)
      this.#area.style[side] = `${at}px`;
    this.point(this.#point);
  }

  #pointTo(point: number | undefined, row?: number): void {
    if (point === this.#point && row === this.#scene?.plot.cells?.row) return;
    this.point(point);
    this.#handlers.pointed(point, row);
  }

  /** The row of cells under the mouse. */
  #rowAt({ clientY }: MouseEvent): number | undefined {
    const { top, height } = this.#area.getBoundingClientRect();
    return this.#scene?.plot.cells && Math.floor((1 - (clientY - top) / height) * 24);
  }

  /** The point in sight that is nearest to the mouse; of a scatter, one that is near in both ways. */
  #pointAt({ clientX, clientY }: MouseEvent): number | undefined {
    if (!this.#scene || !this.#frame) return undefined;
    const { plot } = this.#scene;
    const dots = plot.layers.find(({ kind, hidden }) => kind === 'dots' && !hidden);
    if (dots) {
      const { left, top } = this.#area.getBoundingClientRect();
      return nearestDot(plot.timeline.x, dots, this.#frame, { x: clientX - left, y: clientY - top });
    }
    const { from, to } = pointsInside(plot.timeline.x, this.#window);
    const x = plot.timeline.x.subarray(from, to);
    const instant = this.#instantAt(clientX);
    // What holds until the next point is under the mouse before that.
    const point = plot.stepped ? Math.max(Math.min(0, x.length - 1), countUpTo(x, instant) - 1) : nearest(x, instant);
    return point < 0 ? undefined : pointWithRow(plot, from + point);
  }

  #instantAt(clientX: number): number {
    const { left, width } = this.#area.getBoundingClientRect();
    const { start, end } = this.#window;
    return start + ((clientX - left) / width) * (end - start);
  }

  #wheel(event: WheelEvent): void {
    if (!(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    this.#handlers.zoomBy(Math.exp(event.deltaY * wheelSpeed), this.#instantAt(event.clientX));
  }

  #press(down: PointerEvent): void {
    if (down.button !== 0) return;
    if (down.shiftKey) this.#startMove(down);
    else this.#startZoom(down);
  }

  #startMove(down: PointerEvent): void {
    const before = this.#window;
    let last = down.clientX;
    startDrag(this.#area, down, {
      move: clientX => {
        this.#handlers.moveBy(this.#instantAt(last) - this.#instantAt(clientX));
        last = clientX;
      },
      end: isCancelled => {
        if (isCancelled) this.#handlers.zoom(before);
        else if (last !== down.clientX) this.#handlers.moved();
      },
    });
  }

  #startZoom(down: PointerEvent): void {
    const { left, width } = this.#area.getBoundingClientRect();
    const inside = (clientX: number): number => Math.max(left, Math.min(left + width, clientX));
    let ends: readonly number[] = [];
    startDrag(this.#area, down, {
      move: clientX => {
        ends = [inside(down.clientX), inside(clientX)].sort((a, b) => a - b);
        const [from = 0, to = 0] = ends;
        this.#dragged.hidden = to - from < leastDrag;
        this.#dragged.style.left = `${from - left}px`;
        this.#dragged.style.width = `${to - from}px`;
      },
      end: isCancelled => {
        const [start = 0, end = 0] = ends.map(clientX => this.#instantAt(clientX));
        if (!isCancelled && !this.#dragged.hidden) this.#handlers.zoom({ start, end });
        else if (!isCancelled) this.#handlers.clicked();
        this.#dragged.hidden = true;
      },
    });
  }
}

/** CSS pixels: a dot further away is none that the mouse points to. */
const reach = 24;

/** Places are in the plot's area, CSS pixels. */
function nearestDot(
  x: Float64Array,
  { values, axis }: Layer,
  frame: PlotFrame,
  at: { readonly x: number; readonly y: number },
): number | undefined {
  const [toX, toY] = [scaleX(frame), scaleY(frame, axis)];
  let best: { point: number; away: number } | undefined;
  for (let point = 0; point < x.length; point++) {
    const across = toX(x[point] as number) - frame.box.x - at.x;
    if (Math.abs(across) > reach) continue;
    const away = Math.hypot(across, toY(values[point] as number) - frame.box.y - at.y);
    if (away <= reach && away < (best?.away ?? Infinity)) best = { point, away };
  }
  return best?.point;
}

/** One on each line at a point, in its colour, and one on the cell of a heatmap. */
function dotsOf({ plot, palette }: PlotScene, frame: PlotFrame, point: number): HTMLElement[] {
  const { cells } = plot;
  const drawn = visibleLayers(plot).filter(({ kind }) => kind === 'line' || kind === 'dots' || kind === 'cells');
  return drawn.flatMap(({ values, axis, style, kind }) => {
    const value = kind === 'cells' && cells ? cells.row + 0.5 : (values[point] ?? NaN);
    if (Number.isNaN(value)) return [];
    const dot = element('chart-dot');
    dot.style.top = `${scaleY(frame, axis)(value) - frame.box.y}px`;
    dot.style.borderColor = colourOf(style, palette);
    return dot;
  });
}
