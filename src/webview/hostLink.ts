import type { HostMessage, PageRequest } from '../shared/protocol.ts';
import type { VsCodeApi } from './vscodeApi.ts';

type Reply = Extract<HostMessage, { type: 'reply' }>;

/** Numbers the page's requests and finds the reply of each. */
export class HostLink {
  private readonly api: VsCodeApi;
  private readonly waiting = new Map<number, (error: string | undefined) => void>();
  private lastId = 0;

  constructor(api: VsCodeApi) {
    this.api = api;
  }

  /** Resolves when the host has answered: undefined, or a sentence for the person. */
  request(request: PageRequest): Promise<string | undefined> {
    const id = ++this.lastId;
    return new Promise(resolve => {
      this.waiting.set(id, resolve);
      this.api.postMessage({ ...request, id });
    });
  }

  /** Hands a reply to whoever waits for it. */
  settle(reply: Reply): void {
    this.waiting.get(reply.id)?.(reply.error);
    this.waiting.delete(reply.id);
  }
}
