import { t } from '@vscode/l10n';
import { fieldInWords } from '../../core/bins/binSums.ts';
import { resampledSteps, resampleSteps } from '../../core/bins/resample.ts';
import { zoneOfRows } from '../../core/bins/dayInterval.ts';
import { timeColumnOf } from '../../core/frame/clip.ts';
import { timeShape } from '../../shared/formatTime.ts';
import type { Frame, TimeColumn } from '../../shared/frame.ts';
import {
  binSizes,
  cycles,
  isCycle,
  mostSteps,
  type BinSize,
  type Cycle,
  type Resampling,
  type StepSpan,
} from '../../shared/resampling.ts';
import { stepState } from '../../shared/result.ts';
import { cycleNames } from '../columns/binNames.ts';
import { parseFilters } from '../rows/parseFilter.ts';
import { filterRows } from '../rows/rowOrder.ts';
import { pageScheduling, runOrFollow } from '../slices.ts';
import type { PanelView } from './panelView.ts';
import type { TableState } from './rowModel.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** About how long a bin is; of a cycle, the longest step that it tells apart. */
const lengths: Readonly<Record<BinSize | Cycle, number>> = {
  ...{ '3h': 3 * hourMs, day: dayMs, week: 7 * dayMs, month: 31 * dayMs, quarter: 92 * dayMs, year: 366 * dayMs },
  ...{ hourOfDay: hourMs, weekday: dayMs, monthOfYear: dayMs, season: dayMs },
};

/** Rows that are resampled, and how. */
interface Resampled {
  readonly frame: Frame;
  readonly resampling: Resampling;
  /** About how long a row lasts, in milliseconds; undefined for a cycle. */
  readonly step: number | undefined;
}

interface Wanted {
  readonly source: Frame;
  readonly key: string;
  readonly made: Resampled | 'computing';
}

interface ResamplingHost {
  readonly locale: string;
  /** The rows that were wanted last are there. */
  readonly computed: () => void;
}

/** Resamples the rows of a result as a person looks at them, and caches the last. */
export class ResampledRows {
  readonly #host: ResamplingHost;
  #known: { readonly state: TableState; readonly steps: StepSpan | undefined } | undefined;
  #last: Wanted | undefined;

  constructor(host: ResamplingHost) {
    this.#host = host;
  }

  /** What the rows can be resampled by: bins longer than they are. None without instants, and for rows that are bins themselves. */
  choices(state: TableState): readonly (BinSize | Cycle)[] {
    const { stepMs } = this.#stepsOf(state) ?? {};
    if (stepMs === undefined) return [];
    return [...binSizes.filter(size => lengths[size] > stepMs), ...cycles.filter(cycle => lengths[cycle] >= stepMs)];
  }

  /**
   * Undefined where the rows stay as they are, `computing` for many rows, until `host.computed` is called. Filters come first: what they
   * leave out counts for no bin, neither as an hour with data nor as one without.
   */
  shown(state: TableState, { resample: by, filters }: PanelView): Resampled | 'computing' | undefined {
    const steps = this.#stepsOf(state);
    if (by === undefined || !steps || !this.choices(state).includes(by)) return undefined;
    const { frame } = state;
    const zone = zoneOfRows(state.interval, state.zone);
    const key = JSON.stringify([by, zone, filters, steps]);
    if (this.#last?.source === frame && this.#last.key === key) return this.#last.made;
    const names = isCycle(by) ? cycleNames(by, this.#host.locale) : [];
    const range = { by, ...zone, ...steps };
    const resampling = { ...range, ...this.#filtered(frame, filters, range), names };
    const step = isCycle(by) ? undefined : lengths[by];
    const wanted: Wanted = { source: frame, key, made: 'computing' };
    this.#last = wanted;
    const finish = (made: Frame): Resampled => {
      const resampled = { frame: inWords(made), resampling, step };
      this.#last = { ...wanted, made: resampled };
      return resampled;
    };
    const follow = (made: Frame): void => {
      finish(made);
      this.#host.computed();
    };
    const made = runOrFollow(resampleSteps(frame, resampling), pageScheduling, () => this.#last !== wanted, follow);
    return made ? finish(made) : 'computing';
  }

  #filtered(
    frame: Frame,
    filters: PanelView['filters'],
    resampling: Omit<Resampling, 'names'>,
  ): Pick<Resampling, 'rows' | 'counted'> {
    const context = { timeZone: resampling.timeZone, locale: this.#host.locale };
    const rows = filterRows(frame, parseFilters(frame, filters, context).tests);
    const time = timeColumnOf(frame);
    if (!rows || !time) return {};
    // A step without a row is left out by its time alone.
    const { first, count } = resampledSteps(resampling);
    const values = new Float64Array(count);
    for (let step = 0; step < count; step++) values[step] = (first + step) * resampling.stepMs;
    const ofSteps: TimeColumn = { kind: 'time', name: time.name, path: time.path, values };
    const steps = { rowCount: count, columns: [ofSteps] };
    const passing = filterRows(steps, parseFilters(steps, filters, context).tests);
    if (!passing) return { rows };
    const counted = new Uint8Array(count);
    for (const step of passing) counted[step] = 1;
    return { rows, counted };
  }

  /** Steps that are not published yet are none of any bin. */
  #stepsOf(state: TableState): StepSpan | undefined {
    if (this.#known?.state !== state) this.#known = { state, steps: stepsOf(state) };
    return this.#known.steps;
  }
}

/** The figures named in the person's language; the host has done so with the fields that they are of. */
function inWords({ rowCount, columns }: Frame): Frame {
  const say = (text: string, ...parts: string[]): string => (text === '' ? '' : t(text, ...parts));
  return {
    rowCount,
    columns: columns.map(column => (column.field ? { ...column, field: fieldInWords(column.field, say) } : column)),
  };
}

function stepsOf({ frame, step, start, coverage, isHead }: TableState): StepSpan | undefined {
  const time = timeColumnOf(frame);
  if (!time || time.bins || isHead) return undefined;
  const shape = timeShape(time, frame.rowCount);
  const stepMs = Math.min(step ?? Infinity, shape.step ?? Infinity);
  if (!shape.range || !Number.isFinite(stepMs)) return undefined;
  const [earliest, latest] = shape.range;
  const published = coverage && coverage.states.findLastIndex(state => state !== stepState.notPublished) + 1;
  const isWhole = published !== undefined && step !== undefined;
  const from = isWhole ? Math.min(start, earliest) : earliest;
  const end = Math.max(isWhole ? start + published * step : 0, latest + stepMs);
  return (end - from) / stepMs <= mostSteps ? { start: from, end, stepMs } : undefined;
}
