import { startDrag } from '../startDrag.ts';
import type { ColumnSummary } from '../../presentation/table/gridColumn.ts';
import { createElement } from './gridDom.ts';

const svg = 'http://www.w3.org/2000/svg';
const viewBoxSize = { width: 100, height: 24 };

/** The histogram of a header and the number of gaps below it. Brushing bins by pointer or keyboard filters the table to their rows. */
export class HeaderHistogram {
  readonly element = createElement('grid-histogram');
  /** Shows the number of gaps or, while bins are brushed, a description of these. */
  readonly note = createElement('grid-gaps');
  readonly #barsElement = document.createElementNS(svg, 'path');
  #summary: ColumnSummary | undefined;
  #brush: readonly [anchor: number, end: number] | undefined;

  constructor() {
    const box = this.element;
    const picture = document.createElementNS(svg, 'svg');
    picture.setAttribute('viewBox', `0 0 ${viewBoxSize.width} ${viewBoxSize.height}`);
    picture.setAttribute('preserveAspectRatio', 'none');
    picture.append(this.#barsElement);
    box.append(picture);
    box.tabIndex = -1;
    box.addEventListener('pointerdown', event => this.#onPointerDown(event));
    box.addEventListener('pointermove', ({ clientX }) => {
      box.title = this.#summary?.describeBins(this.#binAt(clientX), this.#binAt(clientX)) ?? '';
    });
    box.addEventListener('keydown', event => this.#onKeyDown(event));
    box.addEventListener('blur', () => this.#setBrush(undefined));
  }

  /** Shows a summary, or nothing while it is not known. */
  show(summary: ColumnSummary | undefined): void {
    if (summary === this.#summary) return;
    this.#summary = summary;
    const { label = '', counts = [], brush } = summary ?? {};
    this.#barsElement.setAttribute('d', createBarsPath(counts, viewBoxSize));
    this.element.hidden = counts.length === 0;
    this.element.setAttribute('role', brush ? 'slider' : 'img');
    this.element.ariaLabel = label;
    this.element.ariaValueMax = brush ? String(counts.length - 1) : null;
    this.#setBrush(undefined);
  }

  get #binCount(): number {
    return this.#summary?.counts.length ?? 0;
  }

  #binAt(clientX: number): number {
    const box = this.element.getBoundingClientRect();
    return this.#clampBin(Math.floor(((clientX - box.left) / box.width) * this.#binCount));
  }

  #clampBin(bin: number): number {
    return Math.max(0, Math.min(this.#binCount - 1, bin));
  }

  #setBrush(brush: readonly [anchor: number, end: number] | undefined): void {
    this.#brush = brush;
    const [from, to] = brush ? [Math.min(...brush), Math.max(...brush)] : [0, this.#binCount - 1];
    const text = this.#summary?.describeBins(from, to) ?? '';
    for (const part of [this.element, this.note]) part.classList.toggle('brushed', brush !== undefined);
    this.element.style.setProperty('--from', `${(from / this.#binCount) * 100}%`);
    this.element.style.setProperty('--to', `${((to + 1) / this.#binCount) * 100}%`);
    this.element.ariaValueNow = this.#summary?.brush ? String(brush?.[1] ?? 0) : null;
    this.element.ariaValueText = this.#summary?.brush ? text : null;
    this.note.textContent = brush ? text : (this.#summary?.gaps ?? '');
  }

  #onPointerDown(event: PointerEvent): void {
    if (event.button !== 0 || !this.#summary?.brush) return;
    const firstBin = this.#binAt(event.clientX);
    let lastBin = firstBin;
    this.#setBrush([firstBin, lastBin]);
    startDrag(this.element, event, {
      move: clientX => this.#setBrush([firstBin, (lastBin = this.#binAt(clientX))]),
      end: isCanceled => {
        this.#setBrush(isCanceled ? undefined : [firstBin, lastBin]);
        this.#apply();
      },
    });
  }

  #onKeyDown(event: KeyboardEvent): void {
    if (!this.#summary?.brush || event.altKey || event.ctrlKey || event.metaKey) return;
    const [anchor, end] = this.#brush ?? [];
    const moves = { ArrowLeft: (end ?? 1) - 1, ArrowRight: (end ?? -1) + 1, Home: 0, End: this.#binCount - 1 };
    const bin = moves[event.key as keyof typeof moves] as number | undefined;
    if (bin !== undefined)
      this.#setBrush([this.#clampBin(event.shiftKey ? (anchor ?? bin) : bin), this.#clampBin(bin)]);
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
export function createBarsPath(counts: readonly number[], { width, height }: typeof viewBoxSize): string {
  const binWidth = width / counts.length;
  const maxCount = Math.max(...counts);
  const barHeight = (count: number): number => (count === 0 ? 0 : Math.max(1, (count / maxCount) * height));
  const createBar = (count: number, bin: number) =>
    `M${(bin + 0.1) * binWidth} ${height}v${-barHeight(count)}h${0.8 * binWidth}v${barHeight(count)}z`;
  return counts.map(createBar).join('');
}
