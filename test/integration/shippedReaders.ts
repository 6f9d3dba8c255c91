import { join } from 'node:path';
import * as vscode from 'vscode';
import { ReaderProcesses } from '../../src/service/reader/readerProcess.ts';

/** Readers as the extension has them: by the file that it ships. */
export function shippedReaders(): ReaderProcesses {
  const extension = vscode.extensions.getExtension('grid-data.grid-data-inspector');
  if (!extension) throw new Error('The extension is not there.');
  return new ReaderProcesses({}, join(extension.extensionPath, 'dist', 'readerMain.js'));
}
