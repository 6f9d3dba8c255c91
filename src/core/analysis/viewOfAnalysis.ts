import type { Analysis } from '../../shared/analysis.ts';
import type { SavedView } from '../../shared/savedView.ts';

/** How a panel shows the same analysis of a result, but for its window, columns and limit. */
export function viewOfAnalysis({ derive, where, resample, find, score, missing, sort }: Analysis): SavedView {
  // As a table of its own, the tab has a sort of its own.
  const sorted = sort && { sort };
  const tab = find ? 'events' : score ? 'forecast' : undefined;
  return {
    ...(derive && { derived: derive }),
    ...(where && { filters: where }),
    ...(resample && { resample }),
    ...(find && {
      events: { ...find.rule, ...('value' in find.rule && { value: String(find.rule.value) }), column: find.column },
    }),
    ...(score && { forecast: score }),
    ...(missing && { missingRows: true }),
    ...(tab ? { tab, ...(sorted && { tables: { [tab]: sorted } }) } : sorted),
  };
}
