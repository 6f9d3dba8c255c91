import { shareInProcesses } from './shareInProcesses.ts';

describe('FileArchive in several processes', () => {
  it('reads and writes in several processes, one of them killed, without torn reads or lost rows', () =>
    shareInProcesses({ readers: 1, hours: 30, killedAfter: 10 }));
});
