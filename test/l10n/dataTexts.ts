import { binCounts } from '../../src/core/bins/binFrame.ts';
import { figureTexts } from '../../src/core/bins/figureTexts.ts';
import { datasets } from '../../src/core/catalogue.ts';
import { comparedTexts } from '../../src/core/compare.ts';
import { rowLabels } from '../../src/core/describeFields.ts';
import { failureDetails } from '../../src/core/failureDetails.ts';
import { fileProblemSentences } from '../../src/core/saved/file/fileProblem.ts';

const catalogue = datasets.flatMap(({ title, fields, sandboxFields = fields, params }) => [
  title,
  ...[...fields.values(), ...sandboxFields.values()].flatMap(({ label, meaning }) => [label, meaning]),
  ...params.map(({ meaning }) => meaning),
]);

const ofDays: readonly string[] = [...Object.values(figureTexts), ...Object.values(binCounts)].flatMap(texts =>
  Object.values(texts),
);

/** The floors below the host keep their texts as data: which of them reach the calls of a file that translates such. */
export const dataTexts: Readonly<Record<string, readonly string[]>> = {
  'src/host/words/alerts.ts': catalogue,
  'src/host/words/catalogue.ts': [...catalogue, ...Object.values(rowLabels), ...ofDays],
  'src/host/words/comparison.ts': Object.values(comparedTexts),
  'src/host/words/details.ts': failureDetails,
  'src/host/saved/queriesFileProblems.ts': [...Object.values(fileProblemSentences), 'nested too deeply'],
};
