import type { Message } from '../shared/messenger.ts';

/** What VS Code gives a page: the way to the host, and a small state that survives a reload. */
export interface VsCodeApi {
  postMessage(message: Message): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare global {
  /** May be called once in the life of a page. */
  function acquireVsCodeApi(): VsCodeApi;
}
