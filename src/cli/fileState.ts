import * as nodeFs from 'node:fs/promises';
import { dirname } from 'node:path';
import type { KeyValueStore } from '../core/ports.ts';
import { writeTemporary } from '../service/files/fileSystem.ts';
import { readRegularTextFile } from '../service/files/regularFile.ts';

const maxBytes = 1_000_000;

type Values = Readonly<Record<string, unknown>>;

/** Stores small values in a JSON file, such as the clock offset of a service. A file that cannot be read is replaced at the next update. */
export async function openFileState(path: string): Promise<KeyValueStore> {
  let values = await readValues(path);
  return {
    get: name => values[name],
    update: async (name, value) => {
      values = { ...(await readValues(path)), [name]: value };
      await nodeFs.mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await nodeFs.rename(await writeTemporary(nodeFs, path, JSON.stringify(values)), path);
    },
  };
}

async function readValues(path: string): Promise<Values> {
  try {
    const parsed: unknown = JSON.parse(await readRegularTextFile(path, maxBytes, nodeFs));
    return typeof parsed === 'object' && parsed !== null ? (parsed as Values) : {};
  } catch {
    return {};
  }
}
