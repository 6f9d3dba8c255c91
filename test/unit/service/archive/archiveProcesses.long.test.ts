import { systems } from '../../../support/windowsFs.ts';
import { shareInProcesses } from './shareInProcesses.ts';

describe('FileArchive in several processes for long', () => {
  it('reads and writes in several processes, one killed, without torn reads or lost rows', () =>
    shareInProcesses({ readers: 2, hours: 120, killedAfter: 30 }));

  it('does so as if on Windows, where each process is refused some calls', () =>
    shareInProcesses({ readers: 1, hours: 30, killedAfter: 8, system: systems[1].name }));
});
