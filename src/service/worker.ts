import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Starts a thread that runs the file; undefined where none can be started. */
export function startWorker(file: string, options: WorkerOptions): Worker | undefined {
  try {
    // Without the flags of this process: some are refused in a thread, others open a debugger's port again.
    return new Worker(file, { execArgv: [], env: {}, ...options });
  } catch {
    return undefined;
  }
}

/** Whether the thread ended because its memory was used up. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
