import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { callWindow } from '../../../../src/cli/windowClient.ts';
import { InputError } from '../../../../src/host/inputError.ts';
import { AgentServer, type AgentRequests, type AgentServerDeps } from '../../../../src/host/tools/agentServer.ts';
import type { GridTool } from '../../../../src/host/tools/gridTool.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';

const never = async (): Promise<never> => new Promise(() => undefined);

describe('the server of a window for agents', () => {
  let folder: string;
  let server: AgentServer | undefined;
  let confirmations: AgentRequests[];
  let invokedInputs: unknown[];
  let signal: AbortSignal;

  beforeEach(() => {
    folder = createTemporaryFolder();
    confirmations = [];
    invokedInputs = [];
    // It begins with each test, because the tests before may take longer than the timeout.
    signal = AbortSignal.timeout(60_000);
  });

  afterEach(async () => server?.end());

  /** Starts a server with a tool that costs `requests`. */
  async function start(requests: number, deps: Partial<AgentServerDeps> = {}): Promise<AgentServer> {
    const tool: GridTool = {
      prepare: async () =>
        Promise.resolve(
          requests === 0 ? {} : { requests, confirmationMessages: { title: 'March, Grid', message: 'Cost.' } },
        ),
      invoke: async input =>
        Promise.resolve({ text: `${invokedInputs.push(input)} call`, picture: Uint8Array.of(0, 255) }),
    };
    server = new AgentServer({
      folder,
      createTools: () => ({ query: tool }),
      confirm: async confirmation => Promise.resolve(confirmations.push(confirmation) > 0),
      clock: { sleep: never },
      logError: error => assert.fail(String(error)),
      ...deps,
    });
    await server.waitUntilStarted();
    return server;
  }

  const listWindows = (): string[] => readdirSync(join(folder, 'windows'));

  function readWindow(): { file: string; path: string; token: string } {
    const [name = ''] = listWindows();
    const file = join(folder, 'windows', name);
    return { file, ...(JSON.parse(readFileSync(file, 'utf8')) as { path: string; token: string }) };
  }

  /** Sends a text to the socket of the window. Resolves to what it replies before it closes the connection. */
  async function send(text: string): Promise<string> {
    const socket = connect({ path: readWindow().path });
    let reply = '';
    socket.on('error', () => undefined).on('data', chunk => (reply += String(chunk)));
    socket.write(text);
    await new Promise(resolve => socket.once('close', resolve));
    return reply;
  }

  it('returns the text and the picture of a tool without a question if no request is needed', async () => {
    await start(0);
    const result = await callWindow(folder, 'query', { range: 'today' }, signal);
    assert.equal(result?.text, '1 call');
    assert.deepEqual([...(result.picture ?? [])], [0, 255]);
    assert.deepEqual(invokedInputs, [{ range: 'today' }]);
    assert.deepEqual(confirmations, []);
  });

  it('shows the number of requests with the range and connection, and sends them if the person allows it', async () => {
    await start(3);
    assert.equal((await callWindow(folder, 'query', {}, signal))?.text, '1 call');
    assert.deepEqual(confirmations, [{ requests: 3, title: 'March, Grid', message: 'Cost.' }]);
  });

  it('sends nothing if the person declines', async () => {
    await start(3, { confirm: async () => Promise.resolve(false) });
    const call = callWindow(folder, 'query', {}, signal);
    await assert.rejects(
      call,
      new InputError(
        'Nothing was sent, because the person declined 3 requests in VS Code. Do not call again unless they ask for it.',
      ),
    );
    assert.deepEqual(invokedInputs, []);
  });

  it('tells the model if nobody answers, and sends nothing for a late answer', async () => {
    let answer: (isAllowed: boolean) => void = () => undefined;
    await start(3, {
      confirm: async () => new Promise(resolve => (answer = resolve)),
      clock: { sleep: async () => Promise.resolve() },
    });
    await assert.rejects(callWindow(folder, 'query', {}, signal), /nobody has answered/);
    answer(true);
    await new Promise(setImmediate);
    assert.deepEqual(invokedInputs, []);
  });

  it('asks one question at a time', async () => {
    let answer: (isAllowed: boolean) => void = () => undefined;
    const isOpen = Promise.withResolvers<undefined>();
    await start(3, {
      confirm: async () =>
        new Promise(resolve => {
          answer = resolve;
          isOpen.resolve(undefined);
        }),
    });
    const first = callWindow(folder, 'query', { call: 1 }, signal);
    await isOpen.promise;
    await assert.rejects(callWindow(folder, 'query', { call: 2 }, signal), /another call waits for a confirmation/);
    answer(true);
    await first;
    assert.deepEqual(invokedInputs, [{ call: 1 }]);
  });

  it('sends nothing for a confirmation whose client has gone', async () => {
    let answer: (isAllowed: boolean) => void = () => undefined;
    const isOpen = Promise.withResolvers<undefined>();
    const gone = Promise.withResolvers<undefined>();
    await start(3, {
      confirm: async () =>
        new Promise(resolve => {
          answer = resolve;
          isOpen.resolve(undefined);
        }),
      clock: {
        sleep: async (_, callSignal) =>
          new Promise((_resolve, reject) => {
            callSignal?.addEventListener('abort', () => {
              reject(new Error('aborted'));
              gone.resolve(undefined);
            });
          }),
      },
    });
    const controller = new AbortController();
    const call = callWindow(folder, 'query', {}, controller.signal);
    await isOpen.promise;
    controller.abort();
    await assert.rejects(call, /ended the call/);
    await gone.promise;
    answer(true);
    await new Promise(setImmediate);
    assert.deepEqual(invokedInputs, []);
  });

  it('cancels a call whose client has gone', async () => {
    const cancelled = Promise.withResolvers<undefined>();
    const invoked = Promise.withResolvers<undefined>();
    await start(0, {
      createTools: () => ({
        query: {
          prepare: async () => Promise.resolve({}),
          invoke: async (_, toolSignal) => {
            toolSignal.addEventListener('abort', () => cancelled.resolve(undefined));
            invoked.resolve(undefined);
            return never();
          },
        },
      }),
    });
    const controller = new AbortController();
    const call = callWindow(folder, 'query', {}, controller.signal);
    await invoked.promise;
    controller.abort();
    await assert.rejects(call, /ended the call/);
    await cancelled.promise;
  });

  it('closes the connection without a reply for a wrong token, a wrong form or an endless line', async () => {
    await start(0);
    const { token } = readWindow();
    const wrongToken = JSON.stringify({
      token: token.replace(/.$/, last => (last === 'A' ? 'B' : 'A')),
      tool: 'query',
      input: {},
    });
    for (const text of [
      `${wrongToken}\n`,
      '{}\n',
      'GET / HTTP/1.1\n',
      JSON.stringify({ token, tool: 1 }) + '\n',
      'x'.repeat(1_100_000),
    ])
      assert.equal(await send(text), '', text.slice(0, 100));
    assert.deepEqual(invokedInputs, []);
    assert.match(await send(`${JSON.stringify({ token, tool: 'query', input: {} })}\n`), /1 call/);
  });

  it('describes errors in a sentence, also for a tool that does not exist or is named like a member of objects', async () => {
    await start(0, { createTools: () => ({}) });
    for (const tool of ['query', 'constructor', '__proto__'])
      await assert.rejects(callWindow(folder, tool, {}, signal), /Unknown tool/);
  });

  it('keeps its token in a file that only this user can read, and its socket in a folder of its own', async function () {
    if (process.platform === 'win32') return this.skip();
    await start(0);
    const { file, path, token } = readWindow();
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(statSync(dirname(path)).mode & 0o777, 0o700);
    assert.ok(Buffer.byteLength(path) <= 103, path);
    assert.ok(token.length >= 40);
  });

  it('removes its file and socket when the window closes, and cancels its calls', async () => {
    const invoked = Promise.withResolvers<undefined>();
    const running = await start(0, {
      createTools: () => ({
        query: {
          prepare: async () => Promise.resolve({}),
          invoke: async () => {
            invoked.resolve(undefined);
            return never();
          },
        },
      }),
    });
    const { path } = readWindow();
    const call = callWindow(folder, 'query', {}, signal);
    await invoked.promise;
    await Promise.all([assert.rejects(call, /ended the call/), running.end()]);
    server = undefined;
    assert.deepEqual(listWindows(), []);
    assert.ok(process.platform === 'win32' || !existsSync(dirname(path)));
    assert.equal(await callWindow(folder, 'query', {}, signal), undefined);
  });

  it('is found behind files of dead windows, which are removed, and behind files of another form, which stay', async () => {
    await start(0);
    const { file } = readWindow();
    const long = new Date(2020, 0);
    utimesSync(file, long, long);
    writeFileSync(join(folder, 'windows', 'dead.json'), JSON.stringify({ path: join(folder, 'none'), token: 'x' }));
    writeFileSync(join(folder, 'windows', 'other.json'), '{"path":1}');
    assert.equal((await callWindow(folder, 'query', {}, signal))?.text, '1 call');
    assert.deepEqual(
      listWindows().filter(name => !file.endsWith(name)),
      ['other.json'],
    );
  });

  it('is tried first in the window that was focused last', async () => {
    const first = await start(0);
    const { file } = readWindow();
    const second = await start(0, { createTools: () => ({}) });
    try {
      const long = new Date(2020, 0);
      for (const name of listWindows()) utimesSync(join(folder, 'windows', name), long, long);
      await first.prefer();
      assert.ok(statSync(file).mtimeMs > long.getTime());
      assert.equal((await callWindow(folder, 'query', {}, signal))?.text, '1 call');
      await second.prefer();
      utimesSync(file, long, long);
      await assert.rejects(callWindow(folder, 'query', {}, signal), /Unknown tool/);
    } finally {
      await first.end();
    }
  });
});
