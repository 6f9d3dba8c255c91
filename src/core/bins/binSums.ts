import { cellState, stateAt, type NumberColumn, type FieldInfo, type Figure } from '../../shared/frame.ts';
import { SumDigits } from '../statistics/sumDigits.ts';
import { stepRows, type Steps } from '../time/steps.ts';

/** Of one column, an entry for each bin asked for. Where the gap is not `value` the numbers mean nothing, but for `counts`. */
export interface BinSums {
  readonly sums: Float64Array;
  readonly means: Float64Array;
  readonly least: Float64Array;
  readonly greatest: Float64Array;
  /** Steps with a finite number. */
  readonly counts: Float64Array;
  /** A `cellState`: null where a step says so and none has a number. */
  readonly gaps: Uint8Array;
}

export type ShareSums = Pick<BinSums, 'means' | 'counts' | 'gaps'>;

/**
 * The sums of a column over bins. `rows`: the row of each step, -1 for none; `bounds`: the first step of each bin; `bins`: those
 * that are summed. Sums have the digits of their decimals.
 */
export function* binSums(
  column: NumberColumn,
  rows: Int32Array,
  bounds: Int32Array,
  bins: Uint32Array,
): Steps<BinSums> {
  const make = (): Float64Array => new Float64Array(bins.length);
  const made = { sums: make(), means: make(), least: make(), greatest: make(), counts: make() };
  const gaps = new Uint8Array(bins.length).fill(cellState.absent);
  let done = 0;
  for (let at = 0; at < bins.length; at++) {
    const bin = bins[at] ?? 0;
    const [from, to] = [bounds[bin] ?? 0, bounds[bin + 1] ?? 0];
    const total = new Total();
    let [least, greatest] = [Infinity, -Infinity];
    for (let step = from; step < to; step++) {
      const row = rows[step] ?? -1;
      if (row < 0) continue;
      const value = column.values[row] ?? NaN;
      if (!isNumber(column, row, value)) {
        if (stateAt(column, row) === cellState.null) gaps[at] = cellState.null;
        continue;
      }
      total.add(value);
      if (value < least) least = value;
      if (value > greatest) greatest = value;
    }
    if (total.count > 0) gaps[at] = cellState.value;
    const sum = total.sum();
    made.sums[at] = sum;
    // Rounding may carry a mean of equal numbers past them.
    made.means[at] = Math.min(greatest, Math.max(least, sum / total.count));
    made.least[at] = least;
    made.greatest[at] = greatest;
    made.counts[at] = total.count;
    if ((done += to - from) < stepRows) continue;
    done = 0;
    yield;
  }
  return { ...made, gaps };
}

/**
 * The share of the energies of a bin: the sum of the part ÷ the sum of the whole, which is part ÷ share of each step that has both. The whole of
 * a step with the share 0 is not known: such a bin has none, unless the share is 0 throughout. In the unit of the share. `counts`: the steps
 * with both.
 */
export function* shareSums(
  share: NumberColumn,
  part: NumberColumn,
  rows: Int32Array,
  bounds: Int32Array,
  bins: Uint32Array,
): Steps<ShareSums> {
  const means = new Float64Array(bins.length);
  const counts = new Float64Array(bins.length);
  const gaps = new Uint8Array(bins.length).fill(cellState.null);
  let done = 0;
  for (let at = 0; at < bins.length; at++) {
    const bin = bins[at] ?? 0;
    const [from, to] = [bounds[bin] ?? 0, bounds[bin + 1] ?? 0];
    const [parts, wholes] = [new Total(), new Total()];
    let zeros = 0;
    for (let step = from; step < to; step++) {
      const row = rows[step] ?? -1;
      if (row < 0) continue;
      const [own, of] = [share.values[row] ?? NaN, part.values[row] ?? NaN];
      if (!isNumber(share, row, own) || !isNumber(part, row, of)) continue;
      if (own === 0) zeros++;
      else wholes.add(of / own);
      parts.add(of);
    }
    counts[at] = parts.count;
    const whole = wholes.sum();
    const isKnown = zeros === 0 ? whole !== 0 : wholes.count === 0 && parts.sum() === 0;
    if (isKnown) {
      gaps[at] = cellState.value;
      means[at] = zeros === 0 ? parts.sum() / whole : 0;
    }
    if ((done += to - from) < stepRows) continue;
    done = 0;
    yield;
  }
  return { means, counts, gaps };
}

function isNumber(column: NumberColumn, row: number, value: number): boolean {
  return stateAt(column, row) === cellState.value && Number.isFinite(value);
}

/** A sum with its rounding errors carried along, and with the digits of its decimals. */
class Total {
  count = 0;
  #sum = 0;
  #lost = 0;
  readonly #digits = new SumDigits();

  add(value: number): void {
    this.#digits.note(value);
    const next = this.#sum + value;
    this.#lost += Math.abs(this.#sum) >= Math.abs(value) ? this.#sum - next + value : value - next + this.#sum;
    this.#sum = next;
    this.count++;
  }

  sum(): number {
    return Number.isFinite(this.#sum) ? this.#digits.clean(this.#sum + this.#lost) : this.#sum;
  }
}

/** What a figure is called, {0} being the label or the meaning of the hours' field; one without a label is called as that. */
export const figureTexts: Readonly<Record<Figure, { readonly label?: string; readonly meaning: string }>> = {
  mean: { meaning: '{0}. Mean of the hours of the day that have a value' },
  share: {
    meaning:
      '{0}. Made from the energies of the day, not the mean of its hours; none where an hour has 0 %, as what that is a share of is not known',
  },
  total: { meaning: '{0}. Sum of the hours of the day that have a value' },
  energy: { label: '{0}, energy', meaning: '{0}. Energy of the hours of the day that have a value' },
  min: { label: '{0}, min', meaning: '{0}. The least hour of the day' },
  max: { label: '{0}, max', meaning: '{0}. The greatest hour of the day' },
};

/** Fills in {0} and so on; where a person reads it, in their language. */
type Say = (text: string, ...parts: string[]) => string;

const inEnglish: Say = (text, ...parts) => text.replace(/\{(\d)\}/g, (_, at: string) => parts[Number(at)] ?? '');

/** A field with what its number is of the hours, in the words of `say`; left out, in English, which is what files say. */
export function fieldInWords({ figure, ...field }: FieldInfo, say = inEnglish): FieldInfo {
  const [label, meaning] = [say(field.label), say(field.meaning)];
  if (figure === undefined) return { ...field, label, meaning };
  const texts = figureTexts[figure];
  return {
    ...field,
    label: texts.label === undefined ? label : say(texts.label, label),
    meaning: say(texts.meaning, meaning || label),
  };
}
