import { t } from '@vscode/l10n';
import type { Say } from '../core/bins/binSums.ts';

/** Translates a text of the floors below, whose texts are data. */
export const say: Say = (text, ...parts) => (text === '' ? '' : t(text, ...parts));
