import { dayMs } from '../../shared/durations.ts';
import type { ChartKind } from '../../shared/chartKinds.ts';
import type { Frame, NumberColumn, TimeColumn } from '../../shared/frame.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { ChartChoice, SelectedChoice } from './chartChoice.ts';
import type { ChartModel, ChartOptions, SelectedInterval, TimeWindow } from './chartModel.ts';
import type { SeriesColor } from './palette.ts';
import type { Timeline } from './timeline.ts';
import type { TimeTick } from './timeTicks.ts';

/** The rows of cells of a heatmap. */
export const hoursOfDay = 24;

/** The style in which a layer is drawn. */
export interface LayerStyle {
  /** A series color, the foreground, hatching on the background, the color scale, or the stress bands. */
  readonly color: SeriesColor | 'hatched' | 'scale' | 'bands';
  /** An index in `dashes`. */
  readonly dash: number;
  /** CSS pixels. */
  readonly width: number;
  /** Whether it is a bar of a compared period, which is drawn next to a bar in the same color. */
  readonly isPale?: true;
}

/** The position of a bar among several side by side in an interval. */
export interface BarSlot {
  /** The position from the left, from 0. */
  readonly index: number;
  /** The number of bars in the interval. */
  readonly count: number;
}

/** A column in the style in which it is drawn. */
export interface Layer {
  readonly column: string;
  /** The column that the values come from. */
  readonly source: NumberColumn;
  readonly label: string;
  /** A description of the series, for its tooltip in the legend. */
  readonly help: string;
  readonly unit: string;
  /** Whether the values are mean power over their intervals. */
  readonly hasEnergy: boolean;
  /** The decimals of formatted values. Until they are rounded, they are the decimals of the received values. */
  readonly decimals: number;
  readonly kind: 'line' | 'area' | 'bars' | 'dots' | 'cells';
  /** The index of the value axis: 0 left, 1 right. */
  readonly axis: number;
  readonly style: LayerStyle;
  /** One value per point; NaN if there is none. */
  readonly values: Float64Array;
  /** The values that its figures are computed from, if they differ from the drawn ones. */
  readonly measured?: MeasuredValues;
  /** The drawn edges: the values of a line or bar; both limits of a band; the lower and upper edge of an area, and two more for its part below zero. */
  readonly edges: readonly Float64Array[];
  /** The position of its bars in their intervals. An area with this is drawn as bars. */
  readonly bar?: BarSlot;
  /** Set for a line that is the limit of a band. If it has two edges, the space between them is shaded. */
  readonly isLimit?: true;
  /** Whether it is switched off in the legend. */
  readonly hidden: boolean;
  /** Whether the values are changes, up or down. */
  readonly isChange?: true;
  /** The column that it is compared to. The legend shows and hides both together. */
  readonly comparedTo?: string;
  /** The instant of each value in UTC milliseconds, or NaN if it has none. Omitted if the values are at the instants of the timeline. */
  readonly instants?: Float64Array;
}

/** The values of a column, one per point; NaN if there is none. */
export interface MeasuredValues {
  readonly values: Float64Array;
  /** The hours that each value is averaged over; undefined for the length of its row. */
  readonly hours?: Float64Array | undefined;
  /** The maximum hour of each row that is a mean of several; undefined if unknown. */
  readonly max?: Float64Array | undefined;
}

