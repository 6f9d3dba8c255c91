import { render } from 'lit';
import { countBelow } from '../../core/statistics/quantile.ts';
import { hourMs } from '../../shared/durations.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { Brush } from './brush.ts';
import { buildPlot } from '../../presentation/chart/buildPlot.ts';
import { chartToolbar, type ChartActions, type ChartControls } from './chartControls.ts';
import { createChartLayout } from './chartLayout.ts';
import { chartLegend } from './chartLegend.ts';
import {
  type ChartHost,
  type ChartModel,
  type ChartOptions,
  type SelectedInterval,
  type TimeWindow,
  isWholeRange,
  moveWindow,
  hasSameProperties,
  moveWindowToInclude,
  zoomAround,
} from '../../presentation/chart/chartModel.ts';
import { listAvailableModes } from '../../presentation/chart/chartModes.ts';
import { createSavedPicture, type SavedPicture } from '../../presentation/chart/savedPicture.ts';
import { ChartPictureExporter } from './chartPicture.ts';
import { describeEmptyChart, describeOmissions } from '../../presentation/chart/chartSentences.ts';
import { formatCaption } from '../../presentation/chart/incompleteMessages.ts';
import { withCellRow } from '../../presentation/chart/kinds/heatmap.ts';
import { tabulatePlot } from '../../presentation/chart/plotRows.ts';
import { PlotCanvas } from './plotCanvas.ts';
import type { PlotScene } from '../../presentation/chart/plotShapes.ts';
import {
  findPlotCommand,
  fitToPlot,
  getMinWindowLength,
  resolvePlotMove,
  zoomWindow,
  type PlotPosition,
} from '../../presentation/chart/plotMove.ts';
import { findNearest, getRow } from '../../presentation/chart/timeline.ts';
import { findNearestRowPoint, describePoint } from '../../presentation/chart/readout.ts';
import { describeVisibleRange, describeChart } from '../../presentation/chart/summary.ts';
import { PlotFormatter } from '../../presentation/chart/plotFormatter.ts';
import { readTheme } from './chartTheme.ts';

/** The chart of a result: plot, legend, toolbar, the brush below it, and a description for screen readers. */
export class ChartView {
  readonly element: HTMLElement;
  readonly #host: ChartHost;
  readonly #layout = createChartLayout();
  readonly pictures: ChartPictureExporter;
  readonly #plotCanvas: PlotCanvas;
  readonly #brush: Brush;
  readonly #scheduleWindowReport = createDebouncer(150);
  readonly #afterRebuild = createDebouncer(0);
  readonly #scheduleDescription = createDebouncer(150);
  readonly #scheduleAnnouncement = createDebouncer(120);
  #model: ChartModel | undefined;
  #options: ChartOptions | undefined;
  #scene: PlotScene | undefined;
  #window: TimeWindow = { start: 0, end: 1 };
  #point: number | undefined;
  /** The part of the toolbar that is expanded. */
  #expandedSection: ChartControls['expandedSection'];

