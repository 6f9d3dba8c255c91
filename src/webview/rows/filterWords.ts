import { t } from '@vscode/l10n';
import { eskomTariffs } from '../../core/calendar/tariffPeriods.ts';
import type { ColumnKind } from '../../shared/frame.ts';
import { filterProblems, mostAlternatives, type FilterProblem } from '../../core/filter/filterTypes.ts';

/** One sentence on why a text is no filter, and what to write instead. */
export function filterProblemText({ problem, part }: FilterProblem): string {
  return t(filterProblems[problem], part, mostAlternatives);
}

/** What can be written as the filter of a column, for a tooltip of a few lines. `zone` is the label of the zone shown. */
export function filterHelp(kind: ColumnKind, zone: string, tariffs = eskomTariffs): string {
  const forms = {
    number: t('>100   <=5   !=0   100..<200   100..200 (both ends)'),
    time: t('2023-05   >=2023-05-03 06:00   2023-05..2023-06   (in {0})', zone),
    text: t('coal (contains)   !coal   =Coal (exactly)   "" (empty text)'),
    nested: t('coal (contains)   !coal   =Coal (exactly)   "" (empty text)'),
    boolean: t('true   false'),
  };
  const calendar =
    kind === 'time'
      ? [t('06:00-18:00   17 (hour)   Mon-Fri   weekend   Jun-Aug   Q1   winter   2023 Mon-Fri !holiday (all)')]
      : [];
  const valid = tariffs.map(({ from, source }) => t('Periods from {0}: {1}', from, source));
  const periods = kind === 'time' ? [t('peak   standard   off-peak   (by SAST)'), ...valid] : [];
  return [forms[kind], ...calendar, t('null (no value)   !null'), t('a or b'), ...periods].join('\n');
}
