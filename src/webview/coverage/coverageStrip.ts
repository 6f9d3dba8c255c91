import { findBin } from '../../core/bins/binEdges.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { getDisplayStates, getIntervalStart, intervalState, type Coverage } from '../../shared/result.ts';
import { createElement } from '../grid/gridDom.ts';
import {
  CoverageWords,
  type StepRange,
  segmentIndexAt,
  segmentsIn,
  type CoverageSegment,
} from '../../presentation/coverage/coverageWords.ts';
import { createDrawing, drawMarks, stripPixels, type StripPixels } from './stripDrawing.ts';

/** What the strip needs of the page around it. */
interface CoverageHost {
  /** Shows the time in the table: the beginning of a step, UTC milliseconds. Returns a note where it has no row there. */
  readonly goTo: (instant: number) => string | undefined;
  /** A sentence for screen readers. */
  readonly announce: (text: string) => void;
}

interface CoverageModel extends StepRange {
  readonly coverage: Coverage;
  readonly zone: DisplayZone;
  readonly locale: string;
}

/** How far the frame of the thumb stands out on each side, in pixels. */
const frame = 3;

/**
 * The thin strip over the table: what is there of each step of the range. For keyboard and screen reader it is a slider:
 * one tab stop on a line of time, the arrow keys move its thumb from segment to segment (steps in one state), and the
 * browser reads out the value's text. A list of options would need an element for each of possibly thousands of segments.
 */
export class CoverageStrip {
  readonly element = createElement('coverage', 'slider');
  readonly #host: CoverageHost;
  readonly #thumb = createElement('coverage-thumb');
  readonly #tooltip = createElement('coverage-tooltip');
  readonly #drawing = createDrawing();
  #model: CoverageModel | undefined;
  #words: CoverageWords | undefined;
  #segments: readonly CoverageSegment[] = [];
  #pixels: StripPixels = { marks: new Uint8Array(), steps: new Uint32Array() };
  #current = 0;
  /** The person has moved the thumb, which then stays where it is. */
  #isMoved = false;

