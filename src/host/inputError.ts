import { t } from '@vscode/l10n';
import { commands } from './ids.ts';

/** An argument of a command or of the public API is invalid. The message is shown to the user. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly reason = 'badInput';
}

/** A command that is offered as the button of a message. */
export interface NextAction {
  readonly title: string;
  readonly command: string;
}

/**
 * A command cannot run because something is missing, such as a saved query. It is shown as information rather than as an error: the
 * message explains what is missing, and `next` offers the command that provides it.
 */
export class UnavailableError extends InputError {
  readonly next: NextAction | undefined;

  constructor(message: string, next?: NextAction) {
    super(message);
    this.next = next;
  }
}

/** Creates the error for a command that needs the result of a query; its message has a Run Query… button. */
export function createRunQueryFirstError(sentence: string): UnavailableError {
  return new UnavailableError(sentence, { title: t('Run Query…'), command: commands.runQuery });
}
