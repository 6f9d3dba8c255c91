import { t } from '@vscode/l10n';
import { Analyser } from '../../core/analysis/analyse.ts';
import { parseFilters } from '../../core/filter/parseFilter.ts';
import type { TableState } from '../../shared/protocol.ts';
import type { ReportSection, ReportTable } from '../../shared/report.ts';
import type { View, ResultTab } from '../../shared/view.ts';
import { paperPicture } from '../chart/savedPicture.ts';
import { shownChart } from '../chart/shownChart.ts';
import { binNames } from '../columns/binNames.ts';
import { columnHeader } from '../columns/columnHeader.ts';
import { countFormatter } from '../columns/numberTexts.ts';
import { shownEvents } from '../events/shownEvents.ts';
import { shownScore } from '../forecast/shownScore.ts';
import type { ComputedRows, RowWords } from '../result/computedRows.ts';
import { shownResult, shownRows, type ShownResult } from '../result/shownRows.ts';
import { sizeText } from '../result/sizeText.ts';
import { openTab } from '../result/tabs.ts';
import { shownSummary } from '../statistics/shownSummary.ts';
import { tableColumns } from '../table/tableColumns.ts';
import { say } from '../translate.ts';
import { paperTable, type PaperTable } from './paperTable.ts';

/** Creates the report section of a result: its chart, statistics, the table of the open Events or Forecast tab, and its first rows. */
export function reportSection(received: TableState, view: View, locale: string): ReportSection {
  const analyser = new Analyser({ locale, say });
  const tab = openTab(received.frame, view);
  const shown = shownResult(analyser, received, { ...view, tab });
  const { state, analysed, rows } = shown;
  const { model, options } = shownChart(shown, view, locale);
  const chart = paperPicture(model, options);
  const isResampled = analysed.resampling !== undefined;
  const table = paperTable(rows, tableColumns(rows.frame, state, view, isResampled ? 'resampled' : 'received', locale));
  const size = sizeText(rows.received, state.frame.rowCount, table.columnCount, locale);
  const computed: readonly Computed[] = [
    { tab: 'statistics', shown: shownSummary(analyser, received, view, shown, locale) },
    ...(tab === 'events' ? [{ tab, shown: shownEvents(analyser, received, view, locale) } as const] : []),
    ...(tab === 'forecast' ? [{ tab, shown: shownScore(analyser, received, view, locale) } as const] : []),
  ];
  const tables = computed.flatMap(one => computedTable(one, state, view, locale));
  const resampled = isResampled
    ? [
        t(
          'Resampled rows are calculated from the rows received. Each counts in the period in which it begins, and only if it has a value.',
        ),
      ]
    : [];
  return {
    title: state.title,
    facts: factsOf(shown, view, locale),
    ...(chart && { chart }),
    tables: [...tables, { ...table, title: t('Rows'), sentence: size }].map(one => captioned(one, locale)),
    methods: [...resampled, ...computed.flatMap(one => (one.shown?.rows ? one.shown.words.methods : []))],
  };
}

/** A tab with a computed table. */
interface Computed {
  readonly tab: ResultTab;
  readonly shown: { readonly rows: ComputedRows | undefined; readonly words: RowWords } | undefined;
}

/** `sentence` describes the rows. */
type TitledTable = PaperTable & { readonly title: string; readonly sentence: string };

function computedTable({ tab, shown }: Computed, state: TableState, view: View, locale: string): TitledTable[] {
  if (!shown?.rows) return [];
  const { frame, order, zone, step } = shown.rows;
  const { arrangement } = view.tables[tab] ?? {};
  const columns = tableColumns(frame, { ...state, zone, step }, { ...view, arrangement }, 'computed', locale);
  const { title, sentence } = shown.words;
  return [{ ...paperTable(shownRows({ frame, order }, step), columns), title, sentence }];
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

function factsOf(
  { state, analysed: { rowsWithDerived, derived, resampling } }: ShownResult,
  { filters }: View,
  locale: string,
): ReportSection['facts'] {
  const { frame, zone, tariffs } = rowsWithDerived;
  const { problems } = parseFilters(frame, filters, { locale, timeZone: zone.timeZone, tariffs });
  const applied = frame.columns.flatMap(column => {
    const text = filters[column.name]?.trim() ?? '';
    return text === '' || problems.has(column.name) ? [] : [`${columnHeader(column).label}: ${text}`];
  });
  const interval = state.tools.interval ?? state.interval;
  const all: readonly (readonly [string, string])[] = [
    [t('Filters'), applied.join('; ')],
    [t('Derived columns'), derived.map(({ name, formula }) => `${name} = ${formula}`).join('; ')],
    // A resampled result has its own interval in place of the received one.
    [
      t('Interval'),
      resampling ? t('{0}, resampled: {1} · {2}', interval, binNames()[resampling.by], resampling.label) : '',
    ],
  ];
  return all.filter(([, text]) => text !== '');
}
