import { dirname, join } from 'node:path';
import { t } from '@vscode/l10n';
import { formatHtmlReport } from '../../core/report/htmlReport.ts';
import { formatMarkdownReport } from '../../core/report/markdownReport.ts';
import type { Report, ReportPart } from '../../core/report/report.ts';
import { PendingFiles, type WriteDeps } from '../../service/export/writeExport.ts';
import type { DisplayZone, SettledState } from '../../shared/protocol.ts';
import { initialView, type View } from '../../shared/view.ts';
import { displayLocale } from '../language.ts';
import type { ComparedResult } from '../panel/comparedRun.ts';
import { createReportFacts, getReportMark } from './reportFacts.ts';

export const reportFormats = ['html', 'markdown'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** A result to report, and how it is displayed. */
export interface ReportedResult {
  readonly title: string;
  readonly result: ComparedResult | undefined;
  readonly zone: DisplayZone;
  /** Undefined for the initial view. */
  readonly view: View | undefined;
  /** The state that a page shows, which has a sentence if there are no rows; undefined while the result is loading. */
  readonly settled: SettledState | undefined;
  /** The note of the saved query. */
  readonly note?: string | undefined;
}

/** Creates the section of a result. `name` is the name of the saved query; if undefined, the section has the title of the result. */
export async function createReportPart(
  { title, result, zone, view = initialView, settled, note = '' }: ReportedResult,
  name: string | undefined,
): Promise<ReportPart> {
  const origin = result
    ? { facts: createReportFacts(result, zone), mark: getReportMark(result) }
    : { facts: [], mark: '' };
  const common = { ...origin, note };
  if (settled?.view !== 'table') {
    const sentence = settled?.sentence ?? t('The result is still loading. Try again when it finishes.');
    return { ...common, title: name ?? title, content: sentence };
  }
  const { createReportSection } = await import('../../presentation/report/reportSection.ts');
  const section = createReportSection(settled, view, displayLocale());
  return {
    ...common,
    title: name ?? section.title,
    facts: [...new Map([...common.facts, ...section.facts])],
    content: section,
  };
}

/** A file of a report. `path` is relative to the folder of the report, with slashes. */
export interface ReportFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Creates the files of a report named `name` (with its extension). The report comes last, after the pictures that it shows, which are in a
 * folder named `pictureFolder`.
 */
export function createReportFiles(
  report: Pick<Report, 'title' | 'note' | 'parts'>,
  format: ReportFormat,
  name: string,
  pictureFolder = name.replace(/\.[^.]*$/, '') || 'report',
): readonly ReportFile[] {
  const words = { contents: t('Contents'), methods: t('Methods') };
  const translated = { ...report, language: displayLocale(), words };
  if (format === 'html') return [{ path: name, text: formatHtmlReport(translated) }];
  const { text, pictures } = formatMarkdownReport(translated, pictureFolder);
  return [
    ...pictures.map(picture => ({ path: `${pictureFolder}/${picture.name}`, text: picture.svg })),
    { path: name, text },
  ];
}

/** Writes all files of a report or none. Throws a GridError ("cancelled") when aborted, and the errors of the file system. */
export async function writeReportFiles(folder: string, files: readonly ReportFile[], deps: WriteDeps): Promise<void> {
  const pending = new PendingFiles(deps);
  try {
    for (const { path, text } of files) {
      const file = join(folder, path);
      await pending.createFolder(dirname(file));
      await pending.write(file, [Buffer.from(text)]);
    }
    await pending.commit();
  } finally {
    await pending.discard();
  }
}
