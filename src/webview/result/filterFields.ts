import type { Frame } from '../../shared/frame.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { columnHead } from '../columns/head.ts';
import { parseFilters } from '../rows/filterRows.ts';
import { filterHelp, filterProblemText } from '../rows/filterWords.ts';
import type { FilterField } from './filterBar.ts';

/** The filters of the columns there are, each with what is wrong with it. */
export function filterFields(
  frame: Frame,
  filters: Readonly<Record<string, string>>,
  locale: string,
  zone: DisplayZone,
): FilterField[] {
  const { problems } = parseFilters(frame, filters, { locale, timeZone: zone.timeZone });
  return Object.entries(filters).flatMap(([column, text]): FilterField[] => {
    const found = frame.columns.find(({ name }) => name === column);
    if (!found) return [];
    const problem = problems.get(column);
    return [
      {
        ...{ column, text, label: columnHead(found).label, help: filterHelp(found.kind, zone.label) },
        problem: problem && filterProblemText(problem),
      },
    ];
  });
}
