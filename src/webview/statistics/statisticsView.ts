import { html, nothing, render } from 'lit';
import { t } from '@vscode/l10n';
import { binEnds } from '../../core/bins/binEdges.ts';
import { fewHoursTest } from '../../core/bins/binFrame.ts';
import { partsOf } from '../../core/bins/binSums.ts';
import { columnDuration, comparedTimeOf, isOfComparedPeriod, timesOfColumn } from '../../core/compare/compare.ts';
import { timeColumnOf } from '../../core/frame/clip.ts';
import { rowDuration } from '../../core/statistics/energy.ts';
import { timeShape } from '../../shared/formatTime.ts';
import { type Frame, type NumberColumn, type TimeColumn, cellState, stateAt } from '../../shared/frame.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { SortKey } from '../../shared/analysis.ts';
import { isHourCount, unitOf } from '../../shared/units.ts';
import { derivedColumns } from '../chart/mix.ts';
import { extentOfAll } from '../columns/gridColumnsOf.ts';
import { sortRows, TextRanks } from '../../core/sort/sortRows.ts';
import { breaks, pageScheduling } from '../scheduling.ts';
import { columnDetail } from './columnDetail.ts';
import { columnReport, type ColumnReport } from './columnReport.ts';
import { describeColumn } from './columnStatistics.ts';
import { ProfileSource } from './profileSource.ts';
import { scopeOfAll, scopeOfColumn, timesOf, type StatisticsScope, type Times } from './scope.ts';
import { statisticsFrame } from './statisticsRows.ts';
import { statisticsTable } from './statisticsTable.ts';

/** What the statistics are of. */
export interface StatisticsModel {
  readonly frame: Frame;
  /** The rows shown; all where left out. */
  readonly rows?: Uint32Array | undefined;
  readonly locale: string;
  readonly zone: DisplayZone;
  /** The length of the requested interval in milliseconds, where it is known. */
  readonly step: number | undefined;
  /** Columns that belong together: one of this period and the same of the other. */
  readonly compared?: readonly (readonly [string, string])[];
  readonly filterCount: number;
  /** For which part of its hours a row made from hours has to have data, 0 to 1: those with less are counted. */
  readonly leastCoverage?: number | undefined;
  /** The name of the column shown in full; the first of numbers where left out or unknown. */
  readonly chosen?: string | undefined;
}

interface StatisticsHost {
  /** A sentence for screen readers. */
  announce(text: string): void;
  /** The person chose a column, by its name. */
  chosen(column: string): void;
  /** Copies figures in the order shown; left out on paper. */
  copy?(figures: ShownFigures): void;
}

/** All figures as rows, and the order in which they are shown. */
export interface ShownFigures {
  readonly frame: Frame;
  readonly order: Uint32Array;
}

/** Milliseconds between two renders while columns are computed. */
const drawEvery = 100;
/** Rows of which the first figures are there within a frame or two. */
const openedAtOnce = 20_000;

/** Statistics of every column of numbers, computed between the page's other work and shown one after another. */
export class StatisticsView {
  readonly element = document.createElement('div');
  readonly #host: StatisticsHost;
  #model: StatisticsModel | undefined;
  #columns: readonly NumberColumn[] = [];
  #reports: (ColumnReport | undefined)[] = [];
  #chosen: string | undefined;
  #scope: StatisticsScope | undefined;
  /** From the first row shown to the last of the compared period. */
  #comparedSpan: StatisticsScope['span'];
  /** How long a row lasts in milliseconds, where it is known. */
  #rowMs: number | undefined;
  #times: Times | undefined;
  #profileSource: ProfileSource | undefined;
  /** Counts the calls of `show`: work for an earlier one stops. */
  #run = 0;
  #drawn = 0;
  /** Stays open from one column, zone or result to the next, also where the details are drawn anew. */
  #profileTableOpen = false;
  #sort: SortKey | undefined;
  /** The chosen row is yet to be brought into view. */
  #toReveal = false;

  constructor(host: StatisticsHost) {
    this.#host = host;
    this.element.className = 'statistics';
  }

