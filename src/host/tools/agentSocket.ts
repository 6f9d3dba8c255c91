import type { Socket } from 'node:net';
import * as v from 'valibot';

/*
 * An MCP server outside VS Code passes the calls of an agent to a window over a local socket. Each connection carries one call: a line of JSON
 * from the client, and a line from the window. Closing the connection cancels the call.
 */

/** The folder in the storage that has a file for each window, which only this user can read. */
export const windowsFolder = 'windows';

/** The content of a window's file: where it listens, and the token that proves that the client can read the file. */
export const windowFileSchema = v.object({
  path: v.pipe(v.string(), v.maxLength(1_000)),
  token: v.pipe(v.string(), v.maxLength(100)),
});
export const maxWindowFileBytes = 10_000;

export const agentCallSchema = v.object({
  token: v.pipe(v.string(), v.maxLength(100)),
  tool: v.pipe(v.string(), v.maxLength(100)),
  input: v.unknown(),
});
export const maxCallBytes = 1_000_000;

/** The reply of a window: the result of the tool with the chart in base64, or a sentence for the model. */
export const agentReplySchema = v.union([
  v.object({ error: v.string() }),
  v.object({ text: v.string(), picture: v.optional(v.string()) }),
]);
export type AgentReply = v.InferOutput<typeof agentReplySchema>;
export const maxReplyBytes = 20_000_000;

/** Reads one line from a socket. Throws an Error if the line is longer than `maxBytes`, or if the socket is closed first. */
export async function readLine(socket: Socket, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    const end = chunk.indexOf('\n');
    chunks.push(end === -1 ? chunk : chunk.subarray(0, end));
    length += chunk.length;
    if (length > maxBytes) throw new Error('The line is too long.');
    if (end !== -1) return Buffer.concat(chunks).toString();
  }
  throw new Error('The connection was closed.');
}
