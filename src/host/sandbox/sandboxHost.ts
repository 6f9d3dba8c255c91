import { randomUUID } from 'node:crypto';
import { sandboxSource } from '../../core/query/seriesKey.ts';
import type { RunningSandbox } from '../../sandbox/embedded.ts';
import type { SandboxEndpoint } from '../../service/connections/connectionEndpoints.ts';
import type { Logger } from '../../core/ports.ts';
import { Emitter } from '../../service/emitter.ts';

interface Started {
  readonly sandbox: RunningSandbox;
  readonly baseUrl: string;
  readonly key: string;
  /** Names the data in the archive: equal data, equal hours, whatever the port. */
  readonly source: string;
}

/**
 * The embedded service of this window: started when first needed, on any free port, with a key of its own that lives as
 * long as it does. Its code is loaded only then.
 */
export class SandboxHost implements SandboxEndpoint {
  readonly #log: Logger;
  readonly #changed = new Emitter();
  #started: Promise<Started> | undefined;
  /** It has started or stopped. */
  readonly onDidChange = this.#changed.event;

  constructor(log: Logger) {
    this.#log = log;
  }

  get isRunning(): boolean {
    return this.#started !== undefined;
  }

  async ensureRunning(): Promise<Started> {
    const starting = this.#started ?? this.#start();
    if (this.#started !== starting) this.#set(starting);
    try {
      return await starting;
    } catch (error) {
      // One that was started since is another.
      if (this.#started === starting) this.#set(undefined);
      throw error;
    }
  }

  /** A link that signs in to its dashboard once: to be opened, never logged. Starts the service where it does not run. */
  async dashboardLink(): Promise<string> {
    const { sandbox } = await this.ensureRunning();
    return sandbox.createDashboardLink();
  }

  /** Another key of its own, in the place of one that was revoked in the dashboard; returns its value. */
  async renewKey(): Promise<string> {
    const running = this.ensureRunning();
    const starting = this.#started;
    const started = await running;
    // Stopped meanwhile: what is about to close gets no key, and is not brought back.
    if (this.#started !== starting) return this.renewKey();
    const key = ownKey(started.sandbox);
    this.#started = Promise.resolve({ ...started, key });
    return key;
  }

  async stop(): Promise<void> {
    const starting = this.#started;
    // From here on a query starts a new one, and does not get the one that is going.
    this.#set(undefined);
    const started = await starting?.catch(() => undefined);
    await started?.sandbox.close();
    if (started) this.#log.info('sandbox stopped');
  }

  #set(started: Promise<Started> | undefined): void {
    this.#started = started;
    this.#changed.fire();
  }

  async #start(): Promise<Started> {
    const { startSandbox } = await import('../../sandbox/embedded.ts');
    const sandbox = await startSandbox({});
    const key = ownKey(sandbox);
    this.#log.info(`sandbox started on ${sandbox.baseUrl}`);
    return { sandbox, baseUrl: sandbox.baseUrl, key, source: sandboxSource(sandbox.identity) };
  }
}

function ownKey(sandbox: RunningSandbox): string {
  return sandbox.createKey(`VS Code ${randomUUID().slice(0, 8)}`).value;
}
