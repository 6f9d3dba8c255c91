import * as nodeFs from 'node:fs/promises';
import * as vscode from 'vscode';
import { createFileError, readRegularFile, withTimeout } from '../service/files/regularFile.ts';

/** The maximum size of a data file in a virtual file system, which is read into the memory of this process. */
export const maxVirtualBytes = 100_000_000;

/**
 * Reads a file of at most `maxBytes` bytes from any file system. Throws the errors of `readRegularFile`, or the errors of the file
 * system provider if the file is not on this disk.
 */
export async function readUri(uri: vscode.Uri, maxBytes: number): Promise<Uint8Array> {
  if (uri.scheme === 'file') return readRegularFile(uri.fsPath, maxBytes, nodeFs);
  const { type, size } = await withTimeout(vscode.workspace.fs.stat(uri));
  if ((type & vscode.FileType.File) === 0) throw createFileError('ENOTFILE');
  const bytes = size > maxBytes ? undefined : await withTimeout(vscode.workspace.fs.readFile(uri));
  if (!bytes || bytes.length > maxBytes) throw createFileError('EFBIG');
  return bytes;
}
