/** Where the columns stand: widths and left edges in CSS pixels. */
export class ColumnLayout {
  readonly count: number;
  readonly total: number;
  /** Left edge of each column; one more entry for the right edge of the last. */
  readonly #edges: Float64Array;

  constructor(widths: readonly number[]) {
    this.count = widths.length;
    this.#edges = new Float64Array(widths.length + 1);
    widths.forEach((width, column) => (this.#edges[column + 1] = (this.#edges[column] ?? 0) + width));
    this.total = this.#edges[widths.length] ?? 0;
  }

  left(column: number): number {
    return this.#edges[column] ?? this.total;
  }

  width(column: number): number {
    return this.left(column + 1) - this.left(column);
  }

  /** The column that holds the pixel `x`, clamped to the columns there are. */
  at(x: number): number {
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.left(middle) <= x) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
