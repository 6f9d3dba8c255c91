import { t } from '@vscode/l10n';
import { fieldInWords } from '../../core/bins/binSums.ts';
import { resampledSteps, resampleSteps } from '../../core/bins/resample.ts';
import type { Steps } from '../../core/time/steps.ts';
import type { Frame } from '../../shared/frame.ts';
import { binSizes, cyclesOf, isCycle, type BinSize, type Cycle, type Resampling } from '../../shared/resampling.ts';
import { cycleNames } from '../columns/binNames.ts';
import { LatestResult } from '../slices.ts';
import type { PanelView } from '../../shared/savedView.ts';
import type { TableState } from './rowModel.ts';
import { binLengths, countedRows, stepsOf, zoneOfBins } from '../../core/analysis/rowIntervals.ts';

/** Rows that are resampled, and how. */
interface Resampled {
  readonly frame: Frame;
  readonly resampling: Resampling;
  /** About how long a row lasts, in milliseconds; undefined for a cycle. */
  readonly step: number | undefined;
}

/** Resamples the rows of a result as a person looks at them, and caches the last. */
export class ResampledRows {
  readonly #locale: string;
  readonly #latest: LatestResult<Resampled>;

  /** `computed`: the rows that were wanted last are there. */
  constructor(locale: string, computed: () => void) {
    this.#locale = locale;
    this.#latest = new LatestResult(computed);
  }

  /** What the rows can be resampled by: bins longer than they are. None without instants. */
  choices(state: TableState): readonly (BinSize | Cycle)[] {
    const { stepMs } = stepsOf(state) ?? {};
    if (stepMs === undefined) return [];
    return [...binSizes.filter(size => binLengths[size] > stepMs), ...cyclesOf(stepMs)];
  }

  /**
   * Undefined where the rows stay as they are, `computing` for many rows, until `computed` is called. Filters come first: what they
   * leave out counts for no bin, neither as an hour with data nor as one without.
   */
  shown(state: TableState, { resample: by, filters }: PanelView): Resampled | 'computing' | undefined {
    const span = stepsOf(state);
    if (by === undefined || !span || !this.choices(state).includes(by)) return undefined;
    const range = { by, ...zoneOfBins(by, state), ...span };
    return this.#latest.of(state.frame, JSON.stringify([range, filters, state.zone]), () =>
      this.#steps(state, range, filters),
    );
  }

  *#steps(state: TableState, range: Omit<Resampling, 'names'>, filters: PanelView['filters']): Steps<Resampled> {
    const { by } = range;
    const locale = this.#locale;
    const names = isCycle(by) ? cycleNames(by, locale) : [];
    const counted = countedRows(filters, state, resampledSteps(range), locale);
    const resampling = { ...range, ...counted, names };
    const made = yield* resampleSteps(state.frame, resampling);
    return { frame: inWords(made), resampling, step: isCycle(by) ? undefined : binLengths[by] };
  }
}

/** The figures named in the person's language; the host has done so with the fields that they are of. */
export function inWords({ rowCount, columns }: Frame): Frame {
  const say = (text: string, ...parts: string[]): string => (text === '' ? '' : t(text, ...parts));
  return {
    rowCount,
    columns: columns.map(column => (column.field ? { ...column, field: fieldInWords(column.field, say) } : column)),
  };
}
