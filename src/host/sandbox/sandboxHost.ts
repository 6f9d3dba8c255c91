import { randomUUID } from 'node:crypto';
import { createSandboxSource } from '../../core/query/seriesKey.ts';
import type { RunningSandbox } from '../../sandbox/embedded.ts';
import type { SandboxEndpoint } from '../../service/connections/connectionEndpoints.ts';
import type { Logger } from '../../core/ports.ts';
import { Emitter } from '../../service/emitter.ts';

interface StartedSandbox {
  readonly sandbox: RunningSandbox;
  readonly baseUrl: string;
  readonly key: string;
  /** Identifies the data in the archive, independent of the port. */
  readonly source: string;
}

/**
 * Runs the embedded service of this window. It is loaded and started when first needed, on a free port, with a key that is
 * valid as long as it runs.
 */
export class SandboxHost implements SandboxEndpoint {
  readonly #log: Logger;
  readonly #changed = new Emitter();
  #started: Promise<StartedSandbox> | undefined;
  /** Fires when the service starts or stops. */
  readonly onDidChange = this.#changed.event;

  constructor(log: Logger) {
    this.#log = log;
  }

  get isRunning(): boolean {
    return this.#started !== undefined;
  }

  async ensureRunning(): Promise<StartedSandbox> {
    const starting = this.#started ?? this.#start();
    if (this.#started !== starting) this.#setStarted(starting);
    try {
      return await starting;
    } catch (error) {
      // Another start may have replaced this one.
      if (this.#started === starting) this.#setStarted(undefined);
      throw error;
    }
  }

  /** Returns a one-time sign-in link to the dashboard, which must not be logged. Starts the service if necessary. */
  async dashboardLink(): Promise<string> {
    const { sandbox } = await this.ensureRunning();
    return sandbox.createDashboardLink();
  }

  /** Creates a key that replaces one revoked in the dashboard, and returns its value. */
  async renewKey(): Promise<string> {
    const running = this.ensureRunning();
    const starting = this.#started;
    const started = await running;
    // The service was stopped in the meantime, so its successor creates the key.
    if (this.#started !== starting) return this.renewKey();
    const key = createWindowKey(started.sandbox);
    this.#started = Promise.resolve({ ...started, key });
    return key;
  }

  async stop(): Promise<void> {
    const starting = this.#started;
    // This is set first, so that a query from now on starts a new service instead of using the one that is closing.
    this.#setStarted(undefined);
    const started = await starting?.catch(() => undefined);
    await started?.sandbox.close();
    if (started) this.#log.info('sandbox stopped');
  }

  #setStarted(started: Promise<StartedSandbox> | undefined): void {
    this.#started = started;
    this.#changed.fire();
  }

  async #start(): Promise<StartedSandbox> {
    const { startSandbox } = await import('../../sandbox/embedded.ts');
    const sandbox = await startSandbox({});
    const key = createWindowKey(sandbox);
    this.#log.info(`sandbox started on ${sandbox.baseUrl}`);
    return { sandbox, baseUrl: sandbox.baseUrl, key, source: createSandboxSource(sandbox.identity) };
  }
}

function createWindowKey(sandbox: RunningSandbox): string {
  return sandbox.createKey(`VS Code ${randomUUID().slice(0, 8)}`).value;
}
