import assert from 'node:assert/strict';
import { Connections, type NewConnection } from '../../../../src/service/connections/connections.ts';
import type { Connection } from '../../../../src/core/connections/connection.ts';
import { findSpellings } from '../../../hostile/keySpellings.ts';
import { FakeSecrets, FakeState } from '../storeFakes.ts';

const key = 'sb_test_Aq7Wm3Kx9Rv2Lp8Nd4Tj6Yh';
const otherKey = 'sb_test_Zz5Bc1Vn8Mg6Hf3Qw0Er2Ty';

function setUp() {
  const state = new FakeState();
  const secrets = new FakeSecrets();
  let ids = 0;
  const connections = new Connections({ state, secrets, newId: () => `id-${++ids}` });
  return { state, secrets, connections };
}

function createDraft(changes: Partial<NewConnection> = {}): NewConnection {
  const name = 'Grid';
  return { name, service: 'other', baseUrl: 'https://api.example.org', key, state: 'works', ...changes };
}

/** Changes that somebody with access to the plain state could make. */
async function tamperWithState(state: FakeState, change: Partial<Connection>): Promise<void> {
  const list = state.get('connections') as Connection[];
  await state.update(
    'connections',
    list.map(entry => ({ ...entry, ...change })),
  );
}

function first(connections: Connections): Connection {
  const [connection] = connections.list();
  assert.ok(connection);
  return connection;
}

