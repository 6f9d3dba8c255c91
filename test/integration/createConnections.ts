import type { Connection } from '../../src/core/connections/connection.ts';
import type { Connections } from '../../src/service/connections/connections.ts';

/** Creates connections with these names. The first is active. */
export function createConnections(...names: readonly string[]): Connections {
  const connections = names.map(name => ({ name }) as Connection);
  return {
    list: () => connections,
    active: () => connections[0],
    findByName: (name: string) => connections.find(connection => connection.name === name),
  } as unknown as Connections;
}
