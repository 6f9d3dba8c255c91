import type { PanelView, ResultTab } from './panelView.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { Act } from '../views/actionButtons.ts';
import { t } from '@vscode/l10n';

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

/** What every tab is given: the page, how the person looks at the result, and the ways to change that. */
export interface TabParts {
  readonly host: ResultHost;
  readonly view: () => PanelView;
  readonly change: (change: Partial<PanelView>) => void;
  readonly open: (tab: ResultTab) => void;
  /** Forgets everything the person chose but the tab. */
  readonly reset: () => void;
}

/** "The first 200 rows", while the others are on their way. */
export function headText(rows: number, locale: string): string {
  return t('The first {0} rows', new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).format(rows));
}

/** "168 rows · 17 columns", or "45 of 168 rows · 17 columns" where a filter hides some; with the locale's separators. */
export function sizeText(rows: number, all: number, columns: number, locale: string): string {
  const write = new Intl.NumberFormat(locale, { numberingSystem: 'latn' });
  const whole = rows === 1 ? t('1 row') : t('{0} rows', write.format(rows));
  const rowText = rows === all ? whole : t('{0} of {1} rows', write.format(rows), write.format(all));
  const columnText = columns === 1 ? t('1 column') : t('{0} columns', write.format(columns));
  return `${rowText} · ${columnText}`;
}
