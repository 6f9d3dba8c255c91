import type { Connection } from '../../src/core/connections/connection.ts';
import type { Connections } from '../../src/service/connections/connections.ts';

/** Connections of these names; the first is the active one. */
export function connectionsNamed(...names: readonly string[]): Connections {
  const all = names.map(name => ({ name }) as Connection);
  return {
    list: () => all,
    active: () => all[0],
    findByName: (name: string) => all.find(one => one.name === name),
  } as unknown as Connections;
}
