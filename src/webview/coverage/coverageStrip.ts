import type { DisplayZone } from '../../shared/protocol.ts';
import { binAt } from '../../core/bins/dayEdges.ts';
import { shownStates, stepStart, stepState, type Coverage } from '../../shared/result.ts';
import { CoverageWords, type StepRange, stretchAt, stretchesIn, type TimeInterval } from './coverageWords.ts';
import { createDrawing, drawMarks } from './stripDrawing.ts';
import { stripPixels, type StripPixels } from './stripPixels.ts';

/** What the strip asks of the page around it. */
export interface CoverageHost {
  /** Shows the time in the table: the beginning of a step, UTC milliseconds. Answers what to say where it has no row there. */
  readonly goTo: (instant: number) => string | undefined;
  /** Says a sentence to screen readers. */
  readonly announce: (text: string) => void;
}

export interface CoverageModel extends StepRange {
  readonly coverage: Coverage;
  readonly zone: DisplayZone;
  readonly locale: string;
}

const id = 'coverage';
/** How far the frame of the thumb stands out on each side, in pixels. */
const frame = 3;

/**
 * The thin strip over the table: what is there of each step of the range. For keyboard and screen reader it is a slider:
 * one tab stop on a line of time, the arrow keys move its thumb from stretch to stretch (steps in one state), and the
 * browser reads out the value's text. A list of options would need an element for each of possibly thousands of stretches.
 */
export class CoverageStrip {
  readonly element = div('coverage');
  readonly #host: CoverageHost;
  readonly #thumb = div('coverage-thumb');
  readonly #tooltip = div('coverage-tooltip');
  readonly #drawing = createDrawing(id);
  readonly #resized = new ResizeObserver(() => this.#draw());
  #model: CoverageModel | undefined;
  #words: CoverageWords | undefined;
  #stretches: readonly TimeInterval[] = [];
  #pixels: StripPixels = { marks: new Uint8Array(), steps: new Uint32Array() };
  #current = 0;

