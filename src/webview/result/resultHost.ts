import type { DisplayZone } from '../../shared/protocol.ts';
import type { Act } from '../views/actionButtons.ts';
import type { PanelView } from './panelView.ts';

/** What a result needs of the page around it. */
export interface ResultHost {
  readonly locale: string;
  readonly act: Act;
  readonly setZone: (zone: DisplayZone) => void;
  readonly askRaw: () => void;
  readonly tabOpened: () => void;
  readonly saveFile: (name: string, data: Uint8Array) => void;
  readonly copy: (text: string, what: string) => void;
  readonly announce: (text: string) => void;
  readonly failed: (error: unknown) => void;
  readonly render: () => void;
  readonly keepView: (view: PanelView) => void;
  readonly keepPlace: () => void;
  /** The person's own zone, offered beside those of the host. */
  readonly ownZone: DisplayZone | undefined;
}
