import type { KnownSteps } from '../../core/bins/knownHours.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import { bitAt, halvesOf, instantAt } from './joinColumns.ts';
import { placesWithin, timeColumnIn } from './joinMonths.ts';
import { askedAtOf, type AskedMonth } from './keptMonths.ts';
import type { MonthSteps } from './monthSteps.ts';
import type { Month } from './months.ts';

/** Puts together which steps of a range are kept, out of its months in their order. Steps are of a day at most. */
export class KeptSteps {
  readonly #stepMs: number;
  readonly #span: Span;
  readonly #months: AskedMonth[] = [];
  readonly #hasRow: Uint8Array;
  readonly #hasValue = new Map<string, Uint8Array>();

  constructor(stepMs: number, span: Span) {
    this.#stepMs = stepMs;
    this.#span = span;
    this.#hasRow = new Uint8Array(Math.max(0, Math.ceil((span.end - span.start) / stepMs)));
  }

  add(month: Month, opened: MonthSteps): void {
    const { file, rowCount, columns, unitMs, askedAt } = opened;
    this.#months.push({ month, unitMs, askedAt });
    const time = timeColumnIn(opened);
    const { from, to } = placesWithin(opened, this.#span);
    if (!time || to === from) return;
    const halves = halvesOf({ file, rowCount, from, to }, time.at.values);
    const steps = new Uint32Array(to - from).map((_, row) =>
      Math.floor((instantAt(halves, from + row) - this.#span.start) / this.#stepMs),
    );
    for (const step of steps) this.#hasRow[step] = 1;
    for (const { kind, name, nullCount, at } of columns) {
      if (kind !== 'number') continue;
      const values = this.#hasValue.get(name) ?? new Uint8Array(this.#hasRow.length);
      this.#hasValue.set(name, values);
      // Of several rows of one step the last counts.
      for (let row = 0; row < steps.length; row++)
        values[steps[row] ?? 0] = nullCount === 0 ? 1 : bitAt(file, at.validity, from + row);
    }
  }

  all(): KnownSteps {
    const askedAt = askedAtOf(this.#months, this.#stepMs, this.#span);
    return { askedAt, hasRow: this.#hasRow, hasValue: this.#hasValue };
  }
}
