import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConnection } from '../../../src/cli/connection.ts';
import { createTemporaryFolder } from '../../support/temporaryFolder.ts';

const key = 'sb_test_not4arealkey';

describe('the connection of the command line', () => {
  const read = async (options: Readonly<Record<string, string>>, variables: NodeJS.ProcessEnv) =>
    readConnection({ text: name => options[name] }, variables);

  it('has the key of GRID_DATA_API_KEY, which child processes then do not inherit', async () => {
    const variables = { GRID_DATA_API_KEY: key };
    const { connection, secrets } = await read({}, variables);
    assert.equal(await secrets.get('any'), key);
    assert.deepEqual(variables, {});
    assert.equal(connection.baseUrl, 'https://api.powersignals.co.za');
    assert.ok(!JSON.stringify(connection).includes(key));
  });

  it('has the key of a file that only its owner can read, which precedes the variable', async function () {
    if (process.platform === 'win32') this.skip();
    const file = join(createTemporaryFolder(), 'key');
    writeFileSync(file, `${key}\n`, { mode: 0o600 });
    const variables = { GRID_DATA_API_KEY: 'another-fake-key' };
    assert.equal(await (await read({ 'key-file': file }, variables)).secrets.get('any'), key);
    chmodSync(file, 0o640);
    await assert.rejects(
      async () => read({ 'key-file': file }, variables),
      /Other users can read the key file\. Run 'chmod 600'/,
    );
  });

  it('has no key if none is given, and rejects one that is none, without repeating it', async () => {
    assert.equal(await (await read({}, { GRID_DATA_API_KEY: '' })).secrets.get('any'), undefined);
    await assert.rejects(
      async () => read({}, { GRID_DATA_API_KEY: 'a key with spaces' }),
      (error: Error) => {
        assert.match(error.message, /The key is invalid/);
        return !error.message.includes('a key with');
      },
    );
    const folder = createTemporaryFolder();
    await assert.rejects(
      async () => read({ 'key-file': folder }, {}),
      /--key-file needs the path of a small text file/,
    );
    await assert.rejects(async () => read({ 'key-file': join(folder, 'missing') }, {}), /--key-file needs/);
  });

  it('accepts https and this machine as the address, and nothing that disguises the host', async () => {
    assert.equal((await read({ url: 'http://127.0.0.1:8099/' }, {})).connection.baseUrl, 'http://127.0.0.1:8099');
    assert.equal((await read({}, { GRID_DATA_URL: 'https://grid.example/' })).connection.name, 'grid.example');
    for (const url of ['http://grid.example', 'https://user@grid.example', 'file:///etc/passwd', 'https://a\\b'])
      await assert.rejects(async () => read({ url }, {}), /Invalid address of the service/, url);
  });
});
