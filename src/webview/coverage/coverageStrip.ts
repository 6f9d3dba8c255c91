import { findBin } from '../../core/bins/binEdges.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { getDisplayStates, getIntervalStart, intervalState, type Coverage } from '../../shared/result.ts';
import { createElement } from '../grid/gridDom.ts';
import {
  CoverageFormatter,
  type IntervalRange,
  findSegmentIndex,
  listSegments,
  type CoverageSegment,
} from '../../presentation/coverage/coverageFormatter.ts';
import { createStripDrawing, drawMarks, computeStripPixels, type StripPixels } from './stripDrawing.ts';

/** Callbacks of the page that contains the strip. */
interface CoverageHost {
  /** Scrolls the table to the start of an interval, UTC milliseconds. Returns a note if the table has no row there. */
  readonly goTo: (instant: number) => string | undefined;
  /** Announces a sentence to screen readers. */
  readonly announce: (text: string) => void;
}

interface CoverageModel extends IntervalRange {
  readonly coverage: Coverage;
  readonly zone: DisplayZone;
  readonly locale: string;
}

/** The number of pixels by which the thumb extends beyond its segment on each side. */
const thumbMargin = 3;

/**
 * The thin strip above the table, which shows the coverage of each interval of the range. For keyboard and screen reader it is
 * a slider: the arrow keys move its thumb from segment to segment (consecutive intervals in one state), and the browser reads
 * out the text of the value. A list box would need an element for each of possibly thousands of segments.
 */
export class CoverageStrip {
  readonly element = createElement('coverage', 'slider');
  readonly #host: CoverageHost;
  readonly #thumb = createElement('coverage-thumb');
  readonly #tooltip = createElement('coverage-tooltip');
  readonly #drawing = createStripDrawing();
  #model: CoverageModel | undefined;
  #words: CoverageFormatter | undefined;
  #segments: readonly CoverageSegment[] = [];
  #pixels: StripPixels = { marks: new Uint8Array(), intervals: new Uint32Array() };
  #current = 0;
  /** Whether the user has moved the thumb, which then stays at its instant when the result changes. */
  #isMoved = false;

