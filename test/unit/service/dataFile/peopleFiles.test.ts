import { peopleFiles } from './peopleFiles.ts';
import { checkFile } from './peopleFiles/checkFile.ts';

describe('files as people have them', () => {
  for (const file of peopleFiles) it(file.title, () => checkFile(file));
});
