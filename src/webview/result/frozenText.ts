import { t } from '@vscode/l10n';
import { plainArrangement } from '../grid/columnArrangement.ts';
import type { FrozenColumns } from '../grid/columnOperations.ts';

/** Says that some of the columns which the person froze scroll all the same; empty where none does, or nothing was frozen. */
export function frozenText({ wanted, kept }: FrozenColumns): string {
  if (kept === wanted || wanted <= plainArrangement.frozen) return '';
  return t('Only {0} of {1} columns are frozen: the panel is too narrow.', kept, wanted);
}
