// Replaces @vscode/spdlog in the installed server. The original is a native module that would need a compiler on every
// machine, and without it VS Code's output channels stay empty. It exports the members that VS Code uses.
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

const levels = ['trace', 'debug', 'info', 'warning', 'error', 'critical'] as const;

/** Appends each line to a file immediately. Ignores limits on the size and number of files. */
export class Logger {
  readonly #file: string;
  #level = 2;
  #formatted = true;

  constructor(_kind: string, _name: string, file: string) {
    mkdirSync(dirname(file), { recursive: true });
    this.#file = file;
  }

  trace(message: string): void {
    this.#write(0, message);
  }

  debug(message: string): void {
    this.#write(1, message);
  }

  info(message: string): void {
    this.#write(2, message);
  }

  warn(message: string): void {
    this.#write(3, message);
  }

  error(message: string): void {
    this.#write(4, message);
  }

  critical(message: string): void {
    this.#write(5, message);
  }

  getLevel(): number {
    return this.#level;
  }

  setLevel(level: number): void {
    this.#level = level;
  }

  setPattern(): void {
    this.#formatted = true;
  }

  clearFormatters(): void {
    this.#formatted = false;
  }

  flush(): void {
    // There is nothing to flush, because every line is written immediately.
  }

  drop(): void {
    this.#level = levels.length;
  }

  #write(level: number, message: string): void {
    if (level < this.#level) return;
    const time = new Date().toISOString().replace('T', ' ').replace('Z', '');
    appendFileSync(this.#file, this.#formatted ? `${time} [${levels[level] ?? 'info'}] ${message}\n` : message);
  }
}

export const version = 0;

export function setLevel(): void {
  // This has no effect, because each logger has its own level.
}

export function setFlushOn(): void {
  // There is nothing to flush, because every line is written immediately.
}

export function createRotatingLogger(name: string, file: string): Promise<Logger> {
  return Promise.resolve(new Logger('rotating', name, file));
}

export function createAsyncRotatingLogger(name: string, file: string): Promise<Logger> {
  return Promise.resolve(new Logger('rotating_async', name, file));
}
