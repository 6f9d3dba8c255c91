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
  readonly tabOpened: () => void;
  /** Called often, whenever the instant under the pointer may have changed; the page calls `instantNow` at most once a frame. */
  readonly pointed: (instantNow: () => number | undefined) => void;
  readonly saveFile: (name: string, data: Uint8Array) => void;
  /** Copies a text. `what` describes it in the announcement; `html` is the same content as a table. */
  readonly copy: (text: string, what: string, html?: string) => void;
  readonly announce: (text: string) => void;
  readonly failed: (error: unknown) => void;
  readonly render: () => void;
  readonly saveView: (view: View) => void;
  readonly savePlace: () => void;
  /** The time zone of the computer, which is offered besides those of the host. */
  readonly ownZone: DisplayZone | undefined;
}

/** The dependencies of every tab: the page, the view of the result, and functions that change it. */
export interface TabParts {
  readonly host: ResultHost;
  /** Caches the last analyses of the result. */
  readonly analyser: Analyser;
  readonly view: () => View;
  readonly change: (change: Partial<View>) => void;
  readonly open: (tab: ResultTab) => void;
  /** Called when the crosshair or the highlighted row may have changed. */
  readonly pointed: () => void;
  /** Opens the chart and zooms it to a window. */
  readonly zoom: (window: TimeRange) => void;
  /** Opens the editor of a derived column or, without a name, of a new one. */
  readonly editColumn: (name?: string) => void;
  readonly removeColumn: (name: string) => void;
  /** Whether the rows before resampling, to which filters apply, have such a column. */
  readonly canFilter: (column: string) => boolean;
  /** The kind of rows in the tab's table: those of the result, received or resampled, or rows that are computed from them. */
  readonly rows: () => 'received' | 'resampled' | 'computed';
  /** Resets the view, except the tab and the derived columns. */
  readonly reset: () => void;
}