  constructor(host: CoverageHost) {
    this.#host = host;
    const { element } = this;
    const thumb = this.#thumb;
    const tooltip = this.#tooltip;
    element.setAttribute('role', 'slider');
    element.setAttribute('aria-orientation', 'horizontal');
    element.tabIndex = 0;
    // The value's text says the same.
    tooltip.setAttribute('aria-hidden', 'true');
    tooltip.hidden = true;
    element.hidden = true;
    element.append(this.#drawing, thumb, tooltip);
    element.addEventListener('keydown', event => this.#pressed(event));
    element.addEventListener('click', event => this.#clicked(event));
    element.addEventListener('pointermove', event => this.#hovered(event));
    element.addEventListener('pointerleave', () => this.#focusTooltip());
    element.addEventListener('focus', () => this.#focusTooltip());
    element.addEventListener('blur', () => (tooltip.hidden = true));
    this.#resized.observe(element);
  }

  /** Shows the coverage of a result; undefined for a result of which none is known: the strip goes away. */
  show(model: CoverageModel | undefined): void {
    const place = this.#instantOf(this.#stretches[this.#current]?.from);
    this.#model = model;
    this.#stretches = model ? stretchesIn(shownStates(model.coverage)) : [];
    this.element.hidden = this.#stretches.length === 0;
    this.#tooltip.hidden = true;
    if (!model) return;
    this.#current = this.#placeOf(place, model);
    this.#write(model);
    this.#draw();
  }

  /** Colours follow the theme by themselves; the tooltip is measured in its font. */
  themeChanged(): void {
    if (!this.#tooltip.hidden) this.#focusTooltip();
  }

  #write(model: CoverageModel): void {
    this.#words = new CoverageWords(model, model.coverage.expected, model.zone, model.locale);
    this.element.ariaLabel = this.#words.summary(model.coverage);
    this.element.ariaValueMin = '1';
    this.element.ariaValueMax = String(this.#stretches.length);
  }

  /** The stretch in which the thumb was; at first the first one that is not present. */
  #placeOf(instant: number | undefined, { start, stepMs, edges, coverage }: CoverageModel): number {
    const step = instant === undefined ? -1 : edges ? binAt(edges, instant) : Math.floor((instant - start) / stepMs);
    if (step >= 0 && step < coverage.expected) return stretchAt(this.#stretches, step);
    return Math.max(
      0,
      this.#stretches.findIndex(({ state }) => state !== stepState.present),
    );
  }

  #draw(): void {
    const drawing = this.#drawing;
    const model = this.#model;
    const width = Math.round(this.element.clientWidth);
    if (!model || width === 0) return;
    this.#pixels = stripPixels(model.coverage, width);
    drawMarks(drawing, id, this.#pixels.marks);
    this.#place();
  }

  /** Puts the thumb on the current stretch. */
  #place(): void {
    const { element } = this;
    const thumb = this.#thumb;
    const model = this.#model;
    const stretch = this.#stretches[this.#current];
    if (!model || !stretch) return;
    element.ariaValueNow = String(this.#current + 1);
    element.ariaValueText = this.#textOf(stretch);
    const { clientWidth } = element;
    // The pixels that `stripPixels` gives these steps, but for the frame, which is cut beside the strip.
    const pixelOf = (step: number): number =>
      Math.max(frame, Math.min(clientWidth - frame, Math.ceil((step * clientWidth) / model.coverage.states.length)));
    const left = pixelOf(stretch.from);
    thumb.style.left = `${left}px`;
    thumb.style.width = `${pixelOf(stretch.to) - left}px`;
  }

  #pressed(event: KeyboardEvent): void {
    const target = this.#targetOf(event.key);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target !== undefined) {
      this.#current = Math.min(this.#stretches.length - 1, Math.max(0, target));
      this.#place();
      this.#focusTooltip();
    } else if (event.key === 'Enter' || event.key === ' ') this.#go(this.#stretches[this.#current]?.from);
    else if (event.key === 'Escape' && !this.#tooltip.hidden) this.#tooltip.hidden = true;
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #targetOf(key: string): number | undefined {
    switch (key) {
      case 'ArrowLeft':
      case 'ArrowDown':
        return this.#current - 1;
      case 'ArrowRight':
      case 'ArrowUp':
        return this.#current + 1;
      case 'Home':
        return 0;
      case 'End':
        return this.#stretches.length - 1;
      default:
        return undefined;
    }
  }

  #clicked(event: MouseEvent): void {
    const step = this.#stepUnder(event);
    if (step === undefined) return;
    this.#current = stretchAt(this.#stretches, step);
    this.#place();
    const said = this.#go(step);
    // The pointer is still here, and the eye with it.
    if (said !== undefined) this.#showTooltip(said, this.#xOf(event));
  }

  /** Goes to a step and says what is there; answers with what it said. */
  #go(step: number | undefined): string | undefined {
    const stretch = this.#stretches[this.#current];
    const instant = this.#instantOf(step);
    if (!stretch || instant === undefined) return undefined;
    const note = this.#host.goTo(instant);
    const said = note === undefined ? this.#textOf(stretch) : `${this.#textOf(stretch)}. ${note}`;
    this.#host.announce(said);
    return said;
  }

  #hovered(event: PointerEvent): void {
    const step = this.#stepUnder(event);
    const stretch = step === undefined ? undefined : this.#stretches[stretchAt(this.#stretches, step)];
    if (stretch) this.#showTooltip(this.#textOf(stretch), this.#xOf(event));
  }

  /** Without the mouse, the tooltip stands under the thumb, and only while a keyboard is on it. */
  #focusTooltip(): void {
    const stretch = this.#stretches[this.#current];
    this.#tooltip.hidden = true;
    if (!stretch || !this.element.matches(':focus-visible')) return;
    this.#showTooltip(this.#textOf(stretch), this.#thumb.offsetLeft + this.#thumb.offsetWidth / 2);
  }

  #showTooltip(text: string, x: number): void {
    const { element } = this;
    const tooltip = this.#tooltip;
    tooltip.textContent = text;
    tooltip.hidden = false;
    const room = element.clientWidth - tooltip.offsetWidth;
    tooltip.style.left = `${Math.max(0, Math.min(room, x - tooltip.offsetWidth / 2))}px`;
  }

  #stepUnder(event: MouseEvent): number | undefined {
    const x = Math.floor(this.#xOf(event));
    return this.#pixels.steps[Math.min(this.#pixels.steps.length - 1, Math.max(0, x))];
  }

  #xOf({ clientX }: MouseEvent): number {
    return clientX - this.element.getBoundingClientRect().left;
  }

  #instantOf(step: number | undefined): number | undefined {
    if (step === undefined || !this.#model) return undefined;
    return stepStart(this.#model, this.#model.start, this.#model.stepMs, step);
  }

  #textOf(stretch: TimeInterval): string {
    return this.#words && this.#model ? this.#words.stretch(stretch, this.#model.coverage) : '';
  }
}

function div(className: string): HTMLDivElement {
  const made = document.createElement('div');
  made.className = className;
  return made;
}
