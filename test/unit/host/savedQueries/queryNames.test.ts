import assert from 'node:assert/strict';
import type { Connection } from '../../../../src/core/connections/connection.ts';
import type { SavedQuery } from '../../../../src/core/savedQueries/savedItem.ts';
import type { QueryStore } from '../../../../src/host/savedQueries/queryStore.ts';
import { queryNames, savedEntryOf } from '../../../../src/host/savedQueries/queryNames.ts';

const connection = (id: string, name: string): Connection => ({ id, name }) as Connection;
const prod = connection('1', 'Prod');
const other = connection('2', 'Other');
const query = { dataset: 'systemState', range: 'last 24 hours', interval: '1h', params: {}, timeZone: 'UTC' };

let loads = 0;
/** The names of connections that were looked up. */
const lookedUp: (string | undefined)[] = [];

/** A window with these connections, the first of them active, and these saved queries in two stores. */
function namesOf(connections: readonly Connection[], ...stores: readonly (readonly SavedQuery[])[]) {
  return queryNames({
    connections: { list: () => [...connections], byId: id => connections.find(one => one.id === id) },
    choices: {
      find: name => {
        lookedUp.push(name);
        return name === undefined ? connections[0] : connections.find(one => one.name === name);
      },
    },
    stores: {
      queries: () => stores.flatMap(items => items.map(item => ({ store: {} as QueryStore, item }))),
      find: id => {
        const item = stores.flat().find(one => one.id === id);
        return item && { store: {} as QueryStore, item, path: [], folder: undefined, siblings: [] };
      },
      load: async () => Promise.resolve(void (loads += 1)),
    },
  });
}

const saved = (name: string, changes: Partial<SavedQuery> = {}): SavedQuery => ({
  kind: 'query',
  id: name,
  name,
  query,
  ...changes,
});

describe("the names of a panel's query", () => {
  it("includes the connection's current name only when there are several", () => {
    assert.equal(namesOf([prod]).connection(prod), undefined);
    const several = namesOf([connection('1', 'Production'), other]);
    assert.equal(several.connection(prod), 'Production');
    assert.equal(several.connection(other), 'Other');
    assert.equal(several.connection(connection('3', 'Removed')), 'Removed');
  });

  it('includes the name it is saved under, in any store', () => {
    assert.equal(namesOf([prod]).savedAs(query, prod), undefined);
    assert.equal(namesOf([prod], [], [saved('Morning')]).savedAs(query, prod), 'Morning');
    assert.equal(namesOf([prod], [saved('Mine')], [saved('Ours')]).savedAs(query, prod), 'Mine');
    const params = { query: { ...query, params: { components: 'true' } } };
    assert.equal(namesOf([prod], [saved('Morning', params)]).savedAs(query, prod), undefined);
    const range = { query: { ...query, range: 'today' } };
    assert.equal(namesOf([prod], [saved('Morning', range)]).savedAs(query, prod), undefined);
  });

  it("includes the name of the saved query's own connection", () => {
    const names = namesOf([prod, other], [saved('Anywhere'), saved('There', { connection: 'Other' })]);
    assert.equal(names.savedAs(query, prod), 'Anywhere');
    assert.equal(names.savedAs(query, other), 'There');
    assert.equal(namesOf([prod], [saved('Nobody knows', { connection: 'Gone' })]).savedAs(query, prod), undefined);
  });
  it('resolves the connection of no other query, however many are saved', () => {
    lookedUp.length = 0;
    const others = Array.from({ length: 100 }, (_, day) =>
      saved(`Day ${day}`, { query: { ...query, range: `${day}` } }),
    );
    assert.equal(namesOf([prod], [...others, saved('Morning')]).savedAs(query, prod), 'Morning');
    assert.deepEqual(lookedUp, [undefined]);
  });

  it('finds of several that ask the same the one that was run, while it is there', () => {
    const store = {} as QueryStore;
    const stores = { queries: () => ['Table', 'Chart'].map(name => ({ store, item: saved(name) })) };
    const found = (id: string) =>
      savedEntryOf(query, '1', { stores, choices: { find: () => prod } }, ({ item }) => item.id === id);
    assert.deepEqual(
      ['Chart', 'Gone'].map(id => found(id)?.item.name),
      ['Chart', 'Table'],
    );
  });

  it('finds the saved query of a panel by its id, and reads the files that may have one it does not find', () => {
    const names = namesOf([prod], [saved('Morning')]);
    const before = loads;
    assert.equal(names.saved('Morning')?.name, 'Morning');
    assert.equal(loads, before);
    assert.equal(names.saved('Evening'), undefined);
    assert.equal(loads, before + 1);
  });
});
