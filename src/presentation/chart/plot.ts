import { dayMs } from '../../shared/durations.ts';
import type { ChartKind } from '../../shared/chartKinds.ts';
import type { Frame, NumberColumn, TimeColumn } from '../../shared/frame.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { ChartChoice, MadeChoice } from './chartChoice.ts';
import type { ChartModel, ChartOptions, SelectedInterval, TimeRange } from './chartModel.ts';
import type { SeriesPlace } from './palette.ts';
import type { Timeline } from './timeline.ts';
import type { TimeTick } from './timeTicks.ts';

/** The rows of cells of a heatmap. */
export const hoursOfDay = 24;

/** How a layer is drawn. */
export interface LayerStyle {
  /** Which colour of the palette's series, the foreground, no colour (hatching on the background), or those of the scale or of the stress bands. */
  readonly colour: SeriesPlace | 'hatched' | 'scale' | 'bands';
  /** Which of `dashes`. */
  readonly dash: number;
  /** CSS pixels. */
  readonly width: number;
  /** A bar of another period, beside one in the same colour. */
  readonly isPale?: true;
}

/** A bar in each interval, one of several beside each other. */
export interface BarSlot {
  /** From the left, 0 for the first. */
  readonly place: number;
  readonly of: number;
}

/** One column as it is drawn. */
export interface Layer {
  readonly column: string;
  /** What the values are of. */
  readonly source: NumberColumn;
  readonly label: string;
  /** What the series is: the tooltip of its place in the legend. */
  readonly help: string;
  readonly unit: string;
  /** Its values are mean power over their intervals. */
  readonly hasEnergy: boolean;
  /** Digits after the point when its values are written: until the plot is made those received. */
  readonly decimals: number;
  readonly kind: 'line' | 'area' | 'bars' | 'dots' | 'cells';
  /** Which axis: 0 left, 1 right. */
  readonly axis: number;
  readonly style: LayerStyle;
  /** One a point; NaN where there is none. */
  readonly values: Float64Array;
  /** What its figures are made of; left out where it is what is drawn. */
  readonly measured?: Measured;
  /** The edges that are drawn: the values of a line or bar; of a limit maybe the other one, too; of an area a lower and an upper one, and two more below zero where it has any. */
  readonly edges: readonly Float64Array[];
  /** Where its bars stand in their intervals; of an area, it is drawn as bars. */
  readonly bar?: BarSlot;
  /** A line that is the limit of a band: where it has two edges, what lies between them is shaded. */
  readonly isLimit?: true;
  /** Switched off in the legend. */
  readonly hidden: boolean;
  /** Its values are changes: up or down. */
  readonly isChange?: true;
  /** Belongs to this other column: shown and hidden with it. */
  readonly comparedTo?: string;
  /** When each of its values was, UTC milliseconds, NaN for none; left out for the instants of the timeline. */
  readonly instants?: Float64Array;
}

/** Of one column, one a point; NaN where there is none. */
export interface Measured {
  readonly values: Float64Array;
  /** For how many hours each value counts; undefined for those of its row. */
  readonly hours?: Float64Array | undefined;
  /** The greatest hour of each row that is a mean of several; undefined where it is not known. */
  readonly greatest?: Float64Array | undefined;
}

