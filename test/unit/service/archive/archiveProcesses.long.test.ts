import { fileSystems } from '../../../support/windowsFs.ts';
import { shareInProcesses } from './shareInProcesses.ts';

describe('FileArchive in several processes, long', () => {
  it('reads and writes in several processes, one killed, without torn reads or lost rows', () =>
    shareInProcesses({ readers: 2, hours: 120, killedAfter: 30 }));

  it('does so on a disk like that of Windows, where each process is rejected some calls', () =>
    shareInProcesses({ readers: 1, hours: 30, killedAfter: 8, system: fileSystems[1].name }));
});
