import assert from 'node:assert/strict';
import fs, { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { openKeyStore } from '../../../../src/sandbox/keys/openKeyStore.ts';
import { fileSystems } from '../../../support/windowsFs.ts';
import { countingBytes, fakeClock, noon } from '../fakes.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';

for (const { name: system, isWindows, syncFs } of fileSystems)
  describe(`openKeyStore${system}`, () => {
    let folder: string;
    let file: string;
    beforeEach(() => {
      folder = createTemporaryFolder();
      file = join(folder, 'keys.json');
    });

    const clock = fakeClock();
    const messages: string[] = [];
    const open = async () => {
      messages.length = 0;
      const report = (message: string) => void messages.push(message);
      return openKeyStore(clock, {
        stateFolder: folder,
        randomBytes: countingBytes(),
        report,
        ...(isWindows && { fs: syncFs }),
      });
    };

    it('restores keys with limits, access, last use and revocation after a restart', async () => {
      const store = await open();
      const { value, prefix } = store.keys.create('laptop');
      const revoked = store.keys.create('lost');
      store.keys.create('stress only', { scopes: ['features'], limits: { features: 7 } });
      store.keys.revoke('lost');
      store.keys.setTerms(prefix, { limits: { features: 30, normalized_data: null } });
      store.keys.authenticate(value);
      const previousKeys = store.keys.list();
      await store.close();
      const reopenedStore = await open();
      assert.deepEqual(reopenedStore.keys.list(), previousKeys);
      assert.equal(reopenedStore.keys.authenticate(value)?.limits.features, 30);
      assert.equal(reopenedStore.keys.authenticate(revoked.value), undefined);
      await reopenedStore.close();
      await reopenedStore.close();
      assert.deepEqual(messages, []);
    });

    it('writes a new or revoked key to disk immediately', async () => {
      const store = await open();
      store.keys.create('laptop');
      const readStoredKeys = () => (JSON.parse(readFileSync(file, 'utf8')) as { keys: { revoked: boolean }[] }).keys;
      assert.equal(readStoredKeys()[0]?.revoked, false);
      store.keys.revoke('laptop');
      assert.equal(readStoredKeys()[0]?.revoked, true);
      await store.close();
    });

    const itOnPosix = isWindows || process.platform === 'win32' ? undefined : it;
    itOnPosix?.('syncs the new file to disk before it is renamed', async () => {
      const store = await open();
      const operations: string[] = [];
      const { fsyncSync, renameSync } = fs;
      fs.fsyncSync = handle => {
        operations.push(fs.fstatSync(handle).isDirectory() ? 'folder' : 'file');
        fsyncSync(handle);
      };
      fs.renameSync = (from, to) => {
        operations.push('rename');
        renameSync(from, to);
      };
      syncBuiltinESMExports();
      try {
        store.keys.create('laptop');
      } finally {
        Object.assign(fs, { fsyncSync, renameSync });
        syncBuiltinESMExports();
        await store.close();
      }
      assert.deepEqual(operations, ['file', 'rename', 'folder']);
    });

    it('does not store the value of a key, and creates a file that only its owner can read', async () => {
      const store = await open();
      const { value } = store.keys.create('laptop');
      await store.close();
      assert.equal(readFileSync(file, 'utf8').includes(value.slice('sb_test_'.length + 4)), false);
      if (!isWindows && process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
      assert.deepEqual(readdirSync(folder), ['keys.json']);
    });

    for (const [description, text] of [
      ['a truncated file', '{"version":1,"keys":[{"ha'],
      ['a file with invalid fields', '{"version":1,"keys":[{"hash":"short"}]}'],
      ['a file of a later version', '{"version":2,"keys":[]}'],
      ['an empty file', ''],
    ] as const)
      it(`backs up ${description}, reports it, and starts without keys`, async () => {
        writeFileSync(file, text);
        const store = await open();
        assert.deepEqual(store.keys.list(), []);
        assert.equal(messages.length, 1);
        assert.match(
          messages[0] ?? '',
          /is damaged.* and was backed up as keys\.json\.\d+\.damaged; .*create new ones\.$/,
        );
        assert.equal(readFileSync(`${file}.${noon}.damaged`, 'utf8'), text);
        store.keys.create('new');
        await store.close();
      });

    it('rejects a state folder if its path is a file or contains a file', async () => {
      writeFileSync(file, '');
      for (const stateFolder of [file, join(file, 'state')])
        await assert.rejects(openKeyStore(clock, { stateFolder }), {
          name: 'SandboxError',
          message: `The state folder ${stateFolder} cannot be used (a file is there, or on the way to it); give the path of another folder, new or not.`,
        });
    });

    it('rejects a state folder if its keys.json is a folder, and releases the lock', async () => {
      mkdirSync(file);
      const message = `keys.json in ${folder} cannot be read (a folder has its name); check the state folder.`;
      await assert.rejects(open(), { name: 'SandboxError', message });
      assert.deepEqual(readdirSync(folder), ['keys.json']);
    });

    it('stops writing when another sandbox takes over the folder, and reports it once', async () => {
      messages.length = 0;
      let loseFolder: () => void = () => assert.fail('the folder was not acquired');
      const acquireFolder = async (_folder: string, onLost: () => void) => {
        loseFolder = onLost;
        return Promise.resolve(async () => Promise.resolve());
      };
      const report = (message: string) => void messages.push(message);
      const store = await openKeyStore(clock, {
        stateFolder: folder,
        randomBytes: countingBytes(),
        report,
        acquireFolder,
      });
      const { value } = store.keys.create('laptop');
      const otherContent = '{"version":1,"keys":[]}';
      writeFileSync(file, otherContent);
      loseFolder();
      loseFolder();
      const lostError = { name: 'SandboxError', message: /is now used by another sandbox\. .* times of use\.$/ };
      assert.throws(() => store.keys.create('new'), lostError);
      assert.ok(store.keys.authenticate(value));
      // A revoked key must not work, even if the revocation cannot be stored.
      assert.throws(() => store.keys.revoke('laptop'), lostError);
      assert.equal(store.keys.authenticate(value), undefined);
      await store.close();
      assert.equal(readFileSync(file, 'utf8'), otherContent);
      assert.deepEqual(readdirSync(folder), ['keys.json']);
      assert.deepEqual(
        messages.map(message => lostError.message.test(message)),
        [true],
      );
    });

    it('accepts keys if their last use cannot be stored, and reports this once', async () => {
      const store = await open();
      const { value } = store.keys.create('laptop');
      rmSync(file);
      rmSync(`${file}.new`, { force: true });
      // Every write fails, even for root, because the path of the temporary file is a folder.
      mkdirSync(`${file}.new`);
      assert.ok(store.keys.authenticate(value));
      await store.close();
      await store.close();
      assert.deepEqual(messages, [
        `keys.json in ${folder} cannot be written (a folder has its name); check the state folder.`,
      ]);
    });
  });
