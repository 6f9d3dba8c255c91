import { framedFiles } from './realWorldFiles/frames.ts';
import { jsonFiles } from './realWorldFiles/json.ts';
import { layoutFiles } from './realWorldFiles/layouts.ts';
import { longFiles } from './realWorldFiles/longFiles.ts';
import { mistakableFiles } from './realWorldFiles/mistakable.ts';
import { numberFiles } from './realWorldFiles/numbers.ts';
import type { RealWorldFile } from './realWorldFiles/realWorldFile.ts';
import { portalFiles } from './realWorldFiles/portal.ts';
import { textFiles } from './realWorldFiles/texts.ts';
import { timeColumnFiles } from './realWorldFiles/timeColumns.ts';
import { timeFiles } from './realWorldFiles/times.ts';
import { workbookFiles } from './realWorldFiles/workbooks.ts';

/** Real-world text files and workbooks. */
export const realWorldFiles: readonly RealWorldFile[] = [
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
