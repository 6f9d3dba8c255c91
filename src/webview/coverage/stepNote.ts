import { t } from '@vscode/l10n';
import { partialDay, stepState } from '../../shared/result.ts';

/** Why a step has no row, or a day not all of its hours, in a few words; undefined for one that is whole. */
export function stepNote(state: number): string | undefined {
  switch (state) {
    case stepState.missing:
      return t('missing');
    case stepState.notPublished:
      return t('not published yet');
    case stepState.failed:
      return t('request failed');
    case stepState.notAsked:
      return t('not asked for');
    case stepState.late:
      return t('data is late');
    case partialDay:
      return t('some of the hours');
    default:
      return undefined;
  }
}
