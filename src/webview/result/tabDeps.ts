import type { Analyser } from '../../core/analysis/analyse.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { Act } from '../views/actionButtons.ts';
import type { View, ResultTab } from '../../shared/view.ts';
import type { TimeRange } from '../../shared/analysis.ts';

/** The functions of the page that a result uses. */
export interface ResultHost {
  readonly locale: string;
  readonly act: Act;
  readonly setZone: (zone: DisplayZone) => void;
  /** Requests the text of the response, which is passed to `showRaw` later. */
  readonly requestRaw: () => void;
  readonly onTabOpened: () => void;
  /** Called often, whenever the instant under the pointer may have changed; the page calls `instantNow` at most once a frame. */
  readonly onPointed: (getInstant: () => number | undefined) => void;
  readonly saveFile: (name: string, data: Uint8Array) => void;
  /** Copies a text. `description` names it in the announcement; `html` is the same content as a table. */
  readonly copy: (text: string, description: string, html?: string) => void;
  readonly announce: (text: string) => void;
  readonly onError: (error: unknown) => void;
  readonly render: () => void;
  readonly saveView: (view: View) => void;
  readonly savePosition: () => void;
  /** The time zone of the computer, which is offered besides those of the host. */
  readonly localZone: DisplayZone | undefined;
}

/** The dependencies of every tab: the page, the view of the result, and functions that change it. */
export interface TabDeps {
  readonly host: ResultHost;
  /** Caches the last analyses of the result. */
  readonly analyser: Analyser;
  readonly view: () => View;
  readonly changeView: (change: Partial<View>) => void;
  readonly openTab: (tab: ResultTab) => void;
  /** Called when the crosshair or the highlighted row may have changed. */
  readonly onPointed: () => void;
  /** Opens the chart and zooms it to a window. */
  readonly zoomChart: (window: TimeRange) => void;
  /** Opens the editor of a derived column or, without a name, of a new one. */
  readonly editColumn: (name?: string) => void;
  readonly removeColumn: (name: string) => void;
  /** Whether the rows before resampling, to which filters apply, have such a column. */
  readonly canFilter: (column: string) => boolean;
  /** The kind of rows in the tab's table: those of the result, received or resampled, or rows that are computed from them. */
  readonly getRowKind: () => 'received' | 'resampled' | 'computed';
  /** Resets the view, except the tab and the derived columns. */
  readonly resetView: () => void;
}
