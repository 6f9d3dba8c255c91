import { t } from '@vscode/l10n';
import type { DerivedColumn } from '../../shared/derivedColumns.ts';
import type { Frame } from '../../shared/frame.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { ReportSection, ReportTable } from '../../shared/report.ts';
import type { BinSize, Cycle } from '../../shared/resampling.ts';
import { binNames } from '../columns/binNames.ts';
import { columnHeader } from '../columns/columnHeader.ts';
import { countFormatter } from '../columns/numberTexts.ts';
import type { FilterContext } from '../../core/filter/filterTypes.ts';
import { parseFilters } from '../../core/filter/parseFilter.ts';

/** The first rows and columns of a table, and how many there are. */
export type PaperTable = Pick<ReportTable, 'columns' | 'rows'> & {
  readonly rowCount: number;
  readonly columnCount: number;
};

/** `sentence`: what is said of its rows; `methods`: how its figures are made. */
type TitledTable = PaperTable & {
  readonly title: string;
  readonly sentence: string;
  readonly methods: readonly string[];
};

/** What a panel shows, in parts. */
export interface ShownParts {
  /** That of the panel, with what the rows are. */
  readonly title: string;
  readonly chart: ReportSection['chart'];
  /** The statistics, the figures of the open tab where these are others, and the first of the rows. */
  readonly tables: readonly TitledTable[];
  /** What the filters are of: the rows before they are resampled. */
  readonly before: { readonly frame: Frame; readonly zone: DisplayZone; readonly tariffs?: FilterContext['tariffs'] };
  readonly filters: Readonly<Record<string, string>>;
  readonly derived: readonly DerivedColumn[];
  /** How the rows are resampled; undefined where they are as received. */
  readonly resampling: { readonly by: BinSize | Cycle; readonly label: string } | undefined;
  /** The name of the interval of the rows received. */
  readonly interval: string;
  readonly locale: string;
}

/** The parts as texts: the chart, and the tables. */
export function reportSection(shown: ShownParts): ReportSection {
  const { chart, tables, resampling } = shown;
  const resampled = resampling
    ? [t('Resampled rows are made of the rows received: one counts where it begins, and only where it has a value.')]
    : [];
  return {
    title: shown.title,
    facts: factsOf(shown),
    ...(chart && { chart }),
    tables: tables.map(table => captioned(table, shown.locale)),
    methods: [...resampled, ...tables.flatMap(({ methods }) => methods)],
  };
}

function captioned(
  { title, sentence, columns, rows, rowCount, columnCount }: TitledTable,
  locale: string,
): ReportTable {
  const write = countFormatter(locale);
  const first = [
    rowCount > rows.length && t('The first {0} of {1} rows.', write(rows.length), write(rowCount)),
    columnCount > columns.length && t('The first {0} of {1} columns.', write(columns.length), write(columnCount)),
  ];
  return { title, caption: [sentence, ...first].filter(Boolean).join(' · '), columns, rows };
}

function factsOf({ before, filters, derived, resampling, interval, locale }: ShownParts): ReportSection['facts'] {
  const { frame, zone, tariffs } = before;
  const { problems } = parseFilters(frame, filters, { locale, timeZone: zone.timeZone, tariffs });
  const applied = frame.columns.flatMap(column => {
    const text = filters[column.name]?.trim() ?? '';
    return text === '' || problems.has(column.name) ? [] : [`${columnHeader(column).label}: ${text}`];
  });
  const made = derived.filter(({ name }) => frame.columns.some(column => column.name === name));
  const all: readonly (readonly [string, string])[] = [
    [t('Filters'), applied.join('; ')],
    [t('Derived columns'), made.map(({ name, formula }) => `${name} = ${formula}`).join('; ')],
    // In place of the interval of the rows received.
    [
      t('Interval'),
      resampling ? t('{0}, resampled: {1} · {2}', interval, binNames()[resampling.by], resampling.label) : '',
    ],
  ];
  return all.filter(([, text]) => text !== '');
}
