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
      const report = (sentence: string) => void messages.push(sentence);
      return openKeyStore(clock, {
        stateFolder: folder,
        randomBytes: countingBytes(),
        report,
        ...(isWindows && { fs: syncFs }),
      });
    };

    it('restores keys, limits, access, use and revocation after a restart', async () => {
      const first = await open();
      const { value, prefix } = first.keys.create('laptop');
      const revoked = first.keys.create('lost');
      first.keys.create('stress only', { scopes: ['features'], limits: { features: 7 } });
      first.keys.revoke('lost');
      first.keys.setTerms(prefix, { limits: { features: 30, normalized_data: null } });
      first.keys.authenticate(value);
      const before = first.keys.list();
      await first.close();
      const second = await open();
      assert.deepEqual(second.keys.list(), before);
      assert.equal(second.keys.authenticate(value)?.limits.features, 30);
      assert.equal(second.keys.authenticate(revoked.value), undefined);
      await second.close();
      await second.close();
      assert.deepEqual(messages, []);
    });

    it('stores a new or revoked key at once, not only on exit', async () => {
      const opened = await open();
      opened.keys.create('laptop');
      const readStoredKeys = () => (JSON.parse(readFileSync(file, 'utf8')) as { keys: { revoked: boolean }[] }).keys;
      assert.equal(readStoredKeys()[0]?.revoked, false);
      opened.keys.revoke('laptop');
      assert.equal(readStoredKeys()[0]?.revoked, true);
      await opened.close();
    });

    const posix = isWindows || process.platform === 'win32' ? undefined : it;
    posix?.('syncs the new file to disk before it is renamed', async () => {
      const opened = await open();
      const steps: string[] = [];
      const { fsyncSync, renameSync } = fs;
      fs.fsyncSync = handle => {
        steps.push(fs.fstatSync(handle).isDirectory() ? 'folder' : 'file');
        fsyncSync(handle);
      };
      fs.renameSync = (from, to) => {
        steps.push('rename');
        renameSync(from, to);
      };
      syncBuiltinESMExports();
      try {
        opened.keys.create('laptop');
      } finally {
        Object.assign(fs, { fsyncSync, renameSync });
        syncBuiltinESMExports();
        await opened.close();
      }
      assert.deepEqual(steps, ['file', 'rename', 'folder']);
    });

    it('writes no key value, and a file only the owner can read', async () => {
      const opened = await open();
      const { value } = opened.keys.create('laptop');
      await opened.close();
      assert.equal(readFileSync(file, 'utf8').includes(value.slice('sb_test_'.length + 4)), false);
      if (!isWindows && process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
      assert.deepEqual(readdirSync(folder), ['keys.json']);
    });

    for (const [description, text] of [
      ['half a file', '{"version":1,"keys":[{"ha'],
      ['another shape', '{"version":1,"keys":[{"hash":"short"}]}'],
      ['a later version', '{"version":2,"keys":[]}'],
      ['an empty file', ''],
    ] as const)
      it(`sets ${description} aside, reports it, and starts without keys`, async () => {
        writeFileSync(file, text);
        const opened = await open();
        assert.deepEqual(opened.keys.list(), []);
        assert.equal(messages.length, 1);
        assert.match(
          messages[0] ?? '',
          /is damaged.* and was backed up as keys\.json\.\d+\.damaged; .*create new ones\.$/,
        );
        assert.equal(readFileSync(`${file}.${noon}.damaged`, 'utf8'), text);
        opened.keys.create('new');
        await opened.close();
      });

    it('refuses a path that is a file, or lies in one', async () => {
      writeFileSync(file, '');
      for (const stateFolder of [file, join(file, 'state')])
        await assert.rejects(openKeyStore(clock, { stateFolder }), {
          name: 'SandboxError',
          message: `The state folder ${stateFolder} cannot be used (a file is there, or on the way to it); give the path of another folder, new or not.`,
        });
    });

    it('refuses a folder whose key file is a folder, and releases it', async () => {
      mkdirSync(file);
      const message = `keys.json in ${folder} cannot be read (a folder has its name); check the state folder.`;
      await assert.rejects(open(), { name: 'SandboxError', message });
      assert.deepEqual(readdirSync(folder), ['keys.json']);
    });

    it('stops writing once another sandbox took the folder, and reports it once', async () => {
      messages.length = 0;
      let lose: () => void = () => assert.fail('the folder was not taken');
      const acquireFolder = async (_folder: string, onLost: () => void) => {
        lose = onLost;
        return Promise.resolve(async () => Promise.resolve());
      };
      const report = (sentence: string) => void messages.push(sentence);
      const opened = await openKeyStore(clock, {
        stateFolder: folder,
        randomBytes: countingBytes(),
        report,
        acquireFolder,
      });
      const { value } = opened.keys.create('laptop');
      const ofTheOther = '{"version":1,"keys":[]}';
      writeFileSync(file, ofTheOther);
      lose();
      lose();
      const lost = { name: 'SandboxError', message: /is now used by another sandbox\. .* times of use\.$/ };
      assert.throws(() => opened.keys.create('new'), lost);
      assert.ok(opened.keys.authenticate(value));
      // A revoked key must not work, even if the revocation cannot be stored.
      assert.throws(() => opened.keys.revoke('laptop'), lost);
      assert.equal(opened.keys.authenticate(value), undefined);
      await opened.close();
      assert.equal(readFileSync(file, 'utf8'), ofTheOther);
      assert.deepEqual(readdirSync(folder), ['keys.json']);
      assert.deepEqual(
        messages.map(sentence => lost.message.test(sentence)),
        [true],
      );
    });

    it('reports once that last-use times cannot be stored, and continues', async () => {
      const opened = await open();
      const { value } = opened.keys.create('laptop');
      rmSync(file);
      rmSync(`${file}.new`, { force: true });
      // A folder at the path of the temporary file makes every write fail, also for root.
      mkdirSync(`${file}.new`);
      assert.ok(opened.keys.authenticate(value));
      await opened.close();
      await opened.close();
      assert.deepEqual(messages, [
        `keys.json in ${folder} cannot be written (a folder has its name); check the state folder.`,
      ]);
    });
  });
