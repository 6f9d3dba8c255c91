/** An argument of a command or of the public API that cannot be used. The message is a sentence for the person. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly reason = 'badInput';
}
