import type { Analyzer } from '../../core/analysis/analyze.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { Act } from '../views/actionButtons.ts';
import type { View, ResultTab } from '../../shared/view.ts';
import type { TimeRange } from '../../shared/analysis.ts';

/** The functions of the page that a result calls. */
export interface ResultHost {
  readonly locale: string;
  readonly act: Act;
  readonly setZone: (zone: DisplayZone) => void;
  /** Requests the text of the response, which is passed to `showRaw` later. */
  readonly requestRaw: () => void;
  readonly onTabOpened: () => void;
  /** Called whenever the instant under the pointer may have changed. The page calls `getInstant` at most once per frame. */
  readonly onPointed: (getInstant: () => number | undefined) => void;
  readonly saveFile: (name: string, data: Uint8Array) => void;
  /** Copies a text to the clipboard. The announcement contains `description`. `html` is the same content as an HTML table. */
  readonly copy: (text: string, description: string, html?: string) => void;
  readonly announce: (text: string) => void;
  readonly onError: (error: unknown) => void;
  readonly render: () => void;
  readonly saveView: (view: View) => void;
  readonly savePosition: () => void;
  /** The time zone of the computer. The zone menu lists it after the zones that the host offers. */
  readonly localZone: DisplayZone | undefined;
}

/** The dependencies of a tab: the page, the view of the result, and functions that change the view. */
export interface TabDeps {
  readonly host: ResultHost;
  /** Analyzes the result and caches the latest analyses. */
  readonly analyzer: Analyzer;
  readonly view: () => View;
  readonly changeView: (change: Partial<View>) => void;
  readonly openTab: (tab: ResultTab) => void;
  /** Called when the crosshair or the highlighted row may have changed. */
  readonly onPointed: () => void;
  /** Opens the Chart tab, zoomed to a window. */
  readonly zoomChart: (window: TimeRange) => void;
  /** Opens the editor for a derived column, or for a new one if `name` is undefined. */
  readonly editColumn: (name?: string) => void;
  readonly removeColumn: (name: string) => void;
  /** Whether a column can be filtered. Filters apply to the rows before resampling, which may not have the column. */
  readonly canFilter: (column: string) => boolean;
  /** Returns whether the rows of the tab's table are received, resampled or computed from such rows. */
  readonly getRowKind: () => 'received' | 'resampled' | 'computed';
  /** Resets the view, but keeps the open tab and the derived columns. */
  readonly resetView: () => void;
}
