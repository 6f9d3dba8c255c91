import { removeHidden } from '../inertText.ts';
import type { ReportSection, ReportTable } from '../../shared/report.ts';

/** The content of one panel, and where it comes from. */
export interface ReportPart {
  readonly title: string;
  /** Names and values that describe the origin of the rows. */
  readonly facts: ReportSection['facts'];
  /** The user's note about this part; empty if there is none. */
  readonly note: string;
  /** Marks Sample Data; empty for data of a real service. */
  readonly mark: string;
  /** The content, or a sentence that explains why there is none. */
  readonly content: Omit<ReportSection, 'facts' | 'title'> | string;
}

/** A report. All texts are in the user's language; none of them is trusted. */
export interface Report {
  readonly title: string;
  /** The user's note about the whole report; empty if there is none. */
  readonly note: string;
  /** A BCP 47 tag. */
  readonly language: string;
  readonly parts: readonly ReportPart[];
  readonly words: { readonly contents: string; readonly methods: string };
}

/** The maximum number of columns that fit on a printed page. */
const maxColumnsPerTable = 13;

/** Splits a wide table into several in reading order, each with the first column. */
export function splitWideTable(table: ReportTable): readonly ReportTable[] {
  const { columns } = table;
  if (columns.length <= maxColumnsPerTable) return [table];
  // Distributes the columns evenly, so that the last table does not have only a single one.
  const count = Math.ceil((columns.length - 1) / (maxColumnsPerTable - 1));
  const width = Math.ceil((columns.length - 1) / count);
  const takeColumns = <T>(cells: readonly T[], index: number): T[] => [
    ...cells.slice(0, 1),
    ...cells.slice(1 + index * width, 1 + (index + 1) * width),
  ];
  return Array.from({ length: count }, (_, index) => ({
    ...table,
    ...(index > 0 && { title: '', caption: '' }),
    columns: takeColumns(columns, index),
    rows: table.rows.map(cells => takeColumns(cells, index)),
  }));
}

/** Windows device names, which are reserved whatever follows a dot. */
const deviceName = /^(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³])(?= *(?:\.|$))/i;

/** Turns the title into a name for a file or folder that every file system accepts, in any script. */
export function reportFileName(title: string): string {
  const cleaned = removeHidden(title.normalize('NFC')).replace(/[^\p{L}\p{M}\p{N}\w .()-]+/gu, '-');
  // Sixty characters of up to four bytes leave room for an extension within the limit of 255 bytes.
  const [short = ''] = /^.{0,60}/su.exec(cleaned.replace(/^[ .-]+/, '')) ?? [];
  return short.replace(/[ .-]+$/, '').replace(deviceName, '$&_') || 'report';
}
