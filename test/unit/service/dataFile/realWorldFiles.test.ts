import { realWorldFiles } from './realWorldFiles.ts';
import { checkFile } from './realWorldFiles/checkFile.ts';

describe('real-world data files', () => {
  for (const file of realWorldFiles) it(file.title, () => checkFile(file));
});
