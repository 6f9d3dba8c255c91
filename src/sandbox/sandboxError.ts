/** The sandbox cannot start or read its file; the message is a sentence for the person, with what to do about it. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'a folder has its name',
  EEXIST: 'a file is there, or on the way to it',
  ENOTDIR: 'a file is there, or on the way to it',
  EACCES: 'you have no permission',
  EPERM: 'you have no permission',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
};

/** Why a file or folder could not be used, for a sentence; the system's code where it is not a known one. */
export function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
  return reasons[code] ?? code;
}
