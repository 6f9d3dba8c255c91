import { html, nothing, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import { binEnds } from '../../core/bins/binEdges.ts';
import { zoneOfRows } from '../../core/bins/dayInterval.ts';
import { fewHoursTest } from '../../core/bins/binFrame.ts';
import { timeColumnOf } from '../../core/frame/clip.ts';
import { besideOf, statisticsOf, summarisedColumns, summaryFrame } from '../../core/statistics/summaryFrame.ts';
import { hourMs } from '../../shared/durations.ts';
import { timeShape } from '../../shared/formatTime.ts';
import { cellState, stateAt, textAt, type Frame, type NumberColumn, type TimeColumn } from '../../shared/frame.ts';
import { summaryFigures, type SummaryFigure } from '../../shared/summaryFigures.ts';
import { extentOfAll } from '../../presentation/columns/gridColumnsOf.ts';
import { LastResult } from '../lastResult.ts';
import { columnDetail } from '../statistics/columnDetail.ts';
import { columnReport } from '../statistics/columnReport.ts';
import { profileOf } from '../statistics/profileOf.ts';
import {
  scopeOfAll,
  scopeOfColumn,
  timesOf,
  type StatisticsScope,
  type Times,
} from '../../presentation/statistics/scope.ts';
import { columnInWords, inWords, say } from '../../presentation/translate.ts';
import { OwnTable, type ComputedRows } from './ownTable.ts';
import type { TableState } from './rowModel.ts';
import type { TabParts } from './tabParts.ts';

/** The rows that the statistics are of. */
export interface CountedRows {
  /** As the analysis makes them: not in words yet. */
  readonly frame: Frame;
  /** All where left out. */
  readonly rows: Uint32Array | undefined;
  /** The length of a row in milliseconds, where it is known. */
  readonly step: number | undefined;
  readonly isResampled: boolean;
}

interface Shown extends CountedRows {
  readonly state: TableState;
  readonly columns: readonly NumberColumn[];
  readonly scope: StatisticsScope;
  /** Undefined without instants. */
  readonly times: Times | undefined;
}

/** A summary of the rows, a row for each column, and below it the column of the focused row in full. */
export class StatisticsTab {
  readonly own: OwnTable;
  readonly #parts: TabParts;
  readonly #detail = new LastResult<TemplateResult>();
  #shown: Shown | undefined;
  /** Not known before the first rows are summarised. */
  #hasNumbers = true;
  /** Stays open from one column, zone or result to the next. */
  #isProfileTableOpen = false;
  /** The focused row is where the person went, not where other rows have put it. */
  #isSettled = false;

  constructor(parts: TabParts) {
    this.#parts = parts;
    this.own = new OwnTable(parts, 'statistics', t('Statistics'), {
      open: () => this.#showInChart(),
      moved: () => this.#choose(),
    });
  }

  /** Summarises rows of a result. */
  compute(state: TableState, counted: CountedRows): void {
    const { frame, rows } = counted;
    const columns = summarisedColumns(frame);
    this.#hasNumbers = columns.length > 0;
    if (!this.#hasNumbers) {
      this.#shown = undefined;
      this.own.clear();
      return;
    }
    const { figures, filters } = this.#parts.view();
    // Bins are of their own zone, whichever is shown.
    const zone = timeColumnOf(frame)?.bins ?? zoneOfRows(state.interval, state.zone);
    const filterCount = Object.values(filters).filter(text => text.trim() !== '').length;
    this.#shown = {
      ...counted,
      state: { ...state, zone },
      columns,
      ...scopeOf(counted, { ...state, zone }, filterCount, this.#parts.host.locale),
    };
    const made = (): ComputedRows => ({
      frame: inWords(summaryFrame(counted, figures, say)),
      step: state.step ?? hourMs,
      analysis: { summarise: figures },
    });
    this.own.compute({ ...state, zone, frame }, JSON.stringify([figures, zone]), made, rows);
  }

  /** Shows what was computed; the table stands in the page. */
  show(): void {
    this.#isSettled = false;
    this.own.show();
    const row = this.#shownRowOf(this.#chosen?.name);
    const { grid } = this.own.table;
    if (row !== undefined && grid.place().row >= 0 && grid.place().row !== row) grid.goTo(row);
    grid.point(row);
    this.#isSettled = true;
  }

  /** What is said of the figures. */
  words(): { readonly title: string; readonly sentence: string; readonly methods: readonly string[] } {
    const figures = (this.own.rows?.frame.columns ?? []).flatMap(({ field }) =>
      field && !field.compares ? [field] : [],
    );
    return {
      title: t('Statistics'),
      sentence: this.#sentence(),
      methods: [
        ...figures.map(({ label, meaning }) => `${label}: ${meaning}.`),
        ...(this.#comparedSentence ? [this.#comparedSentence] : []),
      ],
    };
  }

  template(): TemplateResult {
    if (!this.#hasNumbers) return html`<p class="aside" role="status">${t('No numeric columns to show.')}</p>`;
    if (!this.#shown) return html``;
    const { figures } = this.#parts.view();
    const names = figureNames();
    const toggle = (figure: SummaryFigure): void => {
      const chosen = summaryFigures.filter(one => (one === figure) !== figures.includes(one));
      this.#parts.change({ figures: chosen });
    };
    return html`<div class="tab-controls summary-figures" role="group" aria-label=${t('Figures')}>
        ${summaryFigures.map(
          figure =>
            html`<label
              ><input
                type="checkbox"
                .checked=${figures.includes(figure)}
                @change=${() => toggle(figure)}
              />${names[figure]}</label
            >`,
        )}
      </div>
      <p class="tab-sentence">
        <span role="status">${this.#sentence()}</span>${this.#comparedSentence && ` · ${this.#comparedSentence}`}
      </p>
      <div class="statistics-parts">
        <section
          class="statistics-summary"
          .style=${`--rows: ${this.#shown.columns.length}`}
          aria-label=${t('Statistics')}
        >
          ${this.own.table.template()}
        </section>
        ${this.#detailTemplate(this.#shown)}
      </div>`;
  }

  /** What differences are of; empty without a comparison. */
  get #comparedSentence(): string {
    const { frame } = this.#shown ?? {};
    if (!frame?.columns.some(({ field }) => field?.compares)) return '';
    return this.#shown?.isResampled || timeColumnOf(frame)?.bins
      ? t(
          'Each figure is over the hours that its own period has, which may differ; means over different hours have no difference of energies.',
        )
      : t('Differences and changes are over the hours that both periods have.');
  }

  #sentence(): string {
    const { scope, times } = this.#shown ?? {};
    return scope ? scopeOfAll(scope, times, this.#parts.host.locale) : '';
  }

  get #chosen(): NumberColumn | undefined {
    const { columns = [] } = this.#shown ?? {};
    const { chosen } = this.#parts.view();
    return columns.find(({ name }) => name === chosen) ?? columns[0];
  }

  /** The column of the focused row is shown in full. */
  #choose(): void {
    const { grid, cells } = this.own.table;
    const { row } = grid.place();
    const frame = this.own.rows?.frame;
    const field = frame?.columns.find(({ name }) => name === 'field');
    if (!this.#isSettled || row < 0 || field?.kind !== 'text') return;
    const name = textAt(field.texts, cells.dataRow(row));
    if (name !== this.#chosen?.name) this.#parts.change({ chosen: name });
  }

  /** Shows the column of the focused row over time. */
  #showInChart(): void {
    const name = this.#chosen?.name;
    if (name === undefined || !this.#shown?.frame.columns.some(column => column.name === name)) return;
    this.#parts.change({ chart: { mode: 'lines', columns: [name], hidden: [] } });
    this.#parts.open('chart');
  }

  #shownRowOf(name: string | undefined): number | undefined {
    const { columns = [] } = this.#shown ?? {};
    const dataRow = columns.findIndex(column => column.name === name);
    const { cells } = this.own.table;
    const rows = Array.from({ length: cells.rowCount }, (_, row) => row);
    return rows.find(row => cells.dataRow(row) === dataRow);
  }

  #detailTemplate(shown: Shown): TemplateResult | typeof nothing {
    const column = this.#chosen;
    if (!column) return nothing;
    const { frame, rows, step, scope, state, times } = shown;
    const { locale } = this.#parts.host;
    const key = JSON.stringify([column.name, state.zone]);
    return this.#detail.of(rows ?? frame, key, () => {
      const reportOf = (one: NumberColumn) => columnReport(columnInWords(one), statisticsOf(shown, one), locale);
      const report = reportOf(column);
      const { timeZone } = state.zone;
      return html`<div class="statistics statistics-below">
        ${columnDetail({
          report,
          energies: [report, ...besideOf(frame, column).map(reportOf)],
          scope: scopeOfColumn(scope, report.statistics.count, times, locale),
          profile: profileOf(column, { frame, rows, step: scope.step ?? step, timeZone }),
          profileTableOpen: this.#isProfileTableOpen,
          toggleProfileTable: isOpen => (this.#isProfileTableOpen = isOpen),
          zoneName: times?.zoneName ?? state.zone.label,
          locale,
        })}
      </div>`;
    });
  }
}

function figureNames(): Readonly<Record<SummaryFigure, string>> {
  return {
    energy: t('Energy and Share'),
    mean: t('Mean and Load Factor'),
    extremes: t('Lowest and Highest'),
    quantiles: t('Quantiles'),
    gaps: t('Missing Values'),
  };
}

function scopeOf(
  { frame, rows, step, isResampled }: CountedRows,
  { zone, leastCoverage }: TableState,
  filterCount: number,
  locale: string,
): Pick<Shown, 'scope' | 'times'> {
  const time = timeColumnOf(frame);
  const shown = rows?.length ?? frame.rowCount;
  const few = isResampled ? fewRows(frame, rows, leastCoverage) : undefined;
  const scope = { rows: shown, allRows: frame.rowCount, filterCount, span: undefined, step, few };
  if (!time) return { scope, times: undefined };
  const shape = timeShape(time, frame.rowCount);
  const times = timesOf({ ...shape, range: extentOfAll(frame) ?? shape.range }, locale, zone);
  // Rows closer together than the interval requested last no longer than their distance.
  const least = time.bins && step !== undefined ? step : Math.min(step ?? Infinity, shape.step ?? Infinity);
  const length = Number.isFinite(least) ? least : undefined;
  const span = timeSpan(time, rows);
  const from = span && ([span[0], endOf(time, span[1], length)] as const);
  return { scope: { ...scope, span: from, step: length, size: time.bins?.size }, times };
}

function fewRows(frame: Frame, rows: Uint32Array | undefined, least: number): StatisticsScope['few'] {
  const isFew = least > 0 ? fewHoursTest(frame, least) : undefined;
  let count = 0;
  for (let at = 0; isFew && at < (rows?.length ?? frame.rowCount); at++) count += Number(isFew(rows?.[at] ?? at));
  return count > 0 ? { rows: count, least } : undefined;
}

/** The earliest and the latest instant of the rows (UTC ms); undefined where none has one. */
function timeSpan(time: TimeColumn, rows?: Uint32Array): readonly [earliest: number, latest: number] | undefined {
  const total = rows?.length ?? time.values.length;
  let earliest = Infinity;
  let latest = -Infinity;
  for (let index = 0; index < total; index++) {
    const row = rows ? (rows[index] ?? 0) : index;
    const instant = time.values[row] ?? NaN;
    if (stateAt(time, row) !== cellState.value) continue;
    if (instant < earliest) earliest = instant;
    if (instant > latest) latest = instant;
  }
  return earliest <= latest ? [earliest, latest] : undefined;
}

/** The end of the row of an instant: a month is as long as it is. Its beginning where it is not known how long one lasts. */
function endOf({ bins }: TimeColumn, instant: number, step = 0): number {
  return bins ? binEnds({ start: instant, end: instant + 1 }, bins.size, bins.timeZone)(instant) : instant + step;
}
