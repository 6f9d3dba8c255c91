import { createElement } from '../grid/gridDom.ts';
import { startDrag } from '../startDrag.ts';
import type { TimeWindow } from '../../presentation/chart/chartModel.ts';
import { findPointsInside } from '../../presentation/chart/decimate.ts';
import { getLayerColor, scaleX, scaleY, type PlotFrame } from '../../presentation/chart/marks.ts';
import { clearCanvas, paint } from './paint.ts';
import { listVisibleLayers, type Layer } from '../../presentation/chart/plot.ts';
import { createPlotShapes, type PlotScene } from '../../presentation/chart/plotShapes.ts';
import { skipBreak } from '../../presentation/chart/readout.ts';
import { countAtMost } from '../../core/statistics/quantile.ts';
import { getMiddle, findNearest } from '../../presentation/chart/timeline.ts';

/** Callbacks for mouse actions on the plot. */
export interface PlotHandlers {
  zoom(window: TimeWindow): void;
  zoomBy(factor: number, instant: number): void;
  moveBy(milliseconds: number): void;
  /** Called at the end of a drag that moved the window. */
  onMoved(): void;
  reset(): void;
  /** Called when the pointed point changes; `row` is the row of cells of a heatmap. */
  onPointed(point: number | undefined, row?: number): void;
  /** Called after a press and release without a move. */
  onClicked(): void;
}

/** Height in CSS pixels below which the plot has room for only one row of labels under it. */
const lowPlotHeight = 240;
/** Distance in CSS pixels from which a press is a drag and no longer a click. */
const minDragDistance = 6;
const wheelSpeed = 0.0015;

/** Draws the plot on a canvas and the crosshair over it, and handles the mouse. */
export class PlotCanvas {
  readonly element = createElement('chart-canvas');
  readonly #handlers: PlotHandlers;
  readonly #canvas = document.createElement('canvas');
  /** Covers the plot between its axes. */
  readonly #area = createElement('chart-area');
  readonly #crosshair = createElement('chart-crosshair');
  readonly #dragSelection = createElement('chart-dragged');
  #scene: PlotScene | undefined;
  #window: TimeWindow = { start: 0, end: 1 };
  #frame: PlotFrame | undefined;
  #point: number | undefined;
  #paintedSize = '';