  constructor(host: ChartHost) {
    this.#host = host;
    this.pictures = new ChartPictureExporter(host, () => this.#createPicture());
    const reset = (): void => this.#zoomTo(undefined);
    const onMoved = (): void => this.#announceWindow();
    this.#plotCanvas = new PlotCanvas({
      zoom: window => this.#zoomTo(window),
      zoomBy: (factor, instant) =>
        this.#scene && this.#zoomTo(zoomAround(this.#window, factor, instant, getMinWindowLength(this.#scene.plot))),
      moveBy: distance => this.#scene && this.#setWindow(moveWindow(this.#window, distance, this.#scene.plot.domain)),
      onMoved,
      onPointed: (point, pointedRow) => {
        if (pointedRow !== undefined) this.#setRow(pointedRow);
        this.#showPoint(point);
        this.#reportPointed(false);
      },
      onClicked: () => this.#reportPointed(true),
      reset,
    });
    this.#brush = new Brush(window => this.#setWindow(window), onMoved, reset);
    this.element = this.#layout.element;
    this.#layout.plot.append(this.#plotCanvas.element);
    this.#layout.strip.append(this.#brush.element);
    this.#layout.plot.addEventListener('keydown', event => this.#onKeyDown(event));
    this.#layout.toolbar.addEventListener('keydown', event => this.#onToolbarKeyDown(event));
  }

  /** Shows a result. The element must be in the page. */
  show(model: ChartModel, options: ChartOptions): void {
    const previous = this.#model;
    // `onOptionsChanged` makes the owner pass the same options back, which must not draw the chart again.
    const isUnchanged =
      previous && hasSameProperties(previous, model) && JSON.stringify(options) === JSON.stringify(this.#options);
    if (this.#scene && isUnchanged) return;
    this.#model = model;
    this.#options = options;
    if (previous?.frame !== model.frame || previous.rows !== model.rows) this.#point = undefined;
    this.#rebuild();
  }

  /** Changes the time zone. Rebuilds the plot only if its shapes depend on the zone. */
  setZone(zone: DisplayZone): void {
    if (!this.#model || this.#model.zone === zone) return;
    this.#model = { ...this.#model, zone };
    if (!this.#scene) return;
    const { mode, layers } = this.#scene.plot;
    // These shapes depend on the zone, and the legend of a comparison contains dates.
    if (mode.isInMoreCharts || layers.some(({ instants }) => instants)) {
      this.#rebuild();
      return;
    }
    // Rows of whole days keep the zone of their days: in another zone they would run from 02:00 to 02:00.
    const { plot: currentPlot } = this.#scene;
    const plot = { ...currentPlot, zone: currentPlot.isDaily ? currentPlot.zone : zone };
    this.#scene = { ...this.#scene, plot, formatter: new PlotFormatter(plot, this.#model.locale) };
    this.#draw('texts');
  }

  /** Redraws after colors or fonts have changed. */
  themeChanged(): void {
    if (!this.#scene) return;
    this.#scene = { ...this.#scene, ...readTheme(this.element) };
    this.#draw();
  }

  /** The position of the crosshair, in UTC milliseconds or as a bin of a cycle. Undefined while there is no crosshair. */
  get pointedInstant(): number | undefined {
    const { plot, formatter } = this.#scene ?? {};
    const instant = plot?.received && plot.timeline.x[this.#point ?? -1];
    if (instant === undefined || !plot?.cells || !formatter) return instant;
    return formatter.zone.firstInstantFrom(formatter.zone.getLocalTime(instant) + plot.cells.row * hourMs);
  }

  /** The data row at the crosshair; undefined if there is none. */
  get pointedRow(): number | undefined {
    const { received, cells } = this.#scene?.plot ?? {};
    const instant = this.pointedInstant;
    if (instant === undefined || !received) return undefined;
    const point = countBelow(received.x, instant);
    return (received.x[point] ?? Infinity) < instant + (cells ? hourMs : 1) ? getRow(received, point) : undefined;
  }

  /**
   * Moves the crosshair to the point nearest to `instant`, which may also be a bin of a cycle. Screen readers don't announce the move. Hides the
   * crosshair if `instant` is undefined or, with `hideIfOutside`, outside the chart.
   */
  moveCrosshairTo(instant: number | undefined, hideIfOutside = false): void {
    const { plot, formatter } = this.#scene ?? {};
    if (!plot?.received || !formatter) return;
    const { x, intervalMs = 0 } = plot.timeline;
    const { start, end } = plot.domain;
    if (instant !== undefined && hideIfOutside && !(instant >= start && instant <= end + intervalMs)) {
      this.#moveCrosshair(undefined);
      return;
    }
    const point = instant === undefined ? -1 : plot.cells ? countBelow(x, instant + 1) - 1 : findNearest(x, instant);
    if (plot.cells && instant !== undefined)
      this.#setRow(
        Math.floor((formatter.zone.getLocalTime(instant) - formatter.zone.getLocalTime(x[point] ?? 0)) / hourMs),
      );
    this.#moveCrosshair(point < 0 ? undefined : point);
  }

  /** Marks the intervals that are selected in the table, without rebuilding the plot. */
  markSelection(selected: readonly SelectedInterval[]): void {
    if (this.#model) this.#model = { ...this.#model, selected };
    if (!this.#model || !this.#scene || this.#scene.plot.received !== this.#scene.plot.timeline) return;
    const plot = { ...this.#scene.plot, selected };
    this.#scene = { ...this.#scene, plot, formatter: new PlotFormatter(plot, this.#model.locale) };
    this.#plotCanvas.draw(this.#scene, this.#window);
    this.#scheduleDescription(() => this.#describe());
  }

  /** The container for the table of numbers. */
  get tableContainer(): HTMLElement {
    return this.#layout.table;
  }

  /** Shows the table of numbers or the plot. */
  showAsTable(isTable: boolean): void {
    const options = this.#options;
    if (!this.#scene || !options || isTable === (options.asTable === true)) return;
    this.#options = { ...options, asTable: isTable || undefined };
    this.#renderControls();
    this.#updateTable();
    this.#host.onOptionsChanged(this.#options);
  }

  #rebuild(): void {
    const model = this.#model;
    const options = this.#options;
    if (!model || !options) return;
    const plot = buildPlot(model, options);
    this.#layout.showMessage(plot ? undefined : describeEmptyChart(model));
    if (!plot) {
      this.#scene = undefined;
      this.#plotCanvas.clear();
      this.#updateTable();
      return;
    }
    this.#scene = { plot, formatter: new PlotFormatter(plot, model.locale), ...readTheme(this.element) };
    this.#window = options.zoom ? fitToPlot(options.zoom, plot) : plot.domain;
    if (this.#point !== undefined && this.#point >= plot.timeline.x.length) this.#point = undefined;
    this.#draw();
    this.#updateTable();
    // Deferred, because the host may display different rows after a change of the window.
    this.#afterRebuild(() => this.#reportWindow());
  }

  /** Shows a table of the numbers in the window, or the plot, depending on the options. */
  #updateTable(): void {
    const scene = this.#scene;
    const model = this.#model;
    const window = this.#window;
    const isTable = this.#options?.asTable === true;
    if (scene) this.#layout.showTable(isTable);
    const rows = scene && model && isTable ? () => tabulatePlot(scene.plot, model.frame, window) : undefined;
    this.#host.showTable(rows);
  }

  #draw(changed: 'all' | 'texts' = 'all'): void {
    const model = this.#model;
    const scene = this.#scene;
    if (!scene) return;
    // The controls are rendered first, because the size of the plot depends on the legend.
    this.#renderControls();
    const { plot, formatter } = scene;
    this.#layout.showTitleAndNotice(this.#options?.title, describeOmissions(plot, formatter, model?.compared));
    this.#plotCanvas.draw(scene, this.#window);
    if (changed === 'all') this.#brush.draw(scene, this.#window);
    else this.#brush.relabel(scene);
    this.#moveCrosshair(this.#point);
    this.#scheduleDescription(() => this.#describe());
  }

  #renderControls(): void {
    const model = this.#model;
    const options = this.#options;
    const scene = this.#scene;
    if (!scene || !model || !options) return;
    const controls: ChartControls = {
      scene,
      modes: listAvailableModes(model.frame),
      selectableColumns: scene.plot.mode.listSelectableColumns?.(model.frame) ?? [],
      selectedColumns: options.columns,
      expandedSection: this.#expandedSection,
      title: options.title,
      caption: formatCaption(scene.plot, scene.formatter),
      isZoomed: !isWholeRange(this.#window, scene.plot.domain),
      isTableVisible: options.asTable === true,
    };
    const actions = this.#createActions();
    render(chartToolbar(controls, actions), this.#layout.toolbar);
    render(chartLegend(scene, this.#window, actions), this.#layout.legend);
  }

  #createActions(): ChartActions {
    const { pictures } = this;
    return {
      // A zoom is meaningless on the axis of another mode.
      setMode: mode => this.#changeOptions({ mode, zoom: undefined }),
      chooseOption: (choice, option) => {
        const hasOtherAxis = this.#scene?.plot.mode.isInMoreCharts;
        this.#changeOptions({
          picked: { ...this.#options?.picked, [choice]: option },
          ...(hasOtherAxis && { zoom: undefined }),
        });
      },
      isolate: column => this.#isolate(column),
      toggle: column => this.#toggle(column),
      toggleSection: part => {
        this.#expandedSection = this.#expandedSection === part ? undefined : part;
        this.#renderControls();
        if (this.#expandedSection === 'labels') this.#layout.toolbar.querySelector('input')?.focus();
      },
      changeLabels: change => this.#changeOptions(change),
      selectColumn: (column, isSelected) => {
        const otherColumns = (this.#options?.columns ?? []).filter(name => name !== column);
        this.#changeOptions({ columns: isSelected ? [...otherColumns, column] : otherColumns });
      },
      zoom: factor => this.#zoomBy(factor),
      reset: () => this.#zoomTo(undefined),
      toggleTable: () => this.showAsTable(this.#options?.asTable !== true),
      selectInTable: this.#scene?.plot.axis ? undefined : () => this.#host.select(this.#window),
      copy: () => pictures.copy(),
      save: format => pictures.save(format),
    };
  }

  #toggle(column: string): void {
    const hidden = this.#options?.hidden ?? [];
    this.#changeOptions({
      hidden: hidden.includes(column) ? hidden.filter(name => name !== column) : [...hidden, column],
    });
  }

  /** Hides all other series. If they are already hidden, shows all series. */
  #isolate(column: string): void {
    const columns = new Set(this.#scene?.plot.layers.map(layer => layer.comparedTo ?? layer.column));
    const otherColumns = [...columns].filter(name => name !== column);
    const isOnlyVisibleSeries = otherColumns.every(name => this.#options?.hidden.includes(name));
    this.#changeOptions({ hidden: isOnlyVisibleSeries ? [] : otherColumns });
  }

  #changeOptions(change: Partial<ChartOptions>): void {
    if (!this.#options) return;
    this.#options = { ...this.#options, ...change };
    this.#rebuild();
    this.#host.onOptionsChanged(this.#options);
  }

  #setWindow(requestedWindow: TimeWindow | undefined): void {
    const options = this.#options;
    const scene = this.#scene;
    if (!scene || !options) return;
    const window = requestedWindow ? fitToPlot(requestedWindow, scene.plot) : scene.plot.domain;
    if (window.start === this.#window.start && window.end === this.#window.end) return;
    this.#window = window;
    this.#plotCanvas.setWindow(window);
    this.#brush.setWindow(window);
    this.#renderControls();
    this.#moveCrosshair(this.#point);
    this.#options = { ...options, zoom: isWholeRange(window, scene.plot.domain) ? undefined : window };
    this.#scheduleDescription(() => this.#describe());
    this.#scheduleWindowReport(() => {
      if (this.#options) this.#host.onOptionsChanged(this.#options);
      this.#reportWindow();
      if (this.#options?.asTable) this.#updateTable();
    });
  }

  #reportWindow(): void {
    const { plot } = this.#scene ?? {};
    if (plot) this.#host.onZoomed(plot.received && !isWholeRange(this.#window, plot.domain) ? this.#window : undefined);
  }

  /** Changes the window after a key, a button or the mouse, and announces it. */
  #zoomTo(window: TimeWindow | undefined): void {
    this.#setWindow(window);
    this.#announceWindow();
  }

  /** Announces the window after it has stopped changing. */
  #announceWindow(): void {
    this.#scheduleAnnouncement(
      () => this.#scene && this.#host.announce(describeVisibleRange(this.#scene.formatter, this.#window)),
    );
  }

  #zoomBy(factor: number): void {
    if (this.#scene) this.#zoomTo(zoomWindow(factor, this.#scene.plot, this.#plotPosition));
  }

  get #plotPosition(): PlotPosition {
    return { window: this.#window, point: this.#point };
  }

  #onKeyDown(event: KeyboardEvent): void {
    const scene = this.#scene;
    const command = findPlotCommand(event);
    if (!command || !scene || (command === 'leave' && this.#point === undefined)) return;
    if ((command === 'up' || command === 'down') && !scene.plot.cells) return;
    event.preventDefault();
    event.stopPropagation();
    const move = resolvePlotMove(command, scene.plot, scene.formatter.zone, this.#plotPosition);
    if (move.to === 'point') this.#moveToPoint(move.point);
    else if (move.to === 'window') this.#zoomTo(move.window);
    else if (move.to === 'row') this.#moveToRow(move.row);
    else this.#moveCrosshair(undefined);
    this.#reportPointed(true);
  }

  /** Moves the crosshair to another row of cells. */
  #setRow(pointedRow: number): void {
    if (!this.#scene) return;
    const plot = withCellRow(this.#scene.plot, pointedRow);
    this.#scene = { ...this.#scene, plot, formatter: new PlotFormatter(plot, this.#scene.formatter.locale) };
    this.#plotCanvas.relabel(this.#scene);
  }

  #moveToRow(pointedRow: number): void {
    this.#setRow(pointedRow);
    const scene = this.#scene;
    if (scene) this.#moveToPoint(this.#point ?? findNearestRowPoint(scene.plot, this.#window.start));
  }

  #moveToPoint(point: number): void {
    const scene = this.#scene;
    if (!scene) return;
    this.#point = point;
    this.#setWindow(moveWindowToInclude(this.#window, scene.plot.timeline.x[point] ?? 0, scene.plot.domain));
    this.#moveCrosshair(point);
    this.#scheduleAnnouncement(() => this.#host.announce(describePoint(scene.plot, scene.formatter, point)));
  }

  #reportPointed(isHeld: boolean): void {
    this.#host.onPointed(this.pointedRow, isHeld);
  }

  #moveCrosshair(point: number | undefined): void {
    this.#plotCanvas.moveCrosshair(point);
    this.#showPoint(point);
  }

  #showPoint(point: number | undefined): void {
    this.#point = point;
    const scene = this.#scene;
    const window = this.#window;
    if (!scene) return;
    // The legend shows the values of a point only while the crosshair is visible.
    const instant = scene.plot.timeline.x[point ?? -1] ?? NaN;
    this.#layout.showValues(scene, instant >= window.start && instant <= window.end ? point : undefined);
  }

  #describe(): void {
    if (this.#scene) this.#layout.describe(describeChart(this.#scene.plot, this.#scene.formatter, this.#window));
  }

  #onToolbarKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || !this.#expandedSection) return;
    event.stopPropagation();
    const buttons = this.#layout.toolbar.querySelectorAll<HTMLElement>('[aria-expanded=true], .folded > button');
    // Without room for the buttons, the menu button is the visible one.
    const button = [...buttons].find(({ offsetParent }) => offsetParent);
    this.#expandedSection = undefined;
    this.#renderControls();
    button?.focus();
  }

  #createPicture(): SavedPicture {
    const model = this.#model;
    const scene = this.#scene;
    const window = this.#window;
    if (!scene || !model) throw new Error('Cannot create a picture without a chart.');
    const { clientWidth: width, clientHeight: height } = this.#plotCanvas.element;
    const title = this.#options?.title ?? model.title ?? '';
    return createSavedPicture({ ...scene, window, title, origin: model.origin, width, height });
  }
}

/** Creates a debouncer, which runs only the last of several actions, `delay` milliseconds after it was scheduled. */
function createDebouncer(delay: number): (action: () => void) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return action => {
    clearTimeout(timer);
    timer = setTimeout(action, delay);
  };
}
