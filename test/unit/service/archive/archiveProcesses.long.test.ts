import { shareInProcesses } from './shareInProcesses.ts';

describe('FileArchive in several processes for long', () => {
  it('reads and writes in several processes, one killed, without torn reads or lost rows', () =>
    shareInProcesses({ readers: 2, hours: 120, killedAfter: 30 }));
});
