import { t } from '@vscode/l10n';
import { Analyzer } from '../../core/analysis/analyze.ts';
import { parseFilters } from '../../core/filter/parseFilter.ts';
import type { DerivedColumn } from '../../shared/derivedColumns.ts';
import type { TableState } from '../../shared/protocol.ts';
import type { ReportSection, ReportTable } from '../../shared/report.ts';
import type { View, ResultTab } from '../../shared/view.ts';
import { createPaperPicture } from '../chart/savedPicture.ts';
import { createDisplayedChart } from '../chart/displayedChart.ts';
import { getBinNames } from '../columns/binNames.ts';
import { createColumnHeader } from '../columns/columnHeader.ts';
import { createCountFormatter } from '../columns/numberColumnFormat.ts';
import { computeEventsTab } from '../events/eventsTabContent.ts';
import { computeForecastTab } from '../forecast/forecastTabContent.ts';
import type { ComputedRows, TabTexts } from '../result/computedRows.ts';
import { computeDisplayedResult, createDisplayedRows, type DisplayedResult } from '../result/displayedRows.ts';
import { formatTableSize } from '../result/sizeText.ts';
import { getOpenTab } from '../result/tabs.ts';
import { computeStatisticsTab } from '../statistics/statisticsTabContent.ts';
import { listTableColumns } from '../table/tableColumns.ts';
import { translate } from '../translate.ts';
import { createPaperTable, type PaperTable } from './paperTable.ts';

/** Creates the report section of a result: its chart, statistics, the table of the open Events or Forecast tab, and its first rows. */
export function createReportSection(received: TableState, view: View, locale: string): ReportSection {
  const analyzer = new Analyzer({ locale, translate });
  const tab = getOpenTab(received.frame, view);
  const displayed = computeDisplayedResult(analyzer, received, { ...view, tab });
  const { state, analyzed, rows } = displayed;
  const { model, options } = createDisplayedChart(displayed, view, locale);
  const chart = createPaperPicture(model, options);
  const isResampled = analyzed.resampling !== undefined;
  const table = createPaperTable(
    rows,
    listTableColumns(rows.frame, state, view, isResampled ? 'resampled' : 'received', locale),
  );
  const sizeSentence = formatTableSize(rows.receivedCount, state.frame.rowCount, table.columnCount, locale);
  const computed: readonly ComputedTab[] = [
    { tab: 'statistics', content: computeStatisticsTab(analyzer, received, view, displayed, locale) },
    ...(tab === 'events' ? [{ tab, content: computeEventsTab(analyzer, received, view, locale) } as const] : []),
    ...(tab === 'forecast' ? [{ tab, content: computeForecastTab(analyzer, received, view, locale) } as const] : []),
  ];
  const tables = computed.flatMap(computedTab => createComputedTable(computedTab, state, view, locale));
  const resamplingSentences = isResampled
    ? [
        t(
          'Resampled rows are calculated from the rows received. Each counts in the period in which it begins, and only if it has a value.',
        ),
      ]
    : [];
  return {
    title: state.title,
    facts: listFacts(displayed, view, locale),
    ...(chart && { chart }),
    tables: [...tables, { ...table, title: t('Rows'), sentence: sizeSentence }].map(titledTable =>
      addCaption(titledTable, locale),
    ),
    methods: [
      ...resamplingSentences,
      ...computed.flatMap(({ content }) => (content?.rows ? content.texts.methods : [])),
    ],
  };
}

/** A tab with a computed table. */
interface ComputedTab {
  readonly tab: ResultTab;
  readonly content: { readonly rows: ComputedRows | undefined; readonly texts: TabTexts } | undefined;
}

/** `sentence` describes the rows. */
type TitledTable = PaperTable & { readonly title: string; readonly sentence: string };

function createComputedTable(
  { tab, content }: ComputedTab,
  state: TableState,
  view: View,
  locale: string,
): TitledTable[] {
  if (!content?.rows) return [];
  const { frame, order, zone, intervalMs } = content.rows;
  const { arrangement } = view.tables[tab] ?? {};
  const columns = listTableColumns(frame, { ...state, zone, intervalMs }, { ...view, arrangement }, 'computed', locale);
  const { title, sentence } = content.texts;
  return [{ ...createPaperTable(createDisplayedRows({ frame, order }, intervalMs), columns), title, sentence }];
}

function addCaption(
  { title, sentence, columns, rows, rowCount, columnCount }: TitledTable,
  locale: string,
): ReportTable {
  const formatCount = createCountFormatter(locale);
  const limitSentences = [
    rowCount > rows.length && t('The first {0} of {1} rows.', formatCount(rows.length), formatCount(rowCount)),
    columnCount > columns.length &&
      t('The first {0} of {1} columns.', formatCount(columns.length), formatCount(columnCount)),
  ];
  return { title, caption: [sentence, ...limitSentences].filter(Boolean).join(' · '), columns, rows };
}

function formatDerivedColumn({ name, formula, source }: DerivedColumn): string {
  return `${name} = ${formula}${source === undefined ? '' : ` (${t('Source: {0}', source)})`}`;
}

function listFacts(
  { state, analyzed: { rowsWithDerived, derived, resampling } }: DisplayedResult,
  { filters }: View,
  locale: string,
): ReportSection['facts'] {
  const { frame, zone, tariffs } = rowsWithDerived;
  const { problems } = parseFilters(frame, filters, { locale, timeZone: zone.timeZone, tariffs });
  const applied = frame.columns.flatMap(column => {
    const text = filters[column.name]?.trim() ?? '';
    return text === '' || problems.has(column.name) ? [] : [`${createColumnHeader(column).label}: ${text}`];
  });
  const interval = state.tools.interval ?? state.interval;
  const facts: readonly (readonly [string, string])[] = [
    [t('Filters'), applied.join('; ')],
    [t('Derived columns'), derived.map(formatDerivedColumn).join('; ')],
    // A resampled result has its own interval in place of the received one.
    [
      t('Interval'),
      resampling ? t('{0}, resampled: {1} · {2}', interval, getBinNames()[resampling.by], resampling.label) : '',
    ],
  ];
  return facts.filter(([, text]) => text !== '');
}
