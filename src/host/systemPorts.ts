import { hostname, uptime } from 'node:os';
import type * as vscode from 'vscode';
import type { Clock, KeyValueStore, SecretStore } from '../core/ports.ts';
import type { Machine } from '../service/limiter/sharedLimiter.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason as Error);
        return;
      }
      const stop = (): void => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, ms);
      signal?.addEventListener('abort', stop, { once: true });
    }),
};

/** This machine. Its uptime includes suspended time on Linux, Windows and macOS (libuv, `uv_uptime`). */
export const systemMachine: Machine = { name: hostname(), uptimeMs: () => uptime() * 1000 };

/** Wraps VS Code's secret storage, which is the operating system's keychain if there is one. */
export function secretStore(secrets: vscode.SecretStorage): SecretStore {
  return {
    get: async name => secrets.get(name),
    store: async (name, value) => secrets.store(name, value),
    delete: async name => secrets.delete(name),
  };
}

export function keyValueStore(memento: vscode.Memento): KeyValueStore {
  return { get: name => memento.get(name), update: async (name, value) => memento.update(name, value) };
}
