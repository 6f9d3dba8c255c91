import type { Logger } from '../../core/ports.ts';
import { codeOf } from '../files/fileSystem.ts';

/** Why the archive cannot store or read something; the host has a sentence for each. */
export type ArchiveError = 'diskFull' | 'readOnly' | 'unusable' | 'busy' | 'damaged' | 'newerVersion';

const byCode: Readonly<Record<string, ArchiveError>> = {
  ENOSPC: 'diskFull',
  EDQUOT: 'diskFull',
  EACCES: 'readOnly',
  EPERM: 'readOnly',
  EROFS: 'readOnly',
  EBUSY: 'busy',
  ELOCKED: 'busy',
};

/** Reports each kind of error to the person once, and to the log each time. */
export class ArchiveErrorReporter {
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #onTrouble: (trouble: ArchiveError) => void;
  readonly #reported = new Set<string>();

  constructor(logger: Pick<Logger, 'warn'>, onTrouble: (trouble: ArchiveError) => void) {
    this.#logger = logger;
    this.#onTrouble = onTrouble;
  }

  /** A failure of the file system, or an unexpected error. */
  failed(work: string, error: unknown): void {
    const code = codeOf(error);
    const why = code ?? (error instanceof Error ? (error.stack ?? error.message) : String(error));
    this.#logger.warn(`archive: cannot ${work} (${why})`);
    this.#report(byCode[code ?? ''] ?? 'unusable');
  }

  /** A file that cannot be used; logged once. */
  unreadable(file: string, trouble: 'damaged' | 'newerVersion'): void {
    if (!this.#reported.has(file)) this.#logger.warn(`archive: ${file} is not used (${trouble})`);
    this.#reported.add(file);
    this.#report(trouble);
  }

  #report(trouble: ArchiveError): void {
    if (this.#reported.has(trouble)) return;
    this.#reported.add(trouble);
    this.#onTrouble(trouble);
  }
}
