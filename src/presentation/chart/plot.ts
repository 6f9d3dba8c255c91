import { dayMs } from '../../shared/durations.ts';
import type { ChartKind } from '../../shared/chartKinds.ts';
import type { Frame, NumberColumn, TimeColumn } from '../../shared/frame.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { ChartChoice, SelectedChoice } from './chartChoice.ts';
import type { ChartModel, ChartOptions, SelectedInterval, TimeWindow } from './chartModel.ts';
import type { SeriesColor } from './palette.ts';
import type { Timeline } from './timeline.ts';
import type { TimeTick } from './timeTicks.ts';

/** The number of cells of a heatmap at each point. */
export const hoursOfDay = 24;

/** The style in which a layer is drawn. */
export interface LayerStyle {
  /** A series color, the foreground, hatching on the background, the color scale, or the stress bands. */
  readonly color: SeriesColor | 'hatched' | 'scale' | 'bands';
  /** An index into `dashes`. */
  readonly dash: number;
  /** In CSS pixels. */
  readonly width: number;
  /** Set for the bars of a compared period. They are drawn next to bars in the same color. */
  readonly isPale?: true;
}

/** The position of a bar in an interval with several bars. */
export interface BarSlot {
  /** The index from the left. */
  readonly index: number;
  /** The number of bars in the interval. */
  readonly count: number;
}

/** A drawn column. */
export interface Layer {
  readonly column: string;
  /** The column with the values. */
  readonly source: NumberColumn;
  readonly label: string;
  /** The tooltip of the series in the legend. */
  readonly help: string;
  readonly unit: string;
  /** Whether the values are mean power over their intervals. */
  readonly hasEnergy: boolean;
  /** The number of decimals of formatted values. Before `roundLayerDecimals`, that of the received values. */
  readonly decimals: number;
  readonly kind: 'line' | 'area' | 'bars' | 'dots' | 'cells';
  /** The index of the value axis: 0 left, 1 right. */
  readonly axis: number;
  readonly style: LayerStyle;
  /** One value per point; NaN if there is none. */
  readonly values: Float64Array;
  /** The values for computing figures, if they differ from the drawn values. */
  readonly measured?: MeasuredValues;
  /** The drawn edges. A line or bar has one, its values. A band has two, its limits. An area has a lower and an upper edge, and two more for its part below zero. */
  readonly edges: readonly Float64Array[];
  /** The position of the bars in their intervals. If set, an area is drawn as bars. */
  readonly bar?: BarSlot;
  /** Set for a line that is a limit of a band. If it has two edges, the space between them is shaded. */
  readonly isLimit?: true;
  /** Whether the user has hidden it in the legend. */
  readonly hidden: boolean;
  /** Set if the values are changes, up or down. */
  readonly isChange?: true;
  /** The column to which it is compared. The legend shows and hides both together. */
  readonly comparedTo?: string;
  /** The instant of each value in UTC milliseconds, or NaN if there is none. Omitted if the instants are those of the timeline. */
  readonly instants?: Float64Array;
}

/** The values of a column, one per point; NaN if there is none. */
export interface MeasuredValues {
  readonly values: Float64Array;
  /** The number of hours that each value averages. Undefined if it is the length of the row. */
  readonly hours?: Float64Array | undefined;
  /** The maximum hourly value of each row that is a mean of several hours; undefined if unknown. */
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
  /** The ends of an axis that does not depend on the data. */
  readonly fixed?: readonly [min: number, max: number];
  /** Whether the axis includes zero, as bars and areas require. With `near`, it does only if the values are near zero. */
  readonly zero: boolean | 'near';
  /** Whether the axis is logarithmic. It then shows positive values only. */
  readonly isLog?: boolean;
  /** Whether the axis is the hour of the day. */
  readonly isHourOfDay?: true;
}

/** The cells of a heatmap. Each point has 24 cells, one for each hour of the day. */
export interface Cells {
  /** The value of point p and hour h is at index p × 24 + h; NaN if there is none. */
  readonly values: Float64Array;
  readonly min: number;
  readonly max: number;
  /** The number of hours of each cell, and the number of hours with data. Omitted if each cell covers one hour. */
  readonly hours?: { readonly known: Float64Array; readonly total: Float64Array };
  /** 1 for a cell with data for too few of its hours, otherwise 0. */
  readonly fewHours?: Uint8Array;
  /** The hour of the day at the crosshair. The layer has the values of this hour. */
  readonly row: number;
}

/** A horizontal axis other than time: bins of a cycle, the time of day, a share of the hours, or the values of a column. */
export interface NonTimeAxis {
  /** Lists the ticks in a window, about `maxTicks` at most. */
  readonly ticks: (window: TimeWindow, maxTicks: number) => readonly TimeTick[];
  /** The alternative titles under the axis, the longest first. */
  readonly titles: readonly string[];
  /** The label above the plot. It replaces the time zone. */
  readonly label: string;
  /** Formats a position: "17:00", "12.5 % of the hours". */
  readonly format: (position: number) => string;
  readonly formatRange: (window: TimeWindow) => string;
  /** The column of the positions, if they are values of a column. */
  readonly quantity?: Pick<NumberColumn, 'name' | 'field'>;
  /** Whether positions are milliseconds since the start of a Monday. */
  readonly isWeek?: boolean;
}

