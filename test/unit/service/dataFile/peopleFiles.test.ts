import { peopleFiles } from './peopleFiles.ts';
import { checkFile } from './peopleFiles/checkFile.ts';

describe('real-world data files', () => {
  for (const file of peopleFiles) it(file.title, () => checkFile(file));
});
