import { planResampling, type AnalysisContext } from '../../core/analysis/analyse.ts';
import { binLengths, stepSpanOf } from '../../core/analysis/rowIntervals.ts';
import { resampleFrame } from '../../core/bins/resample.ts';
import type { Frame } from '../../shared/frame.ts';
import { isCycle, type Resampling } from '../../shared/resampling.ts';
import type { PanelView } from '../../shared/savedView.ts';
import { LastResult } from '../lastResult.ts';
import { inWords, say } from '../../presentation/translate.ts';
import type { TableState } from './rowModel.ts';

/** Rows that are resampled, and how. */
interface Resampled {
  readonly frame: Frame;
  /** The same before its columns are named in the person's language. */
  readonly made: Frame;
  readonly resampling: Resampling;
  /** About how long a row lasts, in milliseconds; undefined for a cycle. */
  readonly step: number | undefined;
}

interface Wanted extends Pick<PanelView, 'filters'> {
  readonly by: Resampling['by'];
  readonly figures: PanelView['binFigures'];
}

/** Resamples the rows of a result as a person looks at them, and caches the last. */
export class ResampledRows {
  readonly #context: AnalysisContext;
  readonly #last = new LastResult<Resampled | undefined>();

  constructor(locale: string) {
    this.#context = { locale, say };
  }

  /** Undefined where the rows stay as they are. */
  shown(state: TableState, { resample: by, binFigures, filters }: PanelView): Resampled | undefined {
    if (by === undefined) return undefined;
    const { zone, interval, tariffs } = state;
    const key = JSON.stringify([by, binFigures, stepSpanOf(state), filters, zone, interval, tariffs]);
    return this.#last.of(state.frame, key, () => this.#resample(state, { by, figures: binFigures, filters }));
  }

  #resample(state: TableState, { by, figures, filters }: Wanted): Resampled | undefined {
    const resampling = planResampling(state, by, filters, this.#context, figures);
    if (!resampling) return undefined;
    const made = resampleFrame(state.frame, resampling);
    return { frame: inWords(made), made, resampling, step: isCycle(by) ? undefined : binLengths[by] };
  }
}
