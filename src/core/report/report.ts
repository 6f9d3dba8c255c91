import { withoutHidden } from '../inertText.ts';
import type { ReportSection, ReportTable } from '../../shared/report.ts';

/** What a panel shows, and where it comes from. */
export interface ReportPart {
  readonly title: string;
  /** Where its rows come from, and what is said of them, by name. */
  readonly facts: ReportSection['facts'];
  /** What the person has written about it; empty for nothing. */
  readonly note: string;
  /** The mark of Sample Data; empty for data of a real service. */
  readonly mark: string;
  /** What is shown; a sentence where that is nothing. */
  readonly shown: Omit<ReportSection, 'facts' | 'title'> | string;
}

/** A report: all texts in the person's language, and none of them trusted. */
export interface Report {
  readonly title: string;
  /** What the person has written about all of it; empty for nothing. */
  readonly note: string;
  /** A BCP 47 tag. */
  readonly language: string;
  readonly parts: readonly ReportPart[];
  readonly words: { readonly contents: string; readonly methods: string };
}

/** Few enough for the width of a printed page. */
const mostAcross = 13;

/** A wide table as several beside each other in reading order, each with the first column. */
export function narrowTables(table: ReportTable): readonly ReportTable[] {
  const { columns } = table;
  if (columns.length <= mostAcross) return [table];
  // As even as can be: no last one with a single column.
  const count = Math.ceil((columns.length - 1) / (mostAcross - 1));
  const width = Math.ceil((columns.length - 1) / count);
  const part = <T>(cells: readonly T[], at: number): T[] => [
    ...cells.slice(0, 1),
    ...cells.slice(1 + at * width, 1 + (at + 1) * width),
  ];
  return Array.from({ length: count }, (_, at) => ({
    ...table,
    ...(at > 0 && { title: '', caption: '' }),
    columns: part(columns, at),
    rows: table.rows.map(cells => part(cells, at)),
  }));
}

/** A name that devices of Windows have, whatever follows a dot. */
const ofDevice = /^(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³])(?= *(?:\.|$))/i;

/** The title as the name of a file or a folder that every file system takes, in whatever script it is written. */
export function reportFileName(title: string): string {
  const plain = withoutHidden(title.normalize('NFC')).replace(/[^\p{L}\p{M}\p{N}\w .()-]+/gu, '-');
  // Sixty characters of four bytes leave room for an ending: 255 bytes are the most.
  const [short = ''] = /^.{0,60}/su.exec(plain.replace(/^[ .-]+/, '')) ?? [];
  return short.replace(/[ .-]+$/, '').replace(ofDevice, '$&_') || 'report';
}
