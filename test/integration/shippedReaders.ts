import { join } from 'node:path';
import * as vscode from 'vscode';
import { ReaderProcesses } from '../../src/service/reader/readerProcess.ts';

/** Creates readers that run the file that the extension ships. */
export function createShippedReaders(): ReaderProcesses {
  const extension = vscode.extensions.getExtension('grid-data.grid-data-inspector');
  if (!extension) throw new Error('The extension is not there.');
  return new ReaderProcesses({}, join(extension.extensionPath, 'dist', 'readerMain.js'));
}