  constructor(host: CoverageHost) {
    this.#host = host;
    const strip = this.element;
    const tooltip = this.#tooltip;
    strip.setAttribute('aria-orientation', 'horizontal');
    strip.tabIndex = 0;
    // The slider's value text is the same.
    tooltip.setAttribute('aria-hidden', 'true');
    tooltip.hidden = true;
    strip.hidden = true;
    strip.append(this.#drawing, this.#thumb, tooltip);
    strip.addEventListener('keydown', event => this.#pressed(event));
    strip.addEventListener('click', event => this.#clicked(event));
    strip.addEventListener('pointermove', event => this.#hovered(event));
    strip.addEventListener('pointerleave', () => this.#focusTooltip());
    strip.addEventListener('focus', () => this.#focusTooltip());
    strip.addEventListener('blur', () => (tooltip.hidden = true));
    new ResizeObserver(() => this.#draw()).observe(strip);
  }

  /** Shows the coverage of a result; hides the strip where that is unknown. */
  show(model: CoverageModel | undefined): void {
    const instant = this.#isMoved ? this.#instantOf(this.#segments[this.#current]?.from) : undefined;
    this.#model = model;
    this.#segments = model ? segmentsIn(getDisplayStates(model.coverage), model.coverage.parts) : [];
    this.element.hidden = this.#segments.length === 0;
    this.#tooltip.hidden = true;
    if (!model) return;
    this.#current = this.#indexOf(instant, model);
    this.#words = new CoverageWords(model, model.coverage.expected, model.zone, model.locale);
    this.element.ariaLabel = this.#words.summary(model.coverage);
    this.element.ariaValueMin = '1';
    this.element.ariaValueMax = String(this.#segments.length);
    this.#draw();
  }

  /** Colours follow the theme without help; the tooltip depends on its font. */
  themeChanged(): void {
    if (!this.#tooltip.hidden) this.#focusTooltip();
  }

  /** The segment in which the thumb was; at first the first one that is not present. */
  #indexOf(instant: number | undefined, { start, stepMs, edges, coverage }: CoverageModel): number {
    const step = instant === undefined ? -1 : edges ? findBin(edges, instant) : Math.floor((instant - start) / stepMs);
    if (step >= 0 && step < coverage.expected) return segmentIndexAt(this.#segments, step);
    return Math.max(
      0,
      this.#segments.findIndex(({ state }) => state !== intervalState.present),
    );
  }

  #draw(): void {
    const model = this.#model;
    const width = Math.round(this.element.clientWidth);
    if (!model || width === 0) return;
    this.#pixels = stripPixels(model.coverage, width);
    drawMarks(this.#drawing, this.#pixels.marks);
    this.#place();
  }

  /** Puts the thumb on the current segment. */
  #place(): void {
    const { element } = this;
    const thumb = this.#thumb;
    const model = this.#model;
    const segment = this.#segments[this.#current];
    if (!model || !segment) return;
    element.ariaValueNow = String(this.#current + 1);
    element.ariaValueText = this.#textOf(segment);
    const { clientWidth } = element;
    // The pixels that `stripPixels` gives these steps, but for the frame, which is cut beside the strip.
    const pixelOf = (step: number): number =>
      Math.max(frame, Math.min(clientWidth - frame, Math.ceil((step * clientWidth) / model.coverage.states.length)));
    const left = pixelOf(segment.from);
    thumb.style.left = `${left}px`;
    thumb.style.width = `${pixelOf(segment.to) - left}px`;
  }

  #moveTo(segment: number): void {
    this.#isMoved = true;
    this.#current = segment;
    this.#place();
  }

  #pressed(event: KeyboardEvent): void {
    const [previous, next] = [this.#current - 1, this.#current + 1];
    const last = this.#segments.length - 1;
    const target = { ArrowLeft: previous, ArrowDown: previous, ArrowRight: next, ArrowUp: next, Home: 0, End: last }[
      event.key
    ];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target !== undefined) {
      this.#moveTo(Math.min(last, Math.max(0, target)));
      this.#focusTooltip();
    } else if (event.key === 'Enter' || event.key === ' ') this.#go(this.#segments[this.#current]?.from);
    else if (event.key === 'Escape' && !this.#tooltip.hidden) this.#tooltip.hidden = true;
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #clicked(event: MouseEvent): void {
    const step = this.#stepUnder(event);
    if (step === undefined) return;
    this.#moveTo(segmentIndexAt(this.#segments, step));
    const text = this.#go(step);
    if (text !== undefined) this.#showTooltip(text, this.#xOf(event));
  }

  /** Goes to a step and announces what is there. Returns the announcement. */
  #go(step: number | undefined): string | undefined {
    const segment = this.#segments[this.#current];
    const instant = this.#instantOf(step);
    if (!segment || instant === undefined) return undefined;
    const note = this.#host.goTo(instant);
    const text = note === undefined ? this.#textOf(segment) : `${this.#textOf(segment)}. ${note}`;
    this.#host.announce(text);
    return text;
  }

  #hovered(event: PointerEvent): void {
    const step = this.#stepUnder(event);
    const segment = step === undefined ? undefined : this.#segments[segmentIndexAt(this.#segments, step)];
    if (segment) this.#showTooltip(this.#textOf(segment), this.#xOf(event));
  }

  /** Without the mouse, the tooltip stands under the thumb, and only while that has the keyboard focus. */
  #focusTooltip(): void {
    const segment = this.#segments[this.#current];
    this.#tooltip.hidden = true;
    if (!segment || !this.element.matches(':focus-visible')) return;
    this.#showTooltip(this.#textOf(segment), this.#thumb.offsetLeft + this.#thumb.offsetWidth / 2);
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
    return getIntervalStart(this.#model, this.#model.start, this.#model.stepMs, step);
  }

  #textOf(segment: CoverageSegment): string {
    return this.#words && this.#model ? this.#words.segment(segment, this.#model.coverage) : '';
  }
}
