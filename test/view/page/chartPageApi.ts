import type { DisplayZone, RowOrigin } from '../../../src/shared/protocol.ts';
import type { ChartOptions, TimeRange } from '../../../src/webview/chart/chartModel.ts';
import type { ChartFrameName } from './chartFrames.ts';
import type { AxeRules } from './eyesApi.ts';

/** How a frame is shown; arguments are JSON. */
export interface ChartShown {
  readonly frame: ChartFrameName;
  readonly options?: Partial<ChartOptions>;
  readonly zone?: DisplayZone;
  readonly compared?: readonly (readonly [string, string])[];
  readonly title?: string;
  readonly origin?: Omit<RowOrigin, 'dates'>;
  readonly locale?: string;
}

/** What a test can call in the page. */
export interface ChartPageApi {
  /** Makes the page as it is when it has just been opened. */
  empty(): void;
  /** Makes the frame that the next `show` of it draws, so that a measurement of that is of the drawing alone. */
  make(frame: ChartFrameName): void;
  /** Until the first frame was drawn. */
  show(shown: ChartShown): Promise<void>;
  /** Until it was drawn. */
  setZone(zone: DisplayZone): Promise<void>;
  themeChanged(): void;
  /** Zooms in and out by keys, so many times, each drawn. */
  zoomByKeys(times: number): Promise<void>;
  svg(): string;
  /** Whether the picture is XML without a script. */
  svgIsSound(): boolean;
  /** The size of the picture, in pixels. */
  png(scale: number): Promise<{ readonly width: number; readonly height: number }>;
  /** What the host was told, in order. */
  announced(): readonly string[];
  options(): readonly ChartOptions[];
  zooms(): readonly (TimeRange | null)[];
  saved(): readonly string[];
  /** Type and size of the first thing in the clipboard. */
  clipboard(): Promise<readonly [type: string, size: number]>;
  /** How many different colours the plot's canvas has. */
  colours(): number;
  /** Of each swatch of the legend: how many pixels are of the editor's background, and whether any has a colour that is no grey. */
  swatches(): readonly { readonly bare: number; readonly coloured: boolean }[];
  /** Breaches of the policy, errors, and what failed. */
  troubles(): readonly string[];
  axe(rules?: AxeRules): Promise<readonly string[]>;
}
