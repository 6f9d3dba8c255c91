import assert from 'node:assert/strict';
import { readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileSystems } from '../../../support/windowsFs.ts';
import { acquireStateFolder } from '../../../../src/sandbox/keys/openKeyStore.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';

for (const { name, machine } of fileSystems)
  describe(`acquireStateFolder${name}`, () => {
    let folder: string;
    let fs: ReturnType<typeof machine>;
    beforeEach(() => {
      folder = join(createTemporaryFolder(), 'new', 'state');
      fs = machine();
    });
    const acquire = async () => acquireStateFolder(folder, () => undefined, 0, fs);

    it('creates and locks the folder, and unlocks it on release', async () => {
      const release = await acquire();
      await assert.rejects(acquire(), {
        name: 'SandboxError',
        message: `The state folder ${folder} is in use by another sandbox; give the path of another folder, new or not.`,
      });
      await release();
      assert.deepEqual(readdirSync(folder), []);
      await (
        await acquire()
      )();
    });

    it('takes over the folder of a killed sandbox', async () => {
      const releaseKilled = await acquire();
      const longAgo = new Date(0);
      utimesSync(join(folder, 'in-use'), longAgo, longAgo);
      const release = await acquire();
      await release();
      await releaseKilled().catch(() => undefined);
    });

    it('notifies the sandbox that lost the folder', async () => {
      let notify: () => void = () => undefined;
      const lost = new Promise<void>(resolve => (notify = resolve));
      const release = await acquireStateFolder(folder, notify, 0, fs);
      rmSync(join(folder, 'in-use'), { recursive: true });
      await lost;
      await release().catch(() => undefined);
    });
  });
