import { fileSystems } from '../../../support/windowsFs.ts';
import { shareInProcesses } from './shareInProcesses.ts';

describe('FileArchive in several processes, long', () => {
  it('reads and writes in several processes, one killed, without torn reads or lost rows', () =>
    shareInProcesses({ readers: 2, hours: 120, killedAfter: 30 }));

  it('loses no rows on a disk like that of Windows, which rejects some calls of each process', () =>
    shareInProcesses({ readers: 1, hours: 30, killedAfter: 8, system: fileSystems[1].name }));
});