/** A named range of the left axis. */
export interface Band {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

export interface PlotAxis {
  readonly unit: string;
  /** The ends, where they do not follow the data. */
  readonly fixed?: readonly [min: number, max: number];
  /** Zero belongs to it: lengths and areas are measured from there. `near`: where the values come near it. */
  readonly zero: boolean | 'near';
  /** Equal ratios are equally long; values of zero and less have no place on it. */
  readonly isLog?: boolean;
  /** It is the clock of a day. */
  readonly isHourOfDay?: true;
}

/** Values as colours: 24 rows, an hour of the day each, at every point. */
export interface Cells {
  /** Of point p and hour h at p x 24 + h; NaN for none. */
  readonly values: Float64Array;
  readonly least: number;
  readonly greatest: number;
  /** How many hours each cell has data for, and how many it stands for; left out where each stands for one. */
  readonly hours?: { readonly known: Float64Array; readonly all: Float64Array };
  /** 1 for a cell with data for too few of its hours. */
  readonly few?: Uint8Array;
  /** The hour that the crosshair is at: its values are those of the layer. */
  readonly row: number;
}

/** A horizontal axis that is no time: bins of a cycle, clock times of many days, a share of the hours, the values of a column. */
export interface OtherAxis {
  /** At most about `most` marks in a window. */
  readonly ticks: (window: TimeRange, most: number) => readonly TimeTick[];
  /** What stands under it, the longest first. */
  readonly titles: readonly string[];
  /** What stands in place of the zone over the plot. */
  readonly label: string;
  /** What a place is called: "17:00", "12.5 % of the hours". */
  readonly at: (place: number) => string;
  readonly range: (window: TimeRange) => string;
  /** What its places measure, where they are numbers. */
  readonly quantity?: Pick<NumberColumn, 'name' | 'field'>;
  /** Its places are milliseconds from the beginning of a Monday. */
  readonly isWeek?: boolean;
}

/** Everything a chart draws, before any colour or pixel. */
export interface Plot {
  readonly mode: ChartMode;
  /** What is chosen of those of the mode. */
  readonly choices: readonly MadeChoice[];
  readonly axisChoices: readonly MadeChoice[];
  readonly timeline: Timeline;
  /** The rows in order of time, or of the bins of a cycle; left out where the horizontal axis is neither. */
  readonly received?: Timeline;
  /** The instant that each point is compared with, milliseconds UTC, NaN for none; left out where not one comparison is drawn, but none or several. */
  readonly comparedTimes?: Float64Array;
  readonly zone: DisplayZone;
  /** Rows are days, or longer, of their own zone, whichever is shown. */
  readonly daily: boolean;
  /** What the rows are made into from shorter ones. */
  readonly bins: TimeColumn['bins'];
  /** What lies along the plot in place of instants: the timeline's are then places on this axis. */
  readonly axis?: OtherAxis;
  /** When the row of each point was, milliseconds UTC, where the axis does not tell. */
  readonly moments?: Float64Array;
  /** Values hold for their interval and are drawn as long as it is. */
  readonly stepped: boolean;
  readonly domain: TimeRange;
  /** Bottom first. */
  readonly layers: readonly Layer[];
  /** Left, then right. */
  readonly axes: readonly PlotAxis[];
  readonly bands: readonly Band[];
  /** A value of the left axis that a line marks. */
  readonly limit?: number;
  /** Points where a part of the stack is missing and another is not: what lies above is too low there. Ascending. */
  readonly incomplete: Uint32Array;
  /** Points that stand for hours of which too few have data, ascending, and for which part of them that is. */
  readonly few: { readonly points: Uint32Array; readonly least: number };
  /** What is selected in the table. */
  readonly selected: readonly SelectedInterval[];
  /** Labels of the columns whose unit found no axis. */
  readonly refused: readonly string[];
  /** What the sum of the areas is called; left out where there are none. */
  readonly total?: string;
  /** What is drawn, and what is not. */
  readonly caption?: string;
  readonly cells?: Cells;
  /** How many hours each point has data for, and how many it stands for; left out where nothing is summed over them. */
  readonly hours?: { readonly known: Float64Array; readonly all: Float64Array };
  /** How many points have published sources that add up to more than total generation; left out where none has. */
  readonly contradicted?: number;
}

/** What a mode makes of the columns. */
export type DrawnPlot = Pick<Plot, 'layers' | 'axes'> &
  Partial<
    Pick<
      Plot,
      'stepped' | 'bands' | 'incomplete' | 'refused' | 'total' | 'caption' | 'contradicted' | 'cells' | 'hours'
    >
  > & {
    /** What is drawn along other places than the instants of the rows. */
    readonly along?: Pick<Plot, 'timeline' | 'domain'> &
      Partial<Pick<Plot, 'axis' | 'moments' | 'zone' | 'daily' | 'bins'>>;
  };

/** What a mode draws of. `chosen`: the ids of what is chosen for its axes, and then of its other choices, which may be none. */
export interface Drawing {
  readonly model: ChartModel;
  readonly frame: Frame;
  readonly options: ChartOptions;
  readonly timeline: Timeline;
  readonly chosen: readonly string[];
}

/** One kind of chart: all there is to say of it, its buttons follow from it. */
export interface ChartMode {
  /** Kept with the panel. */
  readonly id: ChartKind;
  /** On its button, in the person's language. */
  readonly name: () => string;
  /** Whether a frame that has times, rows and numbers has the columns for it. */
  readonly fits: (frame: Frame) => boolean;
  /** The columns a person may choose from; without it there is no choice. */
  readonly choosable?: (frame: Frame) => readonly NumberColumn[];
  readonly choices?: (frame: Frame) => readonly ChartChoice[];
  /** Those of its value axes. */
  readonly axisChoices?: (frame: Frame) => readonly ChartChoice[];
  /** In the menu of further charts, not in the row of buttons. */
  readonly isFurther?: true;
  /** It draws what a column is compared with. */
  readonly compares?: true;
  readonly draw: (drawing: Drawing) => DrawnPlot;
}

/** Lengths of dash and space in CSS pixels. */
export const dashes: readonly (readonly number[])[] = [[], [8, 4], [2, 3], [10, 3, 2, 3], [14, 4], [6, 2, 2, 2, 2, 2]];
/** The layers as a legend lists them: this period first, though it is drawn over the other. */
export function inLegend(layers: readonly Layer[]): readonly Layer[] {
  const listed: Layer[] = [];
  const before: Layer[] = [];
  for (const layer of layers)
    if (layer.comparedTo === undefined) listed.push(layer, ...before.splice(0));
    else before.push(layer);
  return [...listed, ...before];
}

/** The dash of a column compared with another. */
const comparedDash: readonly number[] = [1, 3];
export const comparedDashIndex = -1;

export function dashOf({ dash }: LayerStyle): readonly number[] {
  return dash === comparedDashIndex ? comparedDash : (dashes[dash % dashes.length] ?? []);
}

/** Whether rows are no longer than a day. */
export function hasDays({ bins, timeline }: Plot): boolean {
  return (timeline.step ?? Infinity) <= dayMs && (bins === undefined || ['3h', 'day'].includes(bins.size));
}

/** Whether something drawn is marked as made from too few hours. */
export function hasFew({ few, cells }: Plot): boolean {
  return few.points.length > 0 || cells?.few?.includes(1) === true;
}

/** Whether a point, or its cell at the crosshair, is marked as made from too few hours. */
export function isFewAt({ few, cells }: Plot, point: number): boolean {
  return few.points.includes(point) || cells?.few?.[point * hoursOfDay + cells.row] === 1;
}

export function visibleLayers(plot: Plot): Layer[] {
  return plot.layers.filter(({ hidden }) => !hidden);
}
