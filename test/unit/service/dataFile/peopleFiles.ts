import { framedFiles } from './peopleFiles/frames.ts';
import { jsonFiles } from './peopleFiles/json.ts';
import { layoutFiles } from './peopleFiles/layouts.ts';
import { longFiles } from './peopleFiles/longFiles.ts';
import { mistakableFiles } from './peopleFiles/mistakable.ts';
import { numberFiles } from './peopleFiles/numbers.ts';
import type { PeopleFile } from './peopleFiles/peopleFile.ts';
import { portalFiles } from './peopleFiles/portal.ts';
import { textFiles } from './peopleFiles/texts.ts';
import { timeColumnFiles } from './peopleFiles/timeColumns.ts';
import { timeFiles } from './peopleFiles/times.ts';
import { workbookFiles } from './peopleFiles/workbooks.ts';

/** Real-world text files and workbooks. */
export const peopleFiles: readonly PeopleFile[] = [
  ...mistakableFiles,
  ...numberFiles,
  ...textFiles,
  ...timeFiles,
  ...timeColumnFiles,
  ...framedFiles,
  ...layoutFiles,
  ...portalFiles,
  ...longFiles,
  ...jsonFiles,
  ...workbookFiles,
];
