/** An error for the user: the sandbox cannot start or read a file. The message includes what to do about it. */
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

/** Describes why a file or folder could not be used, for a message; returns the system's code if it is unknown. */
export function describeSystemError(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
  return reasons[code] ?? code;
}
