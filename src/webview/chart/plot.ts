import type { Frame, NumberColumn, TimeColumn } from '../../shared/frame.ts';
import type { CycleOfZone } from '../../shared/resampling.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { ChartModel, ChartOptions, SelectedInterval, TimeRange } from './chartModel.ts';
import type { SeriesPlace } from './palette.ts';
import type { Timeline } from './timeline.ts';

/** How a layer is drawn. */
export interface LayerStyle {
  /** Which colour of the palette's series, the foreground, or no colour: hatching on the background. */
  readonly colour: SeriesPlace | 'hatched';
  /** Which of `dashes`. */
  readonly dash: number;
  /** CSS pixels. */
  readonly width: number;
}

/** One column as it is drawn. */
export interface Layer {
  readonly column: string;
  readonly label: string;
  /** What the series is: the tooltip of its place in the legend. */
  readonly help: string;
  readonly unit: string;
  /** Digits after the point when its values are written. */
  readonly decimals: number;
  readonly kind: 'line' | 'area' | 'bars';
  /** Which axis: 0 left, 1 right. */
  readonly axis: number;
  readonly style: LayerStyle;
  /** One a point; NaN where there is none. */
  readonly values: Float64Array;
  /** The edges that are drawn: the values of a line or bar; of an area a lower and an upper one, and two more below zero where it has any. */
  readonly edges: readonly Float64Array[];
  /** Switched off in the legend. */
  readonly hidden: boolean;
  /** Its values are changes: up or down. */
  readonly isChange?: true;
  /** Belongs to this other column: shown and hidden with it. */
  readonly comparedTo?: string;
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
  /** Zero belongs to it: lengths and areas are measured from there. */
  readonly zero: boolean;
}

/** Everything a chart draws, before any colour or pixel. */
export interface Plot {
  readonly mode: ChartMode;
  readonly timeline: Timeline;
  /** The instant that each point is compared with, milliseconds UTC, NaN for none; left out where no comparison is drawn. */
  readonly comparedTimes?: Float64Array;
  readonly zone: DisplayZone;
  /** Rows are days, or longer, of their own zone, whichever is shown. */
  readonly daily: boolean;
  /** What the rows are made into from shorter ones. */
  readonly bins: TimeColumn['bins'];
  /** The rows are bins of a cycle with these names: each lasts an hour from 1970 on. */
  readonly cycle?: CycleOfZone & { readonly names: readonly string[] };
  /** Values hold for their interval and are drawn as long as it is. */
  readonly stepped: boolean;
  readonly domain: TimeRange;
  /** Bottom first. */
  readonly layers: readonly Layer[];
  /** Left, then right. */
  readonly axes: readonly PlotAxis[];
  readonly bands: readonly Band[];
  /** Points where a part of the stack is missing and another is not: what lies above is too low there. Ascending. */
  readonly incomplete: Uint32Array;
  /** What is selected in the table. */
  readonly selected: readonly SelectedInterval[];
  /** Labels of the columns whose unit found no axis. */
  readonly refused: readonly string[];
  /** What the sum of the areas is called; left out where there are none. */
  readonly total?: string;
  /** What is drawn, and what is not. */
  readonly caption?: string;
  /** How many points have published sources that add up to more than total generation; left out where none has. */
  readonly contradicted?: number;
}

/** What a mode makes of the columns. */
export type DrawnPlot = Pick<Plot, 'layers' | 'axes'> &
  Partial<Pick<Plot, 'stepped' | 'bands' | 'incomplete' | 'refused' | 'total' | 'caption' | 'contradicted'>>;

/** One kind of chart: all there is to say of it, its buttons follow from it. */
export interface ChartMode {
  /** Kept with the panel. */
  readonly id: string;
  /** On its button, in the person's language. */
  readonly name: () => string;
  /** Whether a frame that has times, rows and numbers has the columns for it. */
  readonly fits: (frame: Frame) => boolean;
  /** The columns a person may choose from; without it there is no choice. */
  readonly choosable?: (frame: Frame) => readonly NumberColumn[];
  /** It draws what a column is compared with. */
  readonly compares?: true;
  readonly draw: (model: ChartModel, options: ChartOptions, timeline: Timeline) => DrawnPlot;
}

/** Lengths of dash and space in CSS pixels. */
export const dashes: readonly (readonly number[])[] = [[], [8, 4], [2, 3], [10, 3, 2, 3], [14, 4], [6, 2, 2, 2, 2, 2]];
/** The dash of a column compared with another. */
const comparedDash: readonly number[] = [1, 3];
export const comparedDashIndex = -1;

export function dashOf({ dash }: LayerStyle): readonly number[] {
  return dash === comparedDashIndex ? comparedDash : (dashes[dash % dashes.length] ?? []);
}

export function visibleLayers(plot: Plot): Layer[] {
  return plot.layers.filter(({ hidden }) => !hidden);
}
