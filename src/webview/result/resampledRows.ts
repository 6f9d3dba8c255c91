import { resamplingSteps, type AnalysisContext } from '../../core/analysis/analyse.ts';
import { binLengths, stepSpanOf } from '../../core/analysis/rowIntervals.ts';
import { fieldInWords } from '../../core/bins/binSums.ts';
import { resampleSteps } from '../../core/bins/resample.ts';
import type { Steps } from '../../core/time/steps.ts';
import type { Frame } from '../../shared/frame.ts';
import { isCycle, type Resampling } from '../../shared/resampling.ts';
import type { PanelView } from '../../shared/savedView.ts';
import { LatestResult } from '../slices.ts';
import { say } from '../translate.ts';
import type { TableState } from './rowModel.ts';

/** Rows that are resampled, and how. */
interface Resampled {
  readonly frame: Frame;
  readonly resampling: Resampling;
  /** About how long a row lasts, in milliseconds; undefined for a cycle. */
  readonly step: number | undefined;
}

/** Resamples the rows of a result as a person looks at them, and caches the last. */
export class ResampledRows {
  readonly #context: AnalysisContext;
  readonly #latest: LatestResult<Resampled | undefined>;

  /** `computed`: the rows that were wanted last are there. */
  constructor(locale: string, computed: () => void) {
    this.#context = { locale, say };
    this.#latest = new LatestResult(computed);
  }

  /** Undefined where the rows stay as they are, `computing` for many rows, until `computed` is called. */
  shown(state: TableState, { resample: by, filters }: PanelView): Resampled | 'computing' | undefined {
    if (by === undefined) return undefined;
    const { zone, interval, tariffs } = state;
    const key = JSON.stringify([by, stepSpanOf(state), filters, zone, interval, tariffs]);
    return this.#latest.of(state.frame, key, () => this.#steps(state, by, filters));
  }

  *#steps(state: TableState, by: Resampling['by'], filters: PanelView['filters']): Steps<Resampled | undefined> {
    const resampling = yield* resamplingSteps(state, by, filters, this.#context);
    if (!resampling) return undefined;
    const made = yield* resampleSteps(state.frame, resampling);
    return { frame: inWords(made), resampling, step: isCycle(by) ? undefined : binLengths[by] };
  }
}

/** The figures named in the person's language; the host has done so with the fields that they are of. */
export function inWords({ rowCount, columns }: Frame): Frame {
  return {
    rowCount,
    columns: columns.map(column => (column.field ? { ...column, field: fieldInWords(column.field, say) } : column)),
  };
}
