import { startDrag } from '../startDrag.ts';
import type { ColumnSummary } from '../../presentation/table/gridColumn.ts';
import { element } from './gridDom.ts';

const svg = 'http://www.w3.org/2000/svg';
const size = { width: 100, height: 24 };

/** The histogram of a header and the number of gaps below it. Brushing bins by pointer or keyboard filters the table to their rows. */
export class HeaderHistogram {
  readonly element = element('grid-histogram');
  /** Shows the number of gaps or, while bins are brushed, a description of these. */
  readonly note = element('grid-gaps');
  readonly #bars = document.createElementNS(svg, 'path');
  #summary: ColumnSummary | undefined;
  #brush: readonly [anchor: number, end: number] | undefined;

  constructor() {
    const box = this.element;
    const picture = document.createElementNS(svg, 'svg');
    picture.setAttribute('viewBox', `0 0 ${size.width} ${size.height}`);
    picture.setAttribute('preserveAspectRatio', 'none');
    picture.append(this.#bars);
    box.append(picture);
    box.tabIndex = -1;
    box.addEventListener('pointerdown', event => this.#pressed(event));
    box.addEventListener('pointermove', ({ clientX }) => {
      box.title = this.#summary?.words(this.#binAt(clientX), this.#binAt(clientX)) ?? '';
    });
    box.addEventListener('keydown', event => this.#keyed(event));
    box.addEventListener('blur', () => this.#setBrush(undefined));
  }

  /** Shows a summary, or nothing while it is not known. */
  show(summary: ColumnSummary | undefined): void {
    if (summary === this.#summary) return;
    this.#summary = summary;
    const { label = '', counts = [], brush } = summary ?? {};
    this.#bars.setAttribute('d', barsPath(counts, size));
    this.element.hidden = counts.length === 0;
    this.element.setAttribute('role', brush ? 'slider' : 'img');
    this.element.ariaLabel = label;
    this.element.ariaValueMax = brush ? String(counts.length - 1) : null;
    this.#setBrush(undefined);
  }

  get #count(): number {
    return this.#summary?.counts.length ?? 0;
  }

  #binAt(clientX: number): number {
    const box = this.element.getBoundingClientRect();
    return this.#within(Math.floor(((clientX - box.left) / box.width) * this.#count));
  }

  #within(bin: number): number {
    return Math.max(0, Math.min(this.#count - 1, bin));
  }

  #setBrush(brush: readonly [anchor: number, end: number] | undefined): void {
    this.#brush = brush;
    const [from, to] = brush ? [Math.min(...brush), Math.max(...brush)] : [0, this.#count - 1];
    const text = this.#summary?.words(from, to) ?? '';
    for (const part of [this.element, this.note]) part.classList.toggle('brushed', brush !== undefined);
    this.element.style.setProperty('--from', `${(from / this.#count) * 100}%`);
    this.element.style.setProperty('--to', `${((to + 1) / this.#count) * 100}%`);
    this.element.ariaValueNow = this.#summary?.brush ? String(brush?.[1] ?? 0) : null;
    this.element.ariaValueText = this.#summary?.brush ? text : null;
    this.note.textContent = brush ? text : (this.#summary?.gaps ?? '');
  }

  #pressed(event: PointerEvent): void {
    if (event.button !== 0 || !this.#summary?.brush) return;
    const from = this.#binAt(event.clientX);
    let to = from;
    this.#setBrush([from, to]);
    startDrag(this.element, event, {
      move: clientX => this.#setBrush([from, (to = this.#binAt(clientX))]),
      end: cancelled => {
        this.#setBrush(cancelled ? undefined : [from, to]);
        this.#apply();
      },
    });
  }

  #keyed(event: KeyboardEvent): void {
    if (!this.#summary?.brush || event.altKey || event.ctrlKey || event.metaKey) return;
    const [anchor, end] = this.#brush ?? [];
    const moves = { ArrowLeft: (end ?? 1) - 1, ArrowRight: (end ?? -1) + 1, Home: 0, End: this.#count - 1 };
    const to = moves[event.key as keyof typeof moves] as number | undefined;
    if (to !== undefined) this.#setBrush([this.#within(event.shiftKey ? (anchor ?? to) : to), this.#within(to)]);
    else if (event.key === 'Enter' || event.key === ' ') this.#apply();
    else if (event.key === 'Escape' && this.#brush) this.#setBrush(undefined);
    else if (event.key === 'Escape') this.element.closest<HTMLElement>('[role=columnheader]')?.focus();
    else return;
    event.preventDefault();
    // Keeps the grid and VS Code from handling the key too.
    event.stopPropagation();
  }

  #apply(): void {
    if (this.#brush) this.#summary?.brush?.(Math.min(...this.#brush), Math.max(...this.#brush));
  }
}

/** Returns a histogram as the `d` attribute of a path. A bin that is not empty is at least 1 px high. */
export function barsPath(counts: readonly number[], { width, height }: typeof size): string {
  const [step, most] = [width / counts.length, Math.max(...counts)];
  const high = (count: number): number => (count === 0 ? 0 : Math.max(1, (count / most) * height));
  const bar = (of: number, bin: number) => `M${(bin + 0.1) * step} ${height}v${-high(of)}h${0.8 * step}v${high(of)}z`;
  return counts.map(bar).join('');
}
