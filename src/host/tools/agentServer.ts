import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import * as nodeFs from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import * as v from 'valibot';
import { throwIfStopped } from '../../core/errors.ts';
import type { Clock } from '../../core/ports.ts';
import { writeTemporary } from '../../service/files/fileSystem.ts';
import { minuteMs } from '../../shared/durations.ts';
import { InputError } from '../inputError.ts';
import { formatRequests } from '../messages/numbers.ts';
import { agentCallSchema, maxCallBytes, readLine, windowsFolder, type AgentReply } from './agentSocket.ts';
import { describeToolError, type GridTool } from './gridTool.ts';

/** The requests that an agent wants to send. */
export interface AgentRequests {
  readonly requests: number;
  /** The query with its range and connection. */
  readonly title: string;
  /** The cost, and what the archive already has. */
  readonly message: string;
}

export interface AgentServerDeps {
  /** The storage of the extension. */
  readonly folder: string;
  /** Creates the tools of one call, so that a call never uses a price that was confirmed for another. */
  readonly createTools: () => Readonly<Record<string, GridTool>>;
  /** Asks the person whether the requests may be sent. */
  readonly confirm: (requests: AgentRequests) => Promise<boolean>;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly logError: (error: unknown) => void;
}

/** The maximum time until a client has sent its call. */
const maxIdleMs = 10_000;
const maxConnections = 8;
/** The time after which the model is told that nobody has answered. */
const maxConfirmationMs = 2 * minuteMs;
/** The maximum length of a socket's path on macOS, without the byte that ends it. */
const maxPathBytes = 103;

/**
 * Runs tools for MCP servers outside VS Code, over a local socket of this window. A client can choose only a tool and its input: connections
 * and keys are those of the window, and the person confirms requests here.
 */
export class AgentServer {
  readonly #deps: AgentServerDeps;
  readonly #token = randomBytes(32).toString('base64url');
  readonly #file: string;
  readonly #server: Server;
  readonly #ended = new AbortController();
  readonly #started: Promise<void>;
  #isConfirming = false;

  constructor(deps: AgentServerDeps) {
    this.#deps = deps;
    this.#file = join(deps.folder, windowsFolder, `${randomUUID()}.json`);
    this.#server = createServer(socket => void this.#serve(socket));
    this.#server.maxConnections = maxConnections;
    // Without the socket, agents still read the archive.
    this.#started = this.#listen().catch((error: unknown) => deps.logError(error));
  }

  /** Resolves when clients can find this window. */
  async waitUntilStarted(): Promise<void> {
    return this.#started;
  }

  /** Makes this window the one that clients try first, because the person is looking at it. */
  async prefer(): Promise<void> {
    const now = new Date();
    await nodeFs.utimes(this.#file, now, now).catch(() => undefined);
  }

  /** Closes the socket, cancels all calls and removes the window's file. */
  async end(): Promise<void> {
    await this.#started;
    this.#ended.abort();
    const path = this.#server.address();
    this.#server.close();
    await nodeFs.unlink(this.#file).catch(() => undefined);
    if (typeof path === 'string' && process.platform !== 'win32')
      await nodeFs.rm(dirname(path), { recursive: true, force: true });
  }

  async #listen(): Promise<void> {
    const path = await createSocketPath();
    this.#server.listen({ path });
    await once(this.#server, 'listening');
    this.#server.on('error', this.#deps.logError);
    await nodeFs.mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
    const temporary = await writeTemporary(nodeFs, this.#file, JSON.stringify({ path, token: this.#token }));
    await nodeFs.rename(temporary, this.#file);
  }

  async #serve(socket: Socket): Promise<void> {
    // A client that ends early is no error.
    addAbortSignal(this.#ended.signal, socket).on('error', () => undefined);
    socket.setTimeout(maxIdleMs, () => socket.destroy());
    try {
      const call = v.parse(agentCallSchema, JSON.parse(await readLine(socket, maxCallBytes)));
      if (!isSameToken(call.token, this.#token)) throw new Error('Wrong token.');
      socket.setTimeout(0);
      const closed = new AbortController();
      socket.once('close', () => closed.abort()).resume();
      socket.end(`${JSON.stringify(await this.#run(call, closed.signal))}\n`);
    } catch {
      socket.destroy();
    }
  }

  async #run({ tool: name, input }: v.InferOutput<typeof agentCallSchema>, signal: AbortSignal): Promise<AgentReply> {
    try {
      const tools = this.#deps.createTools();
      const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
      if (!tool) throw new InputError('Unknown tool. Grid Data in VS Code may be another version.');
      const { requests = 0, confirmationMessages } = await tool.prepare(input);
      if (confirmationMessages) await this.#confirm({ requests, ...confirmationMessages }, signal);
      const { text, picture } = await tool.invoke(input, signal);
      return { text, ...(picture && { picture: Buffer.from(picture).toString('base64') }) };
    } catch (error) {
      return { error: describeToolError(error, this.#deps.logError) };
    }
  }

  /** Throws InputError with a sentence for the model unless the person allows the requests. */
  async #confirm(requests: AgentRequests, signal: AbortSignal): Promise<void> {
    if (this.#isConfirming)
      throw new InputError(
        'Nothing was sent, because another call waits for a confirmation in VS Code. Call again after it.',
      );
    this.#isConfirming = true;
    const answered = new AbortController();
    const answer = this.#deps.confirm(requests).finally(() => (this.#isConfirming = false));
    const timeout = this.#deps.clock
      .sleep(maxConfirmationMs, AbortSignal.any([signal, answered.signal]))
      .catch(() => throwIfStopped(signal));
    const isAllowed = await Promise.race([answer, timeout]).finally(() => answered.abort());
    if (isAllowed === undefined)
      throw new InputError(
        'Nothing was sent, because nobody has answered the confirmation in VS Code. Ask the person to look there before you call again.',
      );
    if (!isAllowed)
      throw new InputError(
        `Nothing was sent, because the person declined ${formatRequests(requests.requests)} in VS Code. Do not call again unless they ask for it.`,
      );
  }
}

/** Returns a new path for a socket: in a new folder that only this user can open, or a named pipe on Windows. */
async function createSocketPath(): Promise<string> {
  if (process.platform === 'win32') return String.raw`\\.\pipe\grid-data-${randomUUID()}`;
  const name = 'grid-data-';
  const isShort = Buffer.byteLength(join(tmpdir(), `${name}XXXXXX`, 'socket')) <= maxPathBytes;
  return join(await nodeFs.mkdtemp(join(isShort ? tmpdir() : '/tmp', name)), 'socket');
}

function isSameToken(token: string, expected: string): boolean {
  const bytes = Buffer.from(token);
  const expectedBytes = Buffer.from(expected);
  return bytes.length === expectedBytes.length && timingSafeEqual(bytes, expectedBytes);
}