/** Everything that a chart draws, independently of colors and pixels. */
export interface Plot {
  readonly mode: ChartMode;
  /** The mode's choices with their selected options. */
  readonly choices: readonly SelectedChoice[];
  readonly axisChoices: readonly SelectedChoice[];
  readonly timeline: Timeline;
  /** The rows in order of time or of the bins of a cycle. Omitted if the horizontal axis shows neither. */
  readonly received?: Timeline;
  /** The compared instant of each point in UTC milliseconds, or NaN if there is none. Omitted unless exactly one comparison is drawn. */
  readonly comparedTimes?: Float64Array;
  readonly zone: DisplayZone;
  /** Whether rows are days or longer. Their time zone may differ from the display zone. */
  readonly isDaily: boolean;
  /** The bins of resampled rows. */
  readonly bins: TimeColumn['bins'];
  /** The horizontal axis if it is not time. The `x` values of the timeline are then positions on this axis. */
  readonly axis?: NonTimeAxis;
  /** If the axis is not time: the instant of each point's row in UTC milliseconds. */
  readonly instants?: Float64Array;
  /** Whether lines have steps, so that each value covers its whole interval. */
  readonly isStepped: boolean;
  readonly domain: TimeWindow;
  /** The layers from bottom to top. */
  readonly layers: readonly Layer[];
  /** The value axes: left, then right. */
  readonly axes: readonly PlotAxis[];
  readonly bands: readonly Band[];
  /** A value of the left axis to mark with a line. */
  readonly limit?: number;
  /** The points where some parts of the stack are missing, ascending. The parts above are drawn too low there. */
  readonly incomplete: Uint32Array;
  /** The points with data for less than `minShare` of their hours, ascending. */
  readonly fewHours: { readonly points: Uint32Array; readonly minShare: number };
  /** The selection in the table. */
  readonly selected: readonly SelectedInterval[];
  /** The labels of the columns that are not drawn because their unit has no axis. */
  readonly omittedLabels: readonly string[];
  /** The label of the sum of the areas. Omitted if there are no areas. */
  readonly totalLabel?: string;
  /** Explains what the chart shows and what it omits. */
  readonly caption?: string;
  readonly cells?: Cells;
  /** The number of hours of each point, and the number of hours with data. Omitted if the chart shows no sums over hours. */
  readonly hours?: { readonly known: Float64Array; readonly total: Float64Array };
  /** The number of points where the published sources exceed total generation. Omitted if it is 0. */
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

/** The input of a mode. `selectedIds` has the ids of the selected options: those of the axis choices, followed by those of the other choices. */
export interface DrawContext {
  readonly model: ChartModel;
  readonly frame: Frame;
  readonly options: ChartOptions;
  readonly timeline: Timeline;
  readonly selectedIds: readonly string[];
}

/** A kind of chart. */
export interface ChartMode {
  /** The id, which is saved with the panel. */
  readonly id: ChartKind;
  /** The translated label of its button. */
  readonly name: () => string;
  /** Whether the mode can draw a chartable frame. See `isChartable`. */
  readonly canDraw: (frame: Frame) => boolean;
  /** Lists the columns that users can select. Omitted if the mode determines its columns. */
  readonly listSelectableColumns?: (frame: Frame) => readonly NumberColumn[];
  readonly choices?: (frame: Frame) => readonly ChartChoice[];
  /** The choices for its value axes. */
  readonly axisChoices?: (frame: Frame) => readonly ChartChoice[];
  /** Set if the mode is in the More Charts menu. It then has no button. */
  readonly isInMoreCharts?: true;
  /** Set if it draws compared columns. */
  readonly drawsComparison?: true;
  readonly draw: (context: DrawContext) => DrawnPlot;
}

/** The lengths of the dashes and gaps of each pattern, in CSS pixels. */
export const dashes: readonly (readonly number[])[] = [[], [8, 4], [2, 3], [10, 3, 2, 3], [14, 4], [6, 2, 2, 2, 2, 2]];

/** Sorts layers for the legend. This period precedes the compared periods, although it is drawn above them. */
export function sortForLegend(layers: readonly Layer[]): readonly Layer[] {
  const sortedLayers: Layer[] = [];
  const comparedLayers: Layer[] = [];
  for (const layer of layers)
    if (layer.comparedTo === undefined) sortedLayers.push(layer, ...comparedLayers.splice(0));
    else comparedLayers.push(layer);
  return [...sortedLayers, ...comparedLayers];
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

/** Whether any point or cell has a mark for too few hours. */
export function hasFewHours({ fewHours, cells }: Plot): boolean {
  return fewHours.points.length > 0 || cells?.fewHours?.includes(1) === true;
}

/** Whether a point, or its cell at the crosshair, has a mark for too few hours. */
export function hasFewHoursAt({ fewHours, cells }: Plot, point: number): boolean {
  return fewHours.points.includes(point) || cells?.fewHours?.[point * hoursOfDay + cells.row] === 1;
}

export function listVisibleLayers(plot: Plot): Layer[] {
  return plot.layers.filter(({ hidden }) => !hidden);
}
