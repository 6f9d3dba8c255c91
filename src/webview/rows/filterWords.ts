import { t } from '@vscode/l10n';
import type { ColumnKind } from '../../shared/frame.ts';
import { mostAlternatives, type FilterProblem } from './filterTypes.ts';

/** One sentence on why a text is no filter, and what to write instead. */
export function filterProblemText({ problem, part }: FilterProblem): string {
  switch (problem) {
    case 'notNumber':
      return t('“{0}” is not a number. Write for example >100, 100..200 or null; alternatives as 1 or 2.', part);
    case 'ambiguousNumber':
      return t(
        '“{0}” could be two numbers. Leave out the separator of the thousands, or write the decimals with more or fewer digits.',
        part,
      );
    case 'notTime':
      return t('“{0}” is not a date or time. Write for example 2023-05, >=2023-05-03 06:00 or 2023-05..2023-06.', part);
    case 'noSuchDate':
      return t('There is no such date or time as “{0}”.', part);
    case 'skippedTime':
      return t('“{0}” does not exist in the zone shown: the clocks go forward over it.', part);
    case 'notBoolean':
      return t('“{0}” is neither true, false nor null.', part);
    case 'valueMissing':
      return t('Write a value after “{0}”.', part);
    case 'backwards':
      return t('The range “{0}” ends before it begins.', part);
    case 'tooMany':
      return t('A filter has at most {0} alternatives; this one has {1}.', mostAlternatives, part);
  }
}

/** What can be written as the filter of a column, for a tooltip of a few lines. `zone` is the label of the zone shown. */
export function filterHelp(kind: ColumnKind, zone: string): string {
  const forms = {
    number: t('>100   <=5   !=0   100..200 (both ends)'),
    time: t('2023-05   >=2023-05-03 06:00   2023-05..2023-06   (in {0})', zone),
    text: t('coal (contains)   !coal   =Coal (exactly)   "" (empty text)'),
    nested: t('coal (contains)   !coal   =Coal (exactly)   "" (empty text)'),
    boolean: t('true   false'),
  };
  return [forms[kind], t('null (no value)   !null'), t('a or b')].join('\n');
}
