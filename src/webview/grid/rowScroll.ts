/**
 * Chromium draws no element higher than 33.5 million device pixels, which a million rows exceed on a screen with two
 * device pixels to one. The spacer therefore ends at this height; above it one pixel of the scrollbar stands for more
 * than one pixel of rows.
 */
export const spacerCap = 8_000_000;

/** Maps the scrollbar to rows and back. Offsets are pixels of an imagined table of full height. */
export class RowScroll {
  /** Height of the spacer behind the rows. */
  readonly spacer: number;
  /** Whether the scrollbar is too coarse for single rows, so that the wheel has to move the offset itself. */
  readonly compressed: boolean;
  /** The largest offset: the last row stands at the bottom. */
  readonly maxOffset: number;
  readonly #maxScroll: number;

  /** `viewHeight` is what is left for rows below the header, in pixels. */
  constructor(rowCount: number, rowHeight: number, viewHeight: number) {
    const height = rowCount * rowHeight;
    this.spacer = Math.min(height, spacerCap);
    this.compressed = height > spacerCap;
    this.maxOffset = Math.max(0, height - viewHeight);
    this.#maxScroll = Math.max(0, this.spacer - viewHeight);
  }

  /** The offset that a position of the scrollbar stands for. */
  offsetOf(scrollTop: number): number {
    if (scrollTop >= this.#maxScroll - 0.5) return this.maxOffset;
    return this.clamp(this.compressed ? (scrollTop / this.#maxScroll) * this.maxOffset : scrollTop);
  }

  /** Where the scrollbar stands for an offset. */
  scrollTopOf(offset: number): number {
    return this.compressed ? (offset / this.maxOffset) * this.#maxScroll : offset;
  }

  clamp(offset: number): number {
    return Math.min(this.maxOffset, Math.max(0, offset));
  }
}