/** A named range of the left axis. */
export interface Band {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

export interface PlotAxis {
  readonly unit: string;
  /** The ends of the axis, if they do not depend on the data. */
  readonly fixed?: readonly [min: number, max: number];
  /** Whether the axis includes zero, as bars and areas require. `near`: only if the values come near it. */
  readonly zero: boolean | 'near';
  /** Whether the axis is logarithmic, without values of zero and less. */
  readonly isLog?: boolean;
  /** Whether the axis is the hour of the day. */
  readonly isHourOfDay?: true;
}

/** The cells of a heatmap: 24 at every point, one for each hour of the day. */
export interface Cells {
  /** The value of point p and hour h is at p × 24 + h; NaN if there is none. */
  readonly values: Float64Array;
  readonly min: number;
  readonly max: number;
  /** The number of hours that each cell covers, and for how many of them it has data. Omitted if each cell covers one hour. */
  readonly hours?: { readonly known: Float64Array; readonly total: Float64Array };
  /** 1 for a cell with data for too few of its hours. */
  readonly fewHours?: Uint8Array;
  /** The hour at the crosshair. The layer has the values of this row. */
  readonly row: number;
}

/** A horizontal axis other than time: bins of a cycle, the time of day, a share of the hours, or the values of a column. */
export interface NonTimeAxis {
  /** Lists at most about `maxTicks` ticks in a window. */
  readonly ticks: (window: TimeWindow, maxTicks: number) => readonly TimeTick[];
  /** The alternative titles under the axis, the longest first. */
  readonly titles: readonly string[];
  /** The label over the plot, in place of the zone. */
  readonly label: string;
  /** Formats a position: "17:00", "12.5 % of the hours". */
  readonly format: (position: number) => string;
  readonly formatRange: (window: TimeWindow) => string;
  /** The quantity of the positions, if they are numbers. */
  readonly quantity?: Pick<NumberColumn, 'name' | 'field'>;
  /** Whether positions are milliseconds since the start of a Monday. */
  readonly isWeek?: boolean;
}

/** Everything a chart draws, before any color or pixel. */
export interface Plot {
  readonly mode: ChartMode;
  /** The mode's choices with their selected options. */
  readonly choices: readonly SelectedChoice[];
  readonly axisChoices: readonly SelectedChoice[];
  readonly timeline: Timeline;
  /** The rows in order of time, or of the bins of a cycle; omitted if the horizontal axis is neither. */
  readonly received?: Timeline;
  /** The instant that each point is compared with, UTC milliseconds, NaN if there is none. Omitted unless exactly one comparison is drawn. */
  readonly comparedTimes?: Float64Array;
  readonly zone: DisplayZone;
  /** Whether rows are days or longer, in their own zone, regardless of the display zone. */
  readonly isDaily: boolean;
  /** The bins that the rows are resampled to. */
  readonly bins: TimeColumn['bins'];
  /** The horizontal axis if it is not time. The `x` of the timeline are then positions on this axis. */
  readonly axis?: NonTimeAxis;
  /** The instant of each point's row, UTC milliseconds, if the axis is not time. */
  readonly instants?: Float64Array;
  /** Whether values are drawn as steps over their whole interval. */
  readonly isStepped: boolean;
  readonly domain: TimeWindow;
  /** The layers, bottom first. */
  readonly layers: readonly Layer[];
  /** The value axes: left, then right. */
  readonly axes: readonly PlotAxis[];
  readonly bands: readonly Band[];
  /** A value of the left axis to mark with a line. */
  readonly limit?: number;
  /** The points where some parts of the stack are missing, so that the parts above are drawn too low. Ascending. */
  readonly incomplete: Uint32Array;
  /** The points with data for less than the share `minShare` of their hours, ascending. */
  readonly fewHours: { readonly points: Uint32Array; readonly minShare: number };
  /** The selection in the table. */
  readonly selected: readonly SelectedInterval[];
  /** Labels of the columns that are not drawn because their unit has no axis. */
  readonly omittedLabels: readonly string[];
  /** The name of the sum of the areas; omitted if there are none. */
  readonly totalLabel?: string;
  /** Explains what is drawn and what is not. */
  readonly caption?: string;
  readonly cells?: Cells;
  /** The number of hours that each point covers, and for how many of them it has data. Omitted if nothing is summed over them. */
  readonly hours?: { readonly known: Float64Array; readonly total: Float64Array };
  /** The number of points where the published sources exceed total generation. Omitted if there are none. */
  readonly contradictionCount?: number;
}

/** The parts of a plot that a mode creates. */
export type DrawnPlot = Pick<Plot, 'layers' | 'axes'> &
  Partial<
    Pick<
      Plot,
      | 'isStepped'
      | 'bands'
      | 'incomplete'
      | 'omittedLabels'
      | 'totalLabel'
      | 'caption'
      | 'contradictionCount'
      | 'cells'
      | 'hours'
    >
  > & {
    /** Replaces the instants of the rows by another horizontal axis. */
    readonly horizontalAxis?: Pick<Plot, 'timeline' | 'domain'> &
      Partial<Pick<Plot, 'axis' | 'instants' | 'zone' | 'isDaily' | 'bins'>>;
  };

/** The input of a mode. `selectedIds` are the ids of the selected options, first of the axis choices and then of the other choices. */
export interface DrawContext {
  readonly model: ChartModel;
  readonly frame: Frame;
  readonly options: ChartOptions;
  readonly timeline: Timeline;
  readonly selectedIds: readonly string[];
}

/** A kind of chart. */
export interface ChartMode {
  /** Stored with the panel. */
  readonly id: ChartKind;
  /** The translated label of its button. */
  readonly name: () => string;
  /** Whether the mode can draw a frame that has times, rows and numbers. */
  readonly canDraw: (frame: Frame) => boolean;
  /** The columns to choose from; omitted if there is no choice. */
  readonly listSelectableColumns?: (frame: Frame) => readonly NumberColumn[];
  readonly choices?: (frame: Frame) => readonly ChartChoice[];
  /** The choices for its value axes. */
  readonly axisChoices?: (frame: Frame) => readonly ChartChoice[];
  /** Whether it is in the menu of further charts instead of the row of buttons. */
  readonly isInMoreCharts?: true;
  /** Whether it draws compared columns. */
  readonly drawsComparison?: true;
  readonly draw: (context: DrawContext) => DrawnPlot;
}

/** Lengths of dash and space in CSS pixels. */
export const dashes: readonly (readonly number[])[] = [[], [8, 4], [2, 3], [10, 3, 2, 3], [14, 4], [6, 2, 2, 2, 2, 2]];
/** Sorts layers for the legend: this period before the compared ones, although it is drawn over them. */
export function sortForLegend(layers: readonly Layer[]): readonly Layer[] {
  const listed: Layer[] = [];
  const comparedLayers: Layer[] = [];
  for (const layer of layers)
    if (layer.comparedTo === undefined) listed.push(layer, ...comparedLayers.splice(0));
    else comparedLayers.push(layer);
  return [...listed, ...comparedLayers];
}

/** The dash of a compared column. */
const comparedDash: readonly number[] = [1, 3];
export const comparedDashIndex = -1;

export function getDash({ dash }: LayerStyle): readonly number[] {
  return dash === comparedDashIndex ? comparedDash : (dashes[dash % dashes.length] ?? []);
}

/** Whether rows are at most one day long. */
export function hasDailyOrShorterRows({ bins, timeline }: Plot): boolean {
  return (timeline.intervalMs ?? Infinity) <= dayMs && (bins === undefined || ['3h', 'day'].includes(bins.size));
}

/** Whether any point or cell is marked for too few hours. */
export function hasFewHours({ fewHours, cells }: Plot): boolean {
  return fewHours.points.length > 0 || cells?.fewHours?.includes(1) === true;
}

/** Whether a point, or its cell at the crosshair, is marked for too few hours. */
export function hasFewHoursAt({ fewHours, cells }: Plot, point: number): boolean {
  return fewHours.points.includes(point) || cells?.fewHours?.[point * hoursOfDay + cells.row] === 1;
}

export function listVisibleLayers(plot: Plot): Layer[] {
  return plot.layers.filter(({ hidden }) => !hidden);
}
