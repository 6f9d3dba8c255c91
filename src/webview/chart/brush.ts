import { t } from '@vscode/l10n';
import { element } from '../grid/gridDom.ts';
import { startDrag } from '../startDrag.ts';
import { type TimeRange, moveWindow } from '../../presentation/chart/chartModel.ts';
import { axesIn } from '../../presentation/chart/decimate.ts';
import { layerShapes } from '../../presentation/chart/marks.ts';
import { emptied, paint } from './paint.ts';
import type { PlotScene } from '../../presentation/chart/plotShapes.ts';

type Part = 'start' | 'end' | 'window';

const step = 0.1;
/** Options of the idle callback: it runs after 250 ms at the latest. */
const atLatest = { timeout: 250 };

/** The overview under the chart: the whole result in small, with the zoom window as a part that can be moved and resized. */
export class Brush {
  readonly element = element('chart-brush');
  readonly #canvas = document.createElement('canvas');
  readonly #slider = element('chart-brush-window', 'slider');
  readonly #changed: (window: TimeRange) => void;
  readonly #moved: () => void;
  #scene: PlotScene | undefined;
  #window: TimeRange = { start: 0, end: 1 };
  #painted = '';
  #isWaiting = false;

  /** `moved` is called at the end of a drag. Keyboard changes need no announcement: the slider's value is read out. */
  constructor(changed: (window: TimeRange) => void, moved: () => void, reset: () => void) {
    this.#changed = changed;
    this.#moved = moved;
    this.#canvas.ariaHidden = 'true';
    this.#slider.tabIndex = 0;
    this.#slider.ariaValueMin = '0';
    this.#slider.ariaValueMax = '100';
    this.#slider.append(handle('start'), handle('end'));
    this.element.append(this.#canvas, this.#slider);
    this.element.addEventListener('pointerdown', event => this.#startDrag(event));
    this.element.addEventListener('dblclick', reset);
    this.#slider.addEventListener('keydown', event => this.#press(event, reset));
    // The observer also reports the initial size. It observes device pixels, to repaint on a screen of higher resolution.
    const sizes = new ResizeObserver(() => this.#size() !== this.#painted && this.#paintSoon());
    sizes.observe(this.element, { box: 'device-pixel-content-box' });
  }

  draw(scene: PlotScene, window: TimeRange): void {
    this.#scene = scene;
    this.#slider.ariaLabel = t('Time range shown. Arrow keys move it, with Shift they change its end.');
    this.#paintSoon();
    this.setWindow(window);
  }

  /** Updates the texts; the picture stays. */
  relabel(scene: PlotScene): void {
    this.#scene = scene;
    this.setWindow(this.#window);
  }

  setWindow(window: TimeRange): void {
    const scene = this.#scene;
    if (!scene) return;
    this.#window = window;
    const { start, end } = scene.plot.domain;
    const percent = (instant: number): number => ((instant - start) / (end - start)) * 100;
    this.#slider.style.left = `${percent(window.start)}%`;
    this.#slider.style.width = `${percent(window.end) - percent(window.start)}%`;
    this.#slider.ariaValueNow = percent((window.start + window.end) / 2).toFixed(1);
    this.#slider.ariaValueText = scene.words.range(window);
  }

  #size(): string {
    return `${this.#canvas.clientWidth} ${this.#canvas.clientHeight} ${devicePixelRatio}`;
  }

  /** Paints when the page is idle, so that the first frame of the plot does not wait for the overview. */
  #paintSoon(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    requestIdleCallback(() => {
      this.#isWaiting = false;
      this.#paint();
    }, atLatest);
  }

  #paint(): void {
    const canvas = this.#canvas;
    const scene = this.#scene;
    const { clientWidth: width, clientHeight: height } = canvas;
    // While hidden nothing is painted; the empty size makes the observer repaint once the canvas is visible.
    this.#painted = width > 0 ? this.#size() : '';
    if (!scene || width === 0) return;
    const window = scene.plot.domain;
    const box = { x: 0, y: 2, width, height: height - 4 };
    const axes = axesIn(scene.plot, window, 2);
    const shapes = layerShapes(scene.plot, { box, window, axes }, scene.palette);
    paint(emptied(canvas, width, height), shapes, scene.font);
  }

  #startDrag(down: PointerEvent): void {
    const domain = this.#scene?.plot.domain;
    if (!domain || down.button !== 0) return;
    down.preventDefault();
    this.#slider.focus();
    const width = this.element.clientWidth;
    const perPixel = (domain.end - domain.start) / width;
    const part = ((down.target as HTMLElement).dataset['part'] as Part | undefined) ?? 'window';
    const pressedOn = this.#window;
    const length = pressedOn.end - pressedOn.start;
    const at = domain.start + (down.clientX - this.element.getBoundingClientRect().left) * perPixel;
    // A press outside the window moves its middle to the pointer.
    const before =
      at < pressedOn.start || at > pressedOn.end
        ? moveWindow(pressedOn, at - pressedOn.start - length / 2, domain)
        : pressedOn;
    let hasMoved = before !== pressedOn;
    if (hasMoved) this.#changed(before);
    startDrag(this.element, down, {
      move: clientX => {
        hasMoved = true;
        this.#changed(dragged(before, part, (clientX - down.clientX) * perPixel, domain));
      },
      end: isCancelled => {
        if (isCancelled) this.#changed(pressedOn);
        else if (hasMoved) this.#moved();
      },
    });
  }

  #press(event: KeyboardEvent, reset: () => void): void {
    const domain = this.#scene?.plot.domain;
    if (!domain || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === '0') {
      event.preventDefault();
      reset();
      return;
    }
    const next = pressed(this.#window, event.key, event.shiftKey, domain);
    if (!next) return;
    event.preventDefault();
    this.#changed(next);
  }
}

/** Returns the window after a key; undefined for a key that the brush does not handle. */
function pressed(window: TimeRange, key: string, resize: boolean, domain: TimeRange): TimeRange | undefined {
  const length = window.end - window.start;
  const whole = domain.end - domain.start;
  const moves: Readonly<Record<string, number>> = {
    ArrowLeft: -step * length,
    ArrowDown: -step * length,
    ArrowRight: step * length,
    ArrowUp: step * length,
    PageUp: -length,
    PageDown: length,
    Home: -whole,
    End: whole,
  };
  const by = moves[key];
  if (by === undefined) return undefined;
  return resize ? dragged(window, 'end', by, domain) : moveWindow(window, by, domain);
}

function dragged(window: TimeRange, part: Part, by: number, domain: TimeRange): TimeRange {
  switch (part) {
    case 'window':
      return moveWindow(window, by, domain);
    case 'start':
      return { ...window, start: Math.max(domain.start, Math.min(window.end, window.start + by)) };
    case 'end':
      return { ...window, end: Math.min(domain.end, Math.max(window.start, window.end + by)) };
  }
}

function handle(part: Part): HTMLElement {
  const made = element(`chart-brush-handle ${part}`);
  made.dataset['part'] = part;
  return made;
}
