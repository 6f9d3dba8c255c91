import { t } from '@vscode/l10n';
import type { Connection } from '../../core/connections/connection.ts';
import { GridError } from '../../core/errors.ts';
import type { ResolvedQuery } from '../../core/query/query.ts';
import type { RequestPricing } from '../../service/query/requestPricing.ts';
import { formatCount, formatDuration, formatRequests } from '../messages/numbers.ts';
import { showInformationMessage } from '../messages/messages.ts';

/**
 * Asks the user to confirm queries that run together, if they have to wait or are more than `maxUnconfirmed`. A board needs no
 * confirmation if everything is archived, regardless of its size. Throws GridError if the user declines.
 */
export async function confirmRuns(
  pricing: Pick<RequestPricing, 'computeTotalPrice'>,
  runs: readonly { readonly query: ResolvedQuery; readonly connection: Connection }[],
  maxUnconfirmed = Infinity,
  isBoard = false,
): Promise<void> {
  const price = await pricing.computeTotalPrice(runs);
  if (price.waitMs === 0 && (runs.length <= maxUnconfirmed || (isBoard && price.requests === 0))) return;
  const later = price.requests - price.now;
  const detail =
    later > 0
      ? t(
          'This needs {0}: {1} now, {2} over about {3}.',
          formatRequests(price.requests),
          price.now,
          later,
          formatDuration(price.waitMs),
        )
      : isBoard
        ? t('This needs {0}.', formatRequests(price.requests))
        : t('This needs {0}. Each result opens in a separate tab.', formatRequests(price.requests));
  const run = t('Run');
  const number = formatCount(runs.length);
  const message = isBoard ? t('Open {0} queries as a board?', number) : t('Run {0} queries?', number);
  if ((await showInformationMessage(message, { modal: true, detail }, run)) !== run) throw new GridError('cancelled');
}
