import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { KeyValueStore } from '../core/ports.ts';
import { createTemporaryName } from '../service/files/fileSystem.ts';

const maxLength = 1_000_000;

/** Stores small values in a JSON file, such as the clock offset of a service. A file that cannot be read or written costs only what it would save. */
export function createStateFile(path: string): KeyValueStore {
  let values = read(path);
  return {
    get: name => values[name],
    update: async (name, value) => {
      values = { ...read(path), [name]: value };
      const temporary = createTemporaryName(path);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(temporary, JSON.stringify(values), { mode: 0o600 });
      renameSync(temporary, path);
      return Promise.resolve();
    },
  };
}

function read(path: string): Readonly<Record<string, unknown>> {
  try {
    const text = readFileSync(path, 'utf8');
    const parsed: unknown = text.length > maxLength ? undefined : JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