  constructor(host: CoverageHost) {
    this.#host = host;
    const strip = this.element;
    const tooltip = this.#tooltip;
    strip.setAttribute('aria-orientation', 'horizontal');
    strip.tabIndex = 0;
    // Screen readers get the same text as the value of the slider.
    tooltip.setAttribute('aria-hidden', 'true');
    tooltip.hidden = true;
    strip.hidden = true;
    strip.append(this.#drawing, this.#thumb, tooltip);
    strip.addEventListener('keydown', event => this.#onKeyDown(event));
    strip.addEventListener('click', event => this.#onClick(event));
    strip.addEventListener('pointermove', event => this.#onPointerMove(event));
    strip.addEventListener('pointerleave', () => this.#focusTooltip());
    strip.addEventListener('focus', () => this.#focusTooltip());
    strip.addEventListener('blur', () => (tooltip.hidden = true));
    new ResizeObserver(() => this.#draw()).observe(strip);
  }

  /** Shows the coverage of a result. Hides the strip if the coverage is unknown. */
  show(model: CoverageModel | undefined): void {
    const instant = this.#isMoved ? this.#getInstant(this.#segments[this.#current]?.from) : undefined;
    this.#model = model;
    this.#segments = model ? listSegments(getDisplayStates(model.coverage), model.coverage.parts) : [];
    this.element.hidden = this.#segments.length === 0;
    this.#tooltip.hidden = true;
    if (!model) return;
    this.#current = this.#findSegmentIndex(instant, model);
    this.#words = new CoverageFormatter(model, model.coverage.expected, model.zone, model.locale);
    this.element.ariaLabel = this.#words.formatSummary(model.coverage);
    this.element.ariaValueMin = '1';
    this.element.ariaValueMax = String(this.#segments.length);
    this.#draw();
  }

  /** Updates the tooltip, whose size depends on the font. Colors are CSS variables and need no update. */
  themeChanged(): void {
    if (!this.#tooltip.hidden) this.#focusTooltip();
  }

  /** Finds the segment of an instant. If the instant is undefined, finds the first segment that is not present. */
  #findSegmentIndex(instant: number | undefined, { start, intervalMs, edges, coverage }: CoverageModel): number {
    const interval =
      instant === undefined ? -1 : edges ? findBin(edges, instant) : Math.floor((instant - start) / intervalMs);
    if (interval >= 0 && interval < coverage.expected) return findSegmentIndex(this.#segments, interval);
    return Math.max(
      0,
      this.#segments.findIndex(({ state }) => state !== intervalState.present),
    );
  }

  #draw(): void {
    const model = this.#model;
    const width = Math.round(this.element.clientWidth);
    if (!model || width === 0) return;
    this.#pixels = computeStripPixels(model.coverage, width);
    drawMarks(this.#drawing, this.#pixels.marks);
    this.#updateThumb();
  }

  /** Moves the thumb to the current segment. */
  #updateThumb(): void {
    const { element } = this;
    const thumb = this.#thumb;
    const model = this.#model;
    const segment = this.#segments[this.#current];
    if (!model || !segment) return;
    element.ariaValueNow = String(this.#current + 1);
    element.ariaValueText = this.#describe(segment);
    const { clientWidth } = element;
    // Segments are drawn at the same pixels as in `computeStripPixels`, but the thumb must not extend beyond the strip.
    const toPixel = (interval: number): number =>
      Math.max(
        thumbMargin,
        Math.min(clientWidth - thumbMargin, Math.ceil((interval * clientWidth) / model.coverage.states.length)),
      );
    const left = toPixel(segment.from);
    thumb.style.left = `${left}px`;
    thumb.style.width = `${toPixel(segment.to) - left}px`;
  }

  #moveTo(segment: number): void {
    this.#isMoved = true;
    this.#current = segment;
    this.#updateThumb();
  }

  #onKeyDown(event: KeyboardEvent): void {
    const previous = this.#current - 1;
    const next = this.#current + 1;
    const last = this.#segments.length - 1;
    const target = { ArrowLeft: previous, ArrowDown: previous, ArrowRight: next, ArrowUp: next, Home: 0, End: last }[
      event.key
    ];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target !== undefined) {
      this.#moveTo(Math.min(last, Math.max(0, target)));
      this.#focusTooltip();
    } else if (event.key === 'Enter' || event.key === ' ') this.#goToInterval(this.#segments[this.#current]?.from);
    else if (event.key === 'Escape' && !this.#tooltip.hidden) this.#tooltip.hidden = true;
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #onClick(event: MouseEvent): void {
    const interval = this.#findInterval(event);
    if (interval === undefined) return;
    this.#moveTo(findSegmentIndex(this.#segments, interval));
    const text = this.#goToInterval(interval);
    if (text !== undefined) this.#showTooltip(text, this.#getX(event));
  }

  /** Scrolls the table to an interval and announces its state. Returns the announcement. */
  #goToInterval(interval: number | undefined): string | undefined {
    const segment = this.#segments[this.#current];
    const instant = this.#getInstant(interval);
    if (!segment || instant === undefined) return undefined;
    const note = this.#host.goTo(instant);
    const text = note === undefined ? this.#describe(segment) : `${this.#describe(segment)}. ${note}`;
    this.#host.announce(text);
    return text;
  }

  #onPointerMove(event: PointerEvent): void {
    const interval = this.#findInterval(event);
    const segment = interval === undefined ? undefined : this.#segments[findSegmentIndex(this.#segments, interval)];
    if (segment) this.#showTooltip(this.#describe(segment), this.#getX(event));
  }

  /** Shows the tooltip under the thumb if it has the keyboard focus, else hides it. */
  #focusTooltip(): void {
    const segment = this.#segments[this.#current];
    this.#tooltip.hidden = true;
    if (!segment || !this.element.matches(':focus-visible')) return;
    this.#showTooltip(this.#describe(segment), this.#thumb.offsetLeft + this.#thumb.offsetWidth / 2);
  }

  #showTooltip(text: string, x: number): void {
    const { element } = this;
    const tooltip = this.#tooltip;
    tooltip.textContent = text;
    tooltip.hidden = false;
    const maxLeft = element.clientWidth - tooltip.offsetWidth;
    tooltip.style.left = `${Math.max(0, Math.min(maxLeft, x - tooltip.offsetWidth / 2))}px`;
  }

  #findInterval(event: MouseEvent): number | undefined {
    const x = Math.floor(this.#getX(event));
    return this.#pixels.intervals[Math.min(this.#pixels.intervals.length - 1, Math.max(0, x))];
  }

  #getX({ clientX }: MouseEvent): number {
    return clientX - this.element.getBoundingClientRect().left;
  }

  #getInstant(interval: number | undefined): number | undefined {
    if (interval === undefined || !this.#model) return undefined;
    return getIntervalStart(this.#model, this.#model.start, this.#model.intervalMs, interval);
  }

  #describe(segment: CoverageSegment): string {
    return this.#words && this.#model ? this.#words.formatSegment(segment, this.#model.coverage) : '';
  }
}
