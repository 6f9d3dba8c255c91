import { once } from 'node:events';
import * as nodeFs from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import * as v from 'valibot';
import { InputError } from '../host/inputError.ts';
import {
  agentReplySchema,
  maxReplyBytes,
  maxWindowFileBytes,
  readLine,
  windowFileSchema,
  windowsFolder,
} from '../host/tools/agentSocket.ts';
import type { ToolResult } from '../host/tools/gridTool.ts';
import { getErrorCode, listNames, removeFiles } from '../service/files/fileSystem.ts';
import { readRegularTextFile } from '../service/files/regularFile.ts';

/**
 * Calls a tool in the VS Code window that was used last, where the person confirms requests. Resolves to undefined if no window can be
 * reached. Throws InputError with the window's sentence for the model.
 */
export async function callWindow(
  storage: string,
  tool: string,
  input: unknown,
  signal: AbortSignal,
): Promise<ToolResult | undefined> {
  for (const file of await listWindowFiles(join(storage, windowsFolder))) {
    const window = await readWindowFile(file);
    const socket = window && (await openSocket(window.path, file));
    if (!socket) continue;
    try {
      addAbortSignal(signal, socket).write(`${JSON.stringify({ token: window.token, tool, input })}\n`);
      const line = await readLine(socket, maxReplyBytes).catch(() => undefined);
      if (line === undefined)
        throw new InputError('The VS Code window ended the call. Nothing more is sent; call again.');
      const reply = v.parse(agentReplySchema, JSON.parse(line));
      if ('error' in reply) throw new InputError(reply.error);
      const { text, picture } = reply;
      return { text, ...(picture !== undefined && { picture: Buffer.from(picture, 'base64') }) };
    } finally {
      socket.destroy();
    }
  }
  return undefined;
}

/** Lists the files of windows, the window that was used last first. */
async function listWindowFiles(folder: string): Promise<readonly string[]> {
  const names = await listNames(nodeFs, folder).catch(() => []);
  const files = await Promise.all(
    names
      .filter(name => name.endsWith('.json'))
      .map(async name => {
        const file = join(folder, name);
        return { file, usedAt: (await nodeFs.stat(file).catch(() => undefined))?.mtimeMs ?? 0 };
      }),
  );
  return files.sort((a, b) => b.usedAt - a.usedAt).map(({ file }) => file);
}

async function readWindowFile(file: string): Promise<v.InferOutput<typeof windowFileSchema> | undefined> {
  try {
    return v.parse(windowFileSchema, JSON.parse(await readRegularTextFile(file, maxWindowFileBytes, nodeFs)));
  } catch {
    return undefined;
  }
}

/** Connects to a window. Removes the file of a window that no longer exists. */
async function openSocket(path: string, file: string): Promise<Socket | undefined> {
  const socket = connect({ path });
  try {
    await once(socket, 'connect');
    return socket.on('error', () => undefined);
  } catch (error) {
    if (['ECONNREFUSED', 'ENOENT'].includes(getErrorCode(error) ?? '')) await removeFiles(nodeFs, [file]);
    return undefined;
  }
}
