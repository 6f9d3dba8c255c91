import { t } from '@vscode/l10n';
import { createElement } from '../grid/gridDom.ts';
import { startDrag } from '../startDrag.ts';
import { type TimeWindow, moveWindow } from '../../presentation/chart/chartModel.ts';
import { createValueAxes } from '../../presentation/chart/decimate.ts';
import { createLayerShapes } from '../../presentation/chart/marks.ts';
import { clearCanvas, paint } from './paint.ts';
import type { PlotScene } from '../../presentation/chart/plotShapes.ts';

type Part = 'start' | 'end' | 'window';

const keyMoveShare = 0.1;
/** Options of the idle callback: it runs after 250 ms at the latest. */
const idleOptions = { timeout: 250 };

/** The overview under the chart. It draws the whole result and the zoom window, which can be moved and resized. */
export class Brush {
  readonly element = createElement('chart-brush');
  readonly #canvas = document.createElement('canvas');
  readonly #slider = createElement('chart-brush-window', 'slider');
  readonly #onChange: (window: TimeWindow) => void;
  readonly #onMoved: () => void;
  #scene: PlotScene | undefined;
  #window: TimeWindow = { start: 0, end: 1 };
  #paintedSize = '';
  #isPaintScheduled = false;

  /** `onMoved` is called at the end of a drag. Keyboard changes need no announcement: the slider's value is read out. */
  constructor(onChange: (window: TimeWindow) => void, onMoved: () => void, reset: () => void) {
    this.#onChange = onChange;
    this.#onMoved = onMoved;
    this.#canvas.ariaHidden = 'true';
    this.#slider.tabIndex = 0;
    this.#slider.ariaValueMin = '0';
    this.#slider.ariaValueMax = '100';
    this.#slider.append(createHandle('start'), createHandle('end'));
    this.element.append(this.#canvas, this.#slider);
    this.element.addEventListener('pointerdown', event => this.#startDrag(event));
    this.element.addEventListener('dblclick', reset);
    this.#slider.addEventListener('keydown', event => this.#onKeyDown(event, reset));
    // The observer also reports the initial size. It observes device pixels, to repaint on a screen of higher resolution.
    const sizes = new ResizeObserver(() => this.#getSizeKey() !== this.#paintedSize && this.#schedulePaint());
    sizes.observe(this.element, { box: 'device-pixel-content-box' });
  }

  draw(scene: PlotScene, window: TimeWindow): void {
    this.#scene = scene;
    this.#slider.ariaLabel = t('Time range shown. Arrow keys move it, with Shift they change its end.');
    this.#schedulePaint();
    this.setWindow(window);
  }

  /** Updates the texts; the picture stays. */
  relabel(scene: PlotScene): void {
    this.#scene = scene;
    this.setWindow(this.#window);
  }

  setWindow(window: TimeWindow): void {
    const scene = this.#scene;
    if (!scene) return;
    this.#window = window;
    const { start, end } = scene.plot.domain;
    const percent = (instant: number): number => ((instant - start) / (end - start)) * 100;
    this.#slider.style.left = `${percent(window.start)}%`;
    this.#slider.style.width = `${percent(window.end) - percent(window.start)}%`;
    this.#slider.ariaValueNow = percent((window.start + window.end) / 2).toFixed(1);
    this.#slider.ariaValueText = scene.formatter.formatRange(window);
  }

  #getSizeKey(): string {
    return `${this.#canvas.clientWidth} ${this.#canvas.clientHeight} ${devicePixelRatio}`;
  }

  /** Paints when the page is idle, so that the first frame of the plot does not wait for the overview. */
  #schedulePaint(): void {
    if (this.#isPaintScheduled) return;
    this.#isPaintScheduled = true;
    requestIdleCallback(() => {
      this.#isPaintScheduled = false;
      this.#paint();
    }, idleOptions);
  }

  #paint(): void {
    const canvas = this.#canvas;
    const scene = this.#scene;
    const { clientWidth: width, clientHeight: height } = canvas;
    // While hidden nothing is painted; the empty size makes the observer repaint once the canvas is visible.
    this.#paintedSize = width > 0 ? this.#getSizeKey() : '';
    if (!scene || width === 0) return;
    const window = scene.plot.domain;
    const box = { x: 0, y: 2, width, height: height - 4 };
    const axes = createValueAxes(scene.plot, window, 2);
    const shapes = createLayerShapes(scene.plot, { box, window, axes }, scene.palette);
    paint(clearCanvas(canvas, width, height), shapes, scene.font);
  }

  #startDrag(press: PointerEvent): void {
    const domain = this.#scene?.plot.domain;
    if (!domain || press.button !== 0) return;
    press.preventDefault();
    this.#slider.focus();
    const width = this.element.clientWidth;
    const perPixel = (domain.end - domain.start) / width;
    const part = ((press.target as HTMLElement).dataset['part'] as Part | undefined) ?? 'window';
    const windowAtPress = this.#window;
    const length = windowAtPress.end - windowAtPress.start;
    const instant = domain.start + (press.clientX - this.element.getBoundingClientRect().left) * perPixel;
    // A press outside the window moves its middle to the pointer.
    const initialWindow =
      instant < windowAtPress.start || instant > windowAtPress.end
        ? moveWindow(windowAtPress, instant - windowAtPress.start - length / 2, domain)
        : windowAtPress;
    let hasMoved = initialWindow !== windowAtPress;
    if (hasMoved) this.#onChange(initialWindow);
    startDrag(this.element, press, {
      move: clientX => {
        hasMoved = true;
        this.#onChange(resizeWindow(initialWindow, part, (clientX - press.clientX) * perPixel, domain));
      },
      end: isCanceled => {
        if (isCanceled) this.#onChange(windowAtPress);
        else if (hasMoved) this.#onMoved();
      },
    });
  }

  #onKeyDown(event: KeyboardEvent, reset: () => void): void {
    const domain = this.#scene?.plot.domain;
    if (!domain || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === '0') {
      event.preventDefault();
      reset();
      return;
    }
    const next = windowAfterKey(this.#window, event.key, event.shiftKey, domain);
    if (!next) return;
    event.preventDefault();
    this.#onChange(next);
  }
}

/** Returns the window after a key; undefined for a key that the brush does not handle. */
function windowAfterKey(window: TimeWindow, key: string, resize: boolean, domain: TimeWindow): TimeWindow | undefined {
  const length = window.end - window.start;
  const domainLength = domain.end - domain.start;
  const moves: Readonly<Record<string, number>> = {
    ArrowLeft: -keyMoveShare * length,
    ArrowDown: -keyMoveShare * length,
    ArrowRight: keyMoveShare * length,
    ArrowUp: keyMoveShare * length,
    PageUp: -length,
    PageDown: length,
    Home: -domainLength,
    End: domainLength,
  };
  const milliseconds = moves[key];
  if (milliseconds === undefined) return undefined;
  return resize ? resizeWindow(window, 'end', milliseconds, domain) : moveWindow(window, milliseconds, domain);
}

function resizeWindow(window: TimeWindow, part: Part, milliseconds: number, domain: TimeWindow): TimeWindow {
  switch (part) {
    case 'window':
      return moveWindow(window, milliseconds, domain);
    case 'start':
      return { ...window, start: Math.max(domain.start, Math.min(window.end, window.start + milliseconds)) };
    case 'end':
      return { ...window, end: Math.min(domain.end, Math.max(window.start, window.end + milliseconds)) };
  }
}

function createHandle(part: Part): HTMLElement {
  const handleElement = createElement(`chart-brush-handle ${part}`);
  handleElement.dataset['part'] = part;
  return handleElement;
}
