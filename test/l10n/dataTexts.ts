import { hourCountFields } from '../../src/core/bins/binFrame.ts';
import { comparedFields, figureFields } from '../../src/core/bins/binSums.ts';
import { holidayNames } from '../../src/core/calendar/holidays.ts';
import { filterProblems } from '../../src/core/filter/filterTypes.ts';
import { eventColumns } from '../../src/core/events/eventColumns.ts';
import { unusualColumns, unusualReasons } from '../../src/core/events/findUnusual.ts';
import { allHoursName, cycleBinNames } from '../../src/core/bins/cycleNames.ts';
import { cycleColumns } from '../../src/core/bins/resampleFrame.ts';
import { formulaFunctions, formulaProblems, tariffConditions } from '../../src/core/formula/formula.ts';
import { scoreFields, worstHourFields } from '../../src/core/forecast/scorecard.ts';
import { mixFieldTexts } from '../../src/core/frame/mixColumns.ts';
import { installedCapacityFields } from '../../src/core/pack/installedCapacity.ts';
import { presets } from '../../src/core/pack/presets.ts';
import { summaryFields } from '../../src/core/statistics/summaryFrame.ts';
import { exportFormatDescriptors } from '../../src/core/export/formats.ts';
import { dataSnippets } from '../../src/core/snippets/dataSnippets.ts';
import { querySnippets } from '../../src/core/snippets/querySnippets.ts';
import { queriedDatasets } from '../../src/core/query/catalogue.ts';
import { rowLabels } from '../../src/core/frame/describeFields.ts';
import { findPortalColumn, portalColumns } from '../../src/core/portal/portalColumns.ts';
import { failureDetails } from '../../src/core/errors.ts';
import { fileProblemSentences } from '../../src/core/savedQueries/file/fileProblem.ts';

const catalogue = queriedDatasets.flatMap(({ title, fields, sandboxFields = fields, params }) => [
  title,
  ...[...fields.values(), ...sandboxFields.values()].flatMap(({ label, meaning }) => [label, meaning]),
  ...params.map(({ meaning }) => meaning),
]);

const packTexts = [
  ...presets.map(({ label, description }) => ({ label, meaning: description })),
  ...Object.values(installedCapacityFields),
].flatMap(({ label, meaning }) => [label, meaning]);

const portalTexts = portalColumns.flatMap(name => {
  const { meaning, source } = findPortalColumn(name)?.field ?? {};
  return [meaning, source].filter(text => text !== undefined);
});

const tableTexts: readonly string[] = [
  ...[...Object.values(figureFields), ...Object.values(hourCountFields)].flatMap(texts => Object.values(texts)),
  ...Object.values(cycleColumns).map(({ label }) => label),
  ...[...Object.values(cycleBinNames).flat(), allHoursName],
  ...Object.values(holidayNames),
  ...Object.values(unusualReasons),
  ...[eventColumns, unusualColumns, scoreFields, worstHourFields, summaryFields, mixFieldTexts].flatMap(texts =>
    Object.values<Record<'label' | 'meaning', string>>(texts).flatMap(({ label, meaning }) => [label, meaning]),
  ),
];

/** Layers below the host define texts as data. Lists the texts that each file passes to `t` as a variable. */
export const dataTexts: Readonly<Record<string, readonly string[]>> = {
  'src/host/messages/alertMessages.ts': catalogue,
  'src/host/messages/catalogue.ts': [
    ...catalogue,
    ...Object.values(rowLabels),
    ...portalTexts,
    ...tableTexts,
    ...packTexts,
  ],
  'src/presentation/translate.ts': tableTexts,
  'src/webview/rows/filterMessages.ts': Object.values(filterProblems),
  'src/presentation/formula/formulaProblem.ts': Object.values(formulaProblems),
  'src/webview/result/derivedBar.ts': Object.values({ ...formulaFunctions, ...tariffConditions }).map(
    ({ help }) => help,
  ),
  'src/host/export/exportMessages.ts': Object.values(exportFormatDescriptors).flatMap(
    ({ description, semicolonDescription = description }) => [description, semicolonDescription],
  ),
  'src/host/savedQueries/copyAs.ts': Object.values(querySnippets).map(({ description }) => description),
  'src/host/snippets/copyDataSnippet.ts': Object.values(dataSnippets).flatMap(({ description }) =>
    Object.values(description),
  ),
  'src/host/watch/alertPrompt.ts': Object.values(formulaProblems),
  'src/host/panel/comparePrompt.ts': Object.values(comparedFields),
  'src/host/messages/failures.ts': failureDetails,
  'src/host/savedQueries/queriesFileProblems.ts': [...Object.values(fileProblemSentences), 'nested too deeply'],
};
