import assert from 'node:assert/strict';
import type { Connection } from '../../../../src/core/connections/connection.ts';
import type { SavedQuery } from '../../../../src/core/savedQueries/savedItem.ts';
import type { QueryStore } from '../../../../src/host/savedQueries/queryStore.ts';
import { createQueryNames } from '../../../../src/host/savedQueries/queryNames.ts';

const connection = (id: string, name: string): Connection => ({ id, name }) as Connection;
const prod = connection('1', 'Prod');
const staging = connection('2', 'Other');
const query = { dataset: 'systemState', range: 'last 24 hours', interval: '1h', params: {}, timeZone: 'UTC' };

let loads = 0;
/** Creates the names of a window with these connections and saved queries. */
function createNames(connections: readonly Connection[], ...stores: readonly (readonly SavedQuery[])[]) {
  return createQueryNames({
    connections: { list: () => [...connections], findById: id => connections.find(candidate => candidate.id === id) },
    stores: {
      find: id => {
        const item = stores.flat().find(candidate => candidate.id === id);
        return item && { store: {} as QueryStore, item, path: [], folder: undefined, siblings: [] };
      },
      load: async () => Promise.resolve(void (loads += 1)),
    },
  });
}

const saved = (name: string): SavedQuery => ({ kind: 'query', id: name, name, query });

describe("the names of a panel's query", () => {
  it("includes the connection's current name only when there are several", () => {
    assert.equal(createNames([prod]).connection(prod), undefined);
    const several = createNames([connection('1', 'Production'), staging]);
    assert.equal(several.connection(prod), 'Production');
    assert.equal(several.connection(staging), 'Other');
    assert.equal(several.connection(connection('3', 'Removed')), 'Removed');
  });

  it('finds the saved query of a panel by its id, and loads the files if it is not found', () => {
    const names = createNames([prod], [saved('Morning')]);
    const previousLoads = loads;
    assert.equal(names.saved('Morning')?.name, 'Morning');
    assert.equal(loads, previousLoads);
    assert.equal(names.saved('Evening'), undefined);
    assert.equal(loads, previousLoads + 1);
  });
});