  constructor(handlers: PlotHandlers) {
    this.#handlers = handlers;
    this.#canvas.ariaHidden = 'true';
    this.#crosshair.hidden = this.#dragSelection.hidden = true;
    this.#area.append(this.#dragSelection, this.#crosshair);
    this.element.append(this.#canvas, this.#area);
    this.#area.addEventListener('mousemove', event => this.#onPointed(this.#findPoint(event), this.#findRow(event)));
    this.#area.addEventListener('mouseleave', () => this.#onPointed(undefined));
    this.#area.addEventListener('pointerdown', event => this.#onPointerDown(event));
    this.#area.addEventListener('wheel', event => this.#onWheel(event), { passive: false });
    this.#area.addEventListener('dblclick', () => handlers.reset());
    // The observer also reports the initial size, and a move of the window to a screen of another resolution.
    const sizes = new ResizeObserver(() => this.#getSizeKey() !== this.#paintedSize && this.#paint());
    sizes.observe(this.element, { box: 'device-pixel-content-box' });
  }

  /** Shows a plot, or the same plot with other colors or texts. */
  draw(scene: PlotScene, window: TimeWindow): void {
    this.#scene = scene;
    this.setWindow(window);
  }

  /** Updates the crosshair; the picture stays. */
  relabel(scene: PlotScene): void {
    this.#scene = scene;
    this.moveCrosshair(this.#point);
  }

  setWindow(window: TimeWindow): void {
    this.#window = window;
    this.#paint();
  }

  /** Moves the crosshair to a point. Hides it if undefined and while the point is outside the window. */
  moveCrosshair(point: number | undefined): void {
    this.#point = point;
    const scene = this.#scene;
    const frame = this.#frame;
    const { start, end } = this.#window;
    const { layers = [], timeline } = scene?.plot ?? {};
    const pointStart = timeline?.x[point ?? -1] ?? NaN;
    const position = timeline && layers.some(({ bar }) => bar) ? getMiddle(timeline, point ?? -1) : pointStart;
    this.#crosshair.hidden = !(pointStart >= start && pointStart <= end);
    if (!scene || !frame || point === undefined) return;
    this.#crosshair.style.left = `${Math.round(scaleX(frame)(position) - frame.box.x)}px`;
    this.#crosshair.replaceChildren(...createDots(scene, frame, point));
  }

  clear(): void {
    this.#scene = undefined;
  }

  #getSizeKey(): string {
    return `${this.element.clientWidth} ${this.element.clientHeight} ${devicePixelRatio}`;
  }

  #paint(): void {
    const scene = this.#scene;
    const { clientWidth: width, clientHeight: height } = this.element;
    // While hidden nothing is painted; the empty size makes the observer repaint once the canvas is visible.
    this.#paintedSize = width > 0 ? this.#getSizeKey() : '';
    if (!scene || width === 0) return;
    const size = {
      area: { x: 0, y: 0, width, height },
      width,
      isCompact: height < lowPlotHeight,
      pixelRatio: devicePixelRatio,
    };
    const { frame, shapes } = createPlotShapes(scene, this.#window, size);
    this.#frame = frame;
    paint(clearCanvas(this.#canvas, width, height), shapes, scene.font);
    const { box } = frame;
    for (const [side, pixels] of [
      ['left', box.x],
      ['top', box.y],
      ['width', box.width],
      ['height', box.height],
    ] as const)
      this.#area.style[side] = `${pixels}px`;
    this.moveCrosshair(this.#point);
  }

  #onPointed(point: number | undefined, row?: number): void {
    if (point === this.#point && row === this.#scene?.plot.cells?.row) return;
    this.moveCrosshair(point);
    this.#handlers.onPointed(point, row);
  }

  /** Finds the row of cells under the mouse; undefined for a chart without cells. */
  #findRow({ clientY }: MouseEvent): number | undefined {
    const { top, height } = this.#area.getBoundingClientRect();
    return this.#scene?.plot.cells && Math.floor((1 - (clientY - top) / height) * 24);
  }

  /** Finds the visible point nearest to the mouse. In a scatter plot it must be near in both dimensions. */
  #findPoint({ clientX, clientY }: MouseEvent): number | undefined {
    if (!this.#scene || !this.#frame) return undefined;
    const { plot } = this.#scene;
    const dots = plot.layers.find(({ kind, hidden }) => kind === 'dots' && !hidden);
    if (dots) {
      const { left, top } = this.#area.getBoundingClientRect();
      return findNearestDot(plot.timeline.x, dots, this.#frame, { x: clientX - left, y: clientY - top });
    }
    const { from, to } = findPointsInside(plot.timeline.x, this.#window);
    const x = plot.timeline.x.subarray(from, to);
    const instant = this.#toInstant(clientX);
    // A value of a stepped line holds until the next point, so the point before the mouse counts.
    const point = plot.isStepped
      ? Math.max(Math.min(0, x.length - 1), countAtMost(x, instant) - 1)
      : findNearest(x, instant);
    return point < 0 ? undefined : skipBreak(plot, from + point);
  }

  #toInstant(clientX: number): number {
    const { left, width } = this.#area.getBoundingClientRect();
    const { start, end } = this.#window;
    return start + ((clientX - left) / width) * (end - start);
  }

  #onWheel(event: WheelEvent): void {
    if (!(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    this.#handlers.zoomBy(Math.exp(event.deltaY * wheelSpeed), this.#toInstant(event.clientX));
  }

  #onPointerDown(press: PointerEvent): void {
    if (press.button !== 0) return;
    if (press.shiftKey) this.#startMove(press);
    else this.#startZoom(press);
  }

  #startMove(press: PointerEvent): void {
    const previousWindow = this.#window;
    let lastX = press.clientX;
    startDrag(this.#area, press, {
      move: clientX => {
        this.#handlers.moveBy(this.#toInstant(lastX) - this.#toInstant(clientX));
        lastX = clientX;
      },
      end: isCanceled => {
        if (isCanceled) this.#handlers.zoom(previousWindow);
        else if (lastX !== press.clientX) this.#handlers.onMoved();
      },
    });
  }

  #startZoom(press: PointerEvent): void {
    const { left, width } = this.#area.getBoundingClientRect();
    const clampX = (clientX: number): number => Math.max(left, Math.min(left + width, clientX));
    let ends: readonly number[] = [];
    startDrag(this.#area, press, {
      move: clientX => {
        ends = [clampX(press.clientX), clampX(clientX)].sort((a, b) => a - b);
        const [from = 0, to = 0] = ends;
        this.#dragSelection.hidden = to - from < minDragDistance;
        this.#dragSelection.style.left = `${from - left}px`;
        this.#dragSelection.style.width = `${to - from}px`;
      },
      end: isCanceled => {
        const [start = 0, end = 0] = ends.map(clientX => this.#toInstant(clientX));
        if (!isCanceled && !this.#dragSelection.hidden) this.#handlers.zoom({ start, end });
        else if (!isCanceled) this.#handlers.onClicked();
        this.#dragSelection.hidden = true;
      },
    });
  }
}

/** Largest distance in CSS pixels between the mouse and the dot it points to. */
const maxDotDistance = 24;

/** Finds the dot nearest to `target`, which is in CSS pixels within the plot area. */
function findNearestDot(
  x: Float64Array,
  { values, axis }: Layer,
  frame: PlotFrame,
  target: { readonly x: number; readonly y: number },
): number | undefined {
  const toX = scaleX(frame);
  const toY = scaleY(frame, axis);
  let nearestMatch: { point: number; distance: number } | undefined;
  for (let point = 0; point < x.length; point++) {
    const dx = toX(x[point] as number) - frame.box.x - target.x;
    if (Math.abs(dx) > maxDotDistance) continue;
    const distance = Math.hypot(dx, toY(values[point] as number) - frame.box.y - target.y);
    if (distance <= maxDotDistance && distance < (nearestMatch?.distance ?? Infinity))
      nearestMatch = { point, distance };
  }
  return nearestMatch?.point;
}

/** Creates the dots of the crosshair: one on each line at a point, in its color, and one on the cell of a heatmap. */
function createDots({ plot, palette }: PlotScene, frame: PlotFrame, point: number): HTMLElement[] {
  const { cells } = plot;
  const lineLayers = listVisibleLayers(plot).filter(
    ({ kind }) => kind === 'line' || kind === 'dots' || kind === 'cells',
  );
  return lineLayers.flatMap(({ values, axis, style, kind }) => {
    const value = kind === 'cells' && cells ? cells.row + 0.5 : (values[point] ?? NaN);
    if (Number.isNaN(value)) return [];
    const dot = createElement('chart-dot');
    dot.style.top = `${scaleY(frame, axis)(value) - frame.box.y}px`;
    dot.style.borderColor = getLayerColor(style, palette);
    return dot;
  });
}
