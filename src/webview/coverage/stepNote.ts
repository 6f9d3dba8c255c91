import { t } from '@vscode/l10n';
import { stepState } from '../../shared/result.ts';

/** Why a step has no row, in a few words; undefined for one that has. */
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
    default:
      return undefined;
  }
}