describe('Connections', () => {
  it('stores name and address in state, and the key in the secret store under its origin', async () => {
    const { connections, secrets } = setUp();
    const added = await connections.add(createDraft({ name: '  Grid ', baseUrl: 'https://api.example.org/base' }));
    assert.deepEqual(connections.list(), [added]);
    assert.equal(added.name, 'Grid');
    assert.deepEqual([...secrets.stored], [[`key https://api.example.org ${added.id}`, key]]);
    assert.equal(await connections.getKey(added), key);
  });

  it('stores only the prefix of a key in state', async () => {
    const { connections, state } = setUp();
    const { id } = await connections.add(createDraft());
    await connections.rename(id, 'Renamed');
    await connections.setState(id, 'rejected');
    await connections.replaceKey(first(connections), otherKey);
    await connections.add(createDraft({ name: 'Second', baseUrl: 'https://second.example.org' }));
    for (const secret of [key, otherKey]) {
      const public4 = secret.slice(0, secret.indexOf('_', 3) + 5);
      for (let start = 0; start + 6 <= secret.length; start++) {
        const piece = secret.slice(start, start + 6);
        assert.ok(public4.includes(piece) || !state.dump.includes(piece), piece);
      }
      assert.deepEqual(findSpellings(state.dump, secret), []);
    }
  });

  it('finds no key for a connection whose address was changed to another origin', async () => {
    for (const baseUrl of [
      'https://evil.example.org',
      'http://api.example.org',
      'https://api.example.org:8443',
      'https://api.example.org.evil.example',
      'https://user@api.example.org',
      '',
    ]) {
      const { connections, state } = setUp();
      await connections.add(createDraft());
      await tamperWithState(state, { baseUrl });
      assert.equal(await connections.getKey(first(connections)), undefined, baseUrl);
    }
  });

  it('finds the key for another path of the same origin', async () => {
    const { connections, state } = setUp();
    await connections.add(createDraft());
    await tamperWithState(state, { baseUrl: 'https://api.example.org/v2' });
    assert.equal(await connections.getKey(first(connections)), key);
  });

  it('finds no key of another connection at the same origin', async () => {
    const { connections } = setUp();
    const original = await connections.add(createDraft());
    const second = await connections.add(createDraft({ name: 'Two', key: otherKey }));
    assert.deepEqual([await connections.getKey(original), await connections.getKey(second)], [key, otherKey]);
  });

  describe('add', () => {
    it('replaces the key of a connection with the same name, and keeps its id', async () => {
      const { connections, secrets } = setUp();
      const original = await connections.add(createDraft());
      const replaced = await connections.add(createDraft({ name: 'gRID', key: otherKey, state: 'unchecked' }));
      assert.equal(replaced.id, original.id);
      assert.deepEqual(connections.list(), [replaced]);
      assert.deepEqual([...secrets.stored.values()], [otherKey]);
      assert.notEqual(replaced.keyPrefix, original.keyPrefix);
    });

    it('keeps the new key when only the path changes', async () => {
      const { connections, secrets } = setUp();
      await connections.add(createDraft());
      const replaced = await connections.add(createDraft({ baseUrl: 'https://api.example.org/v2', key: otherKey }));
      assert.equal(await connections.getKey(replaced), otherKey);
      assert.equal(secrets.stored.size, 1);
    });

    it('leaves no key at the old port', async () => {
      const { connections, secrets } = setUp();
      await connections.add(createDraft({ baseUrl: 'http://127.0.0.1:8000' }));
      const replaced = await connections.add(createDraft({ baseUrl: 'http://127.0.0.1:9000', key: otherKey }));
      assert.deepEqual([...secrets.stored], [[`key http://127.0.0.1:9000 ${replaced.id}`, otherKey]]);
    });

    it('keeps the old key when the keychain rejects the new one', async () => {
      const { connections, secrets } = setUp();
      const original = await connections.add(createDraft({ baseUrl: 'http://127.0.0.1:8000' }));
      secrets.store = async () => Promise.reject(new Error('locked'));
      const moved = createDraft({ baseUrl: 'http://127.0.0.1:9000', key: otherKey });
      await assert.rejects(connections.add(moved), /locked/);
      assert.deepEqual(connections.list(), [original]);
      assert.equal(await connections.getKey(original), key);
    });

    it('stores no key for the sandbox', async () => {
      const { connections, secrets } = setUp();
      await connections.add(createDraft({ service: 'sandbox', baseUrl: '', key: '' }));
      assert.equal(secrets.stored.size, 0);
    });

    it('activates an added connection', async () => {
      const { connections } = setUp();
      const original = await connections.add(createDraft());
      const second = await connections.add(createDraft({ name: 'Two' }));
      assert.equal(connections.active()?.id, second.id);
      await connections.activate(original.id);
      assert.equal(connections.active()?.id, original.id);
    });
  });

  describe('isNameFree', () => {
    const cases: readonly (readonly [string, string, boolean])[] = [
      ['https://api.example.org', 'https://api.example.org', true],
      ['https://api.example.org', 'https://api.example.org/v2', true],
      ['https://api.example.org', 'https://evil.example.org', false],
      ['https://api.example.org', 'https://api.example.org:8443', false],
      ['https://api.example.org', 'http://127.0.0.1:8000', false],
      ['http://127.0.0.1:8000', 'https://api.example.org', false],
      ['http://127.0.0.1:8000', 'http://127.0.0.1:9000', true],
      ['http://127.0.0.1:8000', 'http://localhost:9000', true],
      ['http://127.0.0.1:8000', 'not an address', false],
      ['', '', true],
    ];
    for (const [existingUrl, newUrl, free] of cases)
      it(`returns ${free} at ${newUrl || 'no address'} for the name of ${existingUrl || 'no address'}`, async () => {
        const { connections } = setUp();
        await connections.add(createDraft({ baseUrl: existingUrl }));
        assert.equal(connections.isNameFree(' gRiD', newUrl), free);
        assert.equal(connections.isNameFree('Another', newUrl), true);
      });
  });

  describe('an unreadable entry', () => {
    const invalidEntries = [{ id: 'x', name: 'from a later version' }, 7, null, { id: '' }];

    it('skips an unreadable entry, and keeps it through every change', async () => {
      const { connections, state } = setUp();
      await state.update('connections', invalidEntries);
      assert.deepEqual(connections.list(), []);
      assert.equal(connections.active(), undefined);
      const { id } = await connections.add(createDraft());
      await connections.rename(id, 'New');
      await connections.setState(id, 'rejected');
      assert.deepEqual((state.get('connections') as unknown[]).slice(0, 4), invalidEntries);
      await connections.remove(first(connections));
      assert.deepEqual(state.get('connections'), invalidEntries);
    });

    for (const stored of [undefined, null, 'text', { length: 1 }])
      it(`skips an unreadable list: ${JSON.stringify(stored)}`, async () => {
        const { connections, state } = setUp();
        if (stored !== undefined) await state.update('connections', stored);
        assert.deepEqual(connections.list(), []);
        await connections.add(createDraft());
        assert.equal(connections.list().length, 1);
      });
  });

  describe('remove', () => {
    it('deletes the secret and the entry, and the next one becomes active', async () => {
      const { connections, secrets } = setUp();
      const original = await connections.add(createDraft());
      const second = await connections.add(createDraft({ name: 'Two', key: otherKey }));
      await connections.remove(second);
      assert.deepEqual([...secrets.stored.values()], [key]);
      assert.deepEqual(connections.list(), [original]);
      assert.equal(connections.active()?.id, original.id);
    });
  });

  describe('replaceKey', () => {
    it('changes only the key, its prefix and its state', async () => {
      const { connections, secrets } = setUp();
      const original = await connections.add(createDraft());
      await connections.replaceKey(original, otherKey);
      const { keyPrefix, ...rest } = first(connections);
      assert.ok(otherKey.startsWith(keyPrefix.replace('…', '')));
      assert.deepEqual({ ...rest, keyPrefix: original.keyPrefix }, { ...original, state: 'unchecked' });
      assert.deepEqual([...secrets.stored.values()], [otherKey]);
    });
  });

  describe('setState', () => {
    it('writes only changes', async () => {
      const { connections, state } = setUp();
      const { id } = await connections.add(createDraft());
      const writes: unknown[] = [];
      state.update = async (name, value) => Promise.resolve(void writes.push([name, value]));
      await connections.setState(id, 'works');
      await connections.setState('no such id', 'rejected');
      assert.equal(writes.length, 0);
      await connections.setState(id, 'forbidden');
      assert.equal(writes.length, 1);
    });
  });

  it('finds a connection by name, ignoring case', async () => {
    const { connections } = setUp();
    const original = await connections.add(createDraft());
    assert.deepEqual(connections.findByName(' GRID '), original);
    assert.equal(connections.findByName('Gri'), undefined);
  });
});
