import { compareNumber } from 'lossless-json';
import type { Dictionary } from '../../shared/frame.ts';

const jsonNumber = /^-?\d[\d.]*(?:[eE][+-]?\d+)?$/;

/**
 * The place of each entry of a dictionary in the order of the locale ("2" before "10"; equal entries share one). Computed
 * once a dictionary, over its entries rather than the rows; numbers that no double holds come first, by their value.
 */
export class TextRanks {
  readonly #compare: (a: string, b: string) => number;
  readonly #known = new WeakMap<Dictionary, Uint32Array>();

  constructor(locale: string) {
    const collator = new Intl.Collator(locale, { numeric: true });
    this.#compare = (a, b) => collator.compare(a, b);
  }

  /** `nested` entries are JSON: only there is a text of digits a number. */
  of(texts: Dictionary, nested: boolean): Uint32Array {
    const known = this.#known.get(texts);
    if (known) return known;
    const ranks = nested ? this.#ranks(texts.entries, this.#compareJson) : this.#ranks(texts.entries, this.#compare);
    this.#known.set(texts, ranks);
    return ranks;
  }

  readonly #compareJson = (a: string, b: string): number => {
    const [aIsNumber, bIsNumber] = [jsonNumber.test(a), jsonNumber.test(b)];
    if (aIsNumber !== bIsNumber) return aIsNumber ? -1 : 1;
    return aIsNumber ? compareNumber(a, b) : this.#compare(a, b);
  };

  #ranks(entries: readonly string[], compare: (a: string, b: string) => number): Uint32Array {
    const codes = Array.from(entries.keys()).sort((a, b) => compare(entries[a] ?? '', entries[b] ?? ''));
    const ranks = new Uint32Array(entries.length);
    let rank = 0;
    codes.forEach((code, at) => {
      const before = codes[at - 1];
      if (before !== undefined && compare(entries[before] ?? '', entries[code] ?? '') !== 0) rank += 1;
      ranks[code] = rank;
    });
    return ranks;
  }
}
