import assert from 'node:assert/strict';
import { Connections, type NewConnection } from '../../../../src/service/connections/connections.ts';
import type { Connection } from '../../../../src/core/connections/connection.ts';
import { spellingsIn } from '../../../hostile/keySpellings.ts';
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

function wanted(changes: Partial<NewConnection> = {}): NewConnection {
  const name = 'Grid';
  return { name, service: 'other', baseUrl: 'https://api.example.org', key, state: 'works', ...changes };
}

/** What somebody with access to the plain state could do to it. */
async function tamper(state: FakeState, change: Partial<Connection>): Promise<void> {
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
    const added = await connections.add(wanted({ name: '  Grid ', baseUrl: 'https://api.example.org/base' }));
    assert.deepEqual(connections.list(), [added]);
    assert.equal(added.name, 'Grid');
    assert.deepEqual([...secrets.kept], [[`key https://api.example.org ${added.id}`, key]]);
    assert.equal(await connections.getKey(added), key);
  });

  it('stores no more of a key than its prefix in state', async () => {
    const { connections, state } = setUp();
    const { id } = await connections.add(wanted());
    await connections.rename(id, 'Renamed');
    await connections.setState(id, 'rejected');
    await connections.replaceKey(first(connections), otherKey);
    await connections.add(wanted({ name: 'Second', baseUrl: 'https://second.example.org' }));
    for (const secret of [key, otherKey]) {
      const public4 = secret.slice(0, secret.indexOf('_', 3) + 5);
      for (let at = 0; at + 6 <= secret.length; at++) {
        const piece = secret.slice(at, at + 6);
        assert.ok(public4.includes(piece) || !state.dump.includes(piece), piece);
      }
      assert.deepEqual(spellingsIn(state.dump, secret), []);
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
      await connections.add(wanted());
      await tamper(state, { baseUrl });
      assert.equal(await connections.getKey(first(connections)), undefined, baseUrl);
    }
  });

  it('finds the key for another path of the same origin', async () => {
    const { connections, state } = setUp();
    await connections.add(wanted());
    await tamper(state, { baseUrl: 'https://api.example.org/v2' });
    assert.equal(await connections.getKey(first(connections)), key);
  });

  it('finds no key of another connection at the same origin', async () => {
    const { connections } = setUp();
    const one = await connections.add(wanted());
    const two = await connections.add(wanted({ name: 'Two', key: otherKey }));
    assert.deepEqual([await connections.getKey(one), await connections.getKey(two)], [key, otherKey]);
  });

  describe('add', () => {
    it('replaces the key of a connection with the same name, and keeps its id', async () => {
      const { connections, secrets } = setUp();
      const one = await connections.add(wanted());
      const again = await connections.add(wanted({ name: 'gRID', key: otherKey, state: 'unchecked' }));
      assert.equal(again.id, one.id);
      assert.deepEqual(connections.list(), [again]);
      assert.deepEqual([...secrets.kept.values()], [otherKey]);
      assert.notEqual(again.keyPrefix, one.keyPrefix);
    });

    it('keeps the new key where only the path changes', async () => {
      const { connections, secrets } = setUp();
      await connections.add(wanted());
      const again = await connections.add(wanted({ baseUrl: 'https://api.example.org/v2', key: otherKey }));
      assert.equal(await connections.getKey(again), otherKey);
      assert.equal(secrets.kept.size, 1);
    });

    it('leaves no key at the old port', async () => {
      const { connections, secrets } = setUp();
      await connections.add(wanted({ baseUrl: 'http://127.0.0.1:8000' }));
      const again = await connections.add(wanted({ baseUrl: 'http://127.0.0.1:9000', key: otherKey }));
      assert.deepEqual([...secrets.kept], [[`key http://127.0.0.1:9000 ${again.id}`, otherKey]]);
    });

    it('keeps the old key when the keychain rejects the new one', async () => {
      const { connections, secrets } = setUp();
      const one = await connections.add(wanted({ baseUrl: 'http://127.0.0.1:8000' }));
      secrets.store = async () => Promise.reject(new Error('locked'));
      const moved = wanted({ baseUrl: 'http://127.0.0.1:9000', key: otherKey });
      await assert.rejects(connections.add(moved), /locked/);
      assert.deepEqual(connections.list(), [one]);
      assert.equal(await connections.getKey(one), key);
    });

    it('stores no key for the sandbox', async () => {
      const { connections, secrets } = setUp();
      await connections.add(wanted({ service: 'sandbox', baseUrl: '', key: '' }));
      assert.equal(secrets.kept.size, 0);
    });

    it('activates an added connection', async () => {
      const { connections } = setUp();
      const one = await connections.add(wanted());
      const two = await connections.add(wanted({ name: 'Two' }));
      assert.equal(connections.active()?.id, two.id);
      await connections.activate(one.id);
      assert.equal(connections.active()?.id, one.id);
    });
  });

  describe('nameIsFree', () => {
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
    for (const [kept, asked, free] of cases)
      it(`returns ${free} at ${asked || 'no address'} for the name of ${kept || 'no address'}`, async () => {
        const { connections } = setUp();
        await connections.add(wanted({ baseUrl: kept }));
        assert.equal(connections.isNameFree(' gRiD', asked), free);
        assert.equal(connections.isNameFree('Another', asked), true);
      });
  });

  describe('an unreadable entry', () => {
    const odd = [{ id: 'x', name: 'from a later version' }, 7, null, { id: '' }];

    it('skips an unreadable entry, and keeps it through every change', async () => {
      const { connections, state } = setUp();
      await state.update('connections', odd);
      assert.deepEqual(connections.list(), []);
      assert.equal(connections.active(), undefined);
      const { id } = await connections.add(wanted());
      await connections.rename(id, 'New');
      await connections.setState(id, 'rejected');
      assert.deepEqual((state.get('connections') as unknown[]).slice(0, 4), odd);
      await connections.remove(first(connections));
      assert.deepEqual(state.get('connections'), odd);
    });

    for (const stored of [undefined, null, 'text', { length: 1 }])
      it(`skips an unreadable list: ${JSON.stringify(stored)}`, async () => {
        const { connections, state } = setUp();
        if (stored !== undefined) await state.update('connections', stored);
        assert.deepEqual(connections.list(), []);
        await connections.add(wanted());
        assert.equal(connections.list().length, 1);
      });
  });

  describe('remove', () => {
    it('deletes the secret and the entry, and the next one becomes active', async () => {
      const { connections, secrets } = setUp();
      const one = await connections.add(wanted());
      const two = await connections.add(wanted({ name: 'Two', key: otherKey }));
      await connections.remove(two);
      assert.deepEqual([...secrets.kept.values()], [key]);
      assert.deepEqual(connections.list(), [one]);
      assert.equal(connections.active()?.id, one.id);
    });
  });

  describe('replaceKey', () => {
    it('changes only the key, its prefix and its state', async () => {
      const { connections, secrets } = setUp();
      const one = await connections.add(wanted());
      await connections.replaceKey(one, otherKey);
      const { keyPrefix, ...rest } = first(connections);
      assert.ok(otherKey.startsWith(keyPrefix.replace('…', '')));
      assert.deepEqual({ ...rest, keyPrefix: one.keyPrefix }, { ...one, state: 'unchecked' });
      assert.deepEqual([...secrets.kept.values()], [otherKey]);
    });
  });

  describe('mark', () => {
    it('writes only changes', async () => {
      const { connections, state } = setUp();
      const { id } = await connections.add(wanted());
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
    const one = await connections.add(wanted());
    assert.deepEqual(connections.findByName(' GRID '), one);
    assert.equal(connections.findByName('Gri'), undefined);
  });
});
