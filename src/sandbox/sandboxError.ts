/** The sandbox cannot start or read its file; the message is a sentence for the person, with what to do about it. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
}
