import { t } from '@vscode/l10n';
import type { DerivedColumn } from '../../shared/derivedColumns.ts';
import type { Frame } from '../../shared/frame.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { mostReportColumns, type ReportSection, type ReportTable } from '../../shared/report.ts';
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

/** `sentence`: what is said of its rows. */
type TitledTable = PaperTable & { readonly title: string; readonly sentence: string };

/** What a panel shows, in parts. */
export interface ShownParts {
  /** That of the panel, with what the rows are. */
  readonly title: string;
  /** The statistics of the rows, all computed. */
  readonly statistics: HTMLElement;
  readonly chart: ReportSection['chart'];
  readonly rows: TitledTable;
  /** The figures of the open tab where these are others than the rows, and how they are made. */
  readonly others: (TitledTable & { readonly methods: readonly string[] }) | undefined;
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

/** The parts as texts: the chart, the statistics, the figures of the open tab, and the first of the rows. */
export function reportSection(shown: ShownParts): ReportSection {
  const { chart, others, rows, resampling } = shown;
  const statistics = statisticsTable(shown.statistics, shown.locale);
  const resampled = resampling
    ? [t('Resampled rows are made of the rows received: one counts where it begins, and only where it has a value.')]
    : [];
  return {
    title: shown.title,
    facts: factsOf(shown),
    ...(chart && { chart }),
    tables: [
      ...(statistics ? [captioned(statistics.table, shown.locale)] : []),
      ...(others ? [captioned(others, shown.locale)] : []),
      captioned(rows, shown.locale),
    ],
    methods: [...(statistics?.methods ?? []), ...resampled, ...(others?.methods ?? [])],
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

/** The table as it is drawn, without its histograms; undefined where there are no columns of numbers. */
function statisticsTable(
  element: HTMLElement,
  locale: string,
): { readonly table: TitledTable; readonly methods: readonly string[] } | undefined {
  const table = element.querySelector<HTMLTableElement>('.statistics-table table');
  if (!table) return undefined;
  for (const unit of table.querySelectorAll('.statistics-unit')) unit.textContent = `(${unit.textContent})`;
  for (const more of table.querySelectorAll('td .statistics-repeats')) more.prepend('· ');
  const textOf = (part: Element | null): string => (part?.textContent ?? '').replace(/[ \n\t]+/g, ' ').trim();
  const withoutLast = (row: HTMLTableRowElement): HTMLTableCellElement[] => [...row.cells].slice(0, -1);
  const heads = [...(table.tHead?.rows ?? [])].flatMap(withoutLast);
  const columns = heads.map(head => ({ label: textOf(head), isNumber: head.className === 'end' }));
  const lines = [...(table.tBodies[0]?.rows ?? [])];
  // A row for each column.
  const rows = lines.slice(0, mostReportColumns).map(row => withoutLast(row).map(textOf));
  const method = table.querySelector('.statistics-method');
  const definition = textOf(method).replace(/^· /, '');
  method?.remove();
  const write = countFormatter(locale);
  const first =
    lines.length > rows.length
      ? ` · ${t('The first {0} of {1} columns.', write(rows.length), write(lines.length))}`
      : '';
  const size = { rowCount: rows.length, columnCount: columns.length };
  return {
    table: { title: t('Statistics'), sentence: textOf(table.caption) + first, columns, rows, ...size },
    methods: [...heads.flatMap(head => (head.title ? [`${textOf(head)}: ${head.title}.`] : [])), definition],
  };
}
