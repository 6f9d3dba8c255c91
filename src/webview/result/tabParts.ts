import type { PanelView, ResultTab } from './panelView.ts';
import type { ResultHost } from './resultHost.ts';

/** What every tab is given: the page, how the person looks at the result, and the ways to change that. */
export interface TabParts {
  readonly host: ResultHost;
  readonly view: () => PanelView;
  readonly change: (change: Partial<PanelView>) => void;
  readonly open: (tab: ResultTab) => void;
  /** Forgets everything the person chose but the tab. */
  readonly reset: () => void;
}
