import { t } from '@vscode/l10n';
import { commands } from './ids.ts';

/** An argument of a command or of the public API that cannot be used. The message is a sentence for the person. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly reason = 'badInput';
}

/** A command that does what is missing, as the button of a message. */
export interface NextStep {
  readonly title: string;
  readonly command: string;
}

/** What a command needs is not there, or not yet. Nothing went wrong: the sentence explains it, and `next` brings it. */
export class UnavailableError extends InputError {
  readonly next: NextStep | undefined;

  constructor(message: string, next?: NextStep) {
    super(message);
    this.next = next;
  }
}

/** A sentence on what is not there before a query has run, with the button that runs one. */
export function runQueryFirst(sentence: string): UnavailableError {
  return new UnavailableError(sentence, { title: t('Run Query…'), command: commands.runQuery });
}