  /** Shows the statistics of these rows, until all of them are there; computations for others are cancelled. */
  async show(model: StatisticsModel): Promise<void> {
    this.#run++;
    this.#profileSource?.stop();
    this.#profileSource = undefined;
    const { frame, rows, filterCount, step } = model;
    this.#model = model;
    this.#columns = arranged(frame, []);
    this.#reports = [];
    // Already for the first drawing, whose row of the column is what gets the keyboard; derived columns are not there yet.
    const wanted = model.chosen ?? this.#columns[0]?.name;
    this.#chosen = this.#columns.find(({ name }) => name === wanted)?.name;
    this.#toReveal = model.chosen !== undefined;
    this.#times = undefined;
    this.#rowMs = rowDuration(timeColumnOf(frame), step);
    const shown = rows?.length ?? frame.rowCount;
    this.#scope = { rows: shown, allRows: frame.rowCount, filterCount, span: undefined, step, few: fewRows(model) };
    await this.#compute(model, this.#run);
  }

  async #compute(model: StatisticsModel, run: number): Promise<void> {
    const work = this.#computeReports(model, run);
    // Short work is done by now: its result is the first that is drawn.
    this.#draw();
    await work;
    if (run !== this.#run) return;
    if (this.#columns.length > 0) this.#host.announce(`${t('Statistics computed.')} ${this.#caption(model)}`);
    this.#draw();
  }

  /** The chosen column first, then all in their order. */
  async #computeReports(model: StatisticsModel, run: number): Promise<void> {
    const pause = breaks(pageScheduling);
    const { frame, rows, locale, zone, step } = model;
    const time = timeColumnOf(frame);
    this.#columns = arranged(frame, derivedColumns(frame));
    this.#chosen ??= (this.#columns.find(({ name }) => name === model.chosen) ?? this.#columns[0])?.name;
    // The tab opens before the first figures of so many rows are there.
    if (frame.rowCount > openedAtOnce) await pageScheduling.pause();
    if (run !== this.#run) return;
    if (time) this.#computeTimes(model, time);
    const first = this.#columns.findIndex(({ name }) => name === this.#chosen);
    const order = [...this.#columns.keys()].sort((a, b) => Number(b === first) - Number(a === first));
    for (const index of order) {
      const column = this.#columns[index];
      if (!column) continue;
      const paused = pause();
      if (paused) await paused;
      if (run !== this.#run) return;
      const statistics = describeColumn(column, timesOfColumn(frame, column), rows, partsOf(frame, column));
      this.#reports[index] = columnReport(column, statistics, locale, columnDuration(frame, column, step));
      if (index === first) {
        this.#profileSource = new ProfileSource({ frame, rows, step: this.#scope?.step, timeZone: zone.timeZone }, () =>
          this.#draw(),
        );
        this.#requestProfile();
      }
      if (pageScheduling.now() - this.#drawn > drawEvery) this.#draw();
    }
  }

  #computeTimes({ rows, locale, frame, step, zone }: StatisticsModel, time: TimeColumn): void {
    const span = timeSpan(time, rows);
    const compared = comparedTimeOf(frame);
    const comparedSpan = compared && timeSpan(compared, rows);
    const shape = timeShape(time, frame.rowCount);
    // Bins are of their own zone, whichever is shown.
    this.#times = timesOf({ ...shape, range: extentOfAll(frame) ?? shape.range }, locale, time.bins ?? zone);
    // Rows closer together than the interval requested last no longer than their distance.
    const least = time.bins && step !== undefined ? step : Math.min(step ?? Infinity, shape.step ?? Infinity);
    const length = Number.isFinite(least) ? least : undefined;
    this.#comparedSpan = comparedSpan && [comparedSpan[0], endOf(time, comparedSpan[1], length)];
    if (this.#scope)
      this.#scope = {
        ...this.#scope,
        span: span && [span[0], endOf(time, span[1], length)],
        step: length,
        size: time.bins?.size,
      };
  }

  /** What is shown, for copies and exports; undefined until all of it is there. */
  get figures(): ShownFigures | undefined {
    const reports = this.#columns.flatMap((_, index) => this.#reports[index] ?? []);
    if (reports.length === 0 || reports.length < this.#columns.length) return undefined;
    const frame = statisticsFrame(reports);
    const ranks = new TextRanks(this.#model?.locale ?? 'en');
    return { frame, order: sortRows(frame, this.#sort ? [this.#sort] : [], undefined, ranks) };
  }

  #sortBy(column: string): void {
    const { column: before, descending } = this.#sort ?? {};
    // As the table does: ascending, descending, as they come.
    this.#sort =
      before !== column ? { column, descending: false } : descending ? undefined : { column, descending: true };
    this.#draw();
  }

  #copy(): void {
    const { figures } = this;
    if (figures) this.#host.copy?.(figures);
  }

  #choose(name: string): void {
    if (name === this.#chosen) return;
    this.#chosen = name;
    this.#host.chosen(name);
    this.#requestProfile();
    this.#draw();
  }

  #requestProfile(): void {
    const column = this.#columns.find(({ name }) => name === this.#chosen);
    if (column) this.#profileSource?.request(column);
  }

  #caption({ locale }: StatisticsModel): string {
    return this.#scope ? scopeOfAll(this.#scope, this.#times, locale) : '';
  }

  #draw(): void {
    const model = this.#model;
    const columns = this.#columns;
    const reports = this.#reports;
    const chosen = this.#chosen;
    const times = this.#times;
    if (!model) return;
    this.#drawn = pageScheduling.now();
    if (columns.length === 0) {
      render(html`<p class="statistics-note">${t('No numeric columns to show.')}</p>`, this.element);
      return;
    }
    const caption = this.#caption(model);
    const choose = (name: string) => this.#choose(name);
    const hasEnergy = columns.some(
      ({ field, hours }) => (hours ?? this.#rowMs) !== undefined && unitOf(field).mwhPerHour !== undefined,
    );
    const order = [...((this.#sort && this.figures?.order) ?? columns.keys())];
    const sortBy = (column: string) => this.#sortBy(column);
    const copy = this.#host.copy && (() => this.#copy());
    const { locale } = model;
    const shown = { columns, reports, chosen, times, hasEnergy, caption, choose, locale };
    const table = statisticsTable({ ...shown, order, sort: this.#sort, sortBy, copy });
    const detail = this.#detail(model);
    render(html`${this.#progress()}${table}${detail}`, this.element);
    // The detail takes its room from the table: only now does the row have its place.
    if (detail === nothing || !this.#toReveal) return;
    this.#toReveal = false;
    this.element.querySelector('.statistics-table tr.chosen th')?.scrollIntoView({ block: 'nearest' });
  }

  #progress() {
    const all = this.#columns.length;
    const left = all - this.#reports.filter(report => report !== undefined).length;
    if (left === 0) return nothing;
    return html`<p class="statistics-progress">${t('Computing: {0} of {1} columns', all - left, all)}</p>`;
  }

  /** The column, and where it is compared those of this period, of the other, and their difference. */
  #energiesWith(report: ColumnReport): readonly ColumnReport[] {
    const names = comparedGroup(report.column.name, this.#columns, this.#model?.compared ?? []);
    return names.flatMap(name => this.#reports.find(candidate => candidate?.column.name === name) ?? []);
  }

  #detail({ locale, zone }: StatisticsModel) {
    const report = this.#reports.find(candidate => candidate?.column.name === this.#chosen);
    if (!report || !this.#scope) return nothing;
    const ownScope = isOfComparedPeriod(report.column) ? { ...this.#scope, span: this.#comparedSpan } : this.#scope;
    const scope = scopeOfColumn(ownScope, report.statistics.count, this.#times, locale);
    const zoneName = this.#times?.zoneName ?? zone.label;
    const profile = this.#profileSource?.profile(report.column) ?? { state: 'computing' };
    return html`<div class="statistics-below">
      ${columnDetail({
        report,
        energies: this.#energiesWith(report),
        scope,
        profile,
        profileTableOpen: this.#profileTableOpen,
        toggleProfileTable: isOpen => (this.#profileTableOpen = isOpen),
        zoneName,
        locale,
      })}
    </div>`;
  }
}

/** The numbers of a frame with those derived from them; how many hours a day has matters least. */
function arranged({ columns }: Frame, derived: readonly NumberColumn[]): readonly NumberColumn[] {
  const numbers = columns.filter(column => column.kind === 'number');
  const { counts = [], figures = [] } = Object.groupBy(numbers, ({ field }) =>
    isHourCount(unitOf(field)) ? 'counts' : 'figures',
  );
  return [...figures, ...derived, ...counts];
}

/**
 * The columns of a comparison that belong with a column: this period's, the other's and their difference, by name; the column alone
 * where it is none of them.
 */
function comparedGroup(
  name: string,
  columns: readonly NumberColumn[],
  compared: readonly (readonly [string, string])[],
): readonly string[] {
  const groups = compared.map(([own, other]) => {
    const difference = columns[columns.findIndex(column => column.name === other) + 1];
    return [own, other, ...(difference ? [difference.name] : [])];
  });
  return groups.find(group => group.includes(name)) ?? [name];
}

function fewRows({ frame, rows, leastCoverage: least = 0 }: StatisticsModel): StatisticsScope['few'] {
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
