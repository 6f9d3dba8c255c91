import type { Analyser } from '../../core/analysis/analyse.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { Act } from '../views/actionButtons.ts';
import type { PanelView, ResultTab } from '../../shared/savedView.ts';
import type { TimeWindow } from '../../shared/analysis.ts';

/** What a result needs of the page around it. */
export interface ResultHost {
  readonly locale: string;
  readonly act: Act;
  readonly setZone: (zone: DisplayZone) => void;
  /** Requests the response as text; it comes with `showRaw`. */
  readonly requestRaw: () => void;
  readonly tabOpened: () => void;
  /** Where the person points may be another instant. Called often; `instantNow` is called at most once a frame. */
  readonly pointed: (instantNow: () => number | undefined) => void;
  readonly saveFile: (name: string, data: Uint8Array) => void;
  /** `what` names the copy in the message about it; `html`: the same as a table. */
  readonly copy: (text: string, what: string, html?: string) => void;
  readonly announce: (text: string) => void;
  readonly failed: (error: unknown) => void;
  readonly render: () => void;
  readonly saveView: (view: PanelView) => void;
  readonly savePlace: () => void;
  /** The person's own zone, offered beside those of the host. */
  readonly ownZone: DisplayZone | undefined;
}

/** What every tab is given: the page, how the person looks at the result, and the ways to change that. */
export interface TabParts {
  readonly host: ResultHost;
  /** Keeps what the last analyses of the result have made. */
  readonly analyser: Analyser;
  readonly view: () => PanelView;
  readonly change: (change: Partial<PanelView>) => void;
  readonly open: (tab: ResultTab) => void;
  /** The crosshair or the marked row may be another one. */
  readonly pointed: () => void;
  /** Shows a window in the chart. */
  readonly zoom: (window: TimeWindow) => void;
  /** Opens the editor of a derived column, or of a new one without a name. */
  readonly editColumn: (name?: string) => void;
  readonly removeColumn: (name: string) => void;
  /** Whether there is such a column in the rows before they are resampled, which is what filters are of. */
  readonly canFilter: (column: string) => boolean;
  /** What the rows of the tab's table are: those of the result, resampled or not, or others that are computed from them. */
  readonly rows: () => 'received' | 'resampled' | 'computed';
  /** Resets everything the person chose but the tab. */
  readonly reset: () => void;
}
