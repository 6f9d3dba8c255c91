/** The methods of one side of a channel, by name. Each has one parameter at most, and may return a value. */
type Methods<Own> = { readonly [Name in keyof Own]: (params: never) => unknown };

type ParamsOf<Method> = Method extends (params: infer Params) => unknown ? Params : never;
type ResultOf<Method> = Method extends (params: never) => infer Result ? Awaited<Result> : never;

/** A message on the channel: a call, which is a request where it has an id, or the reply to a request. */
export type Message =
  | { readonly id?: number; readonly method: string; readonly params: unknown }
  | { readonly reply: number; readonly result?: unknown; readonly error?: string };

/** The implementations of the methods of one side. An error of a request is sent back as its message. */
export type Handlers<Own> = {
  readonly [Name in keyof Own]: (params: ParamsOf<Own[Name]>) => ResultOf<Own[Name]> | Promise<ResultOf<Own[Name]>>;
};

/**
 * One end of a channel between two sides, each of which may call methods of the other. Handlers start immediately, in the order of the
 * calls; each request gets exactly one reply.
 */
export class Messenger<Own extends Methods<Own>, Other extends Methods<Other>> {
  readonly #post: (message: Message) => unknown;
  readonly #handlers: Handlers<Own>;
  readonly #failed: (error: unknown) => void;
  readonly #read: (method: keyof Own, params: unknown) => unknown;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;

  /**
   * `post` may resolve to false if there is no receiver. `onError` gets the error of a notification, which has no reply. `validate`
   * returns the parameters for a handler, or throws if they are invalid.
   */
  constructor(
    post: (message: Message) => unknown,
    handlers: Handlers<Own>,
    failed: (error: unknown) => void,
    read: (method: keyof Own, params: unknown) => unknown = (_, params) => params,
  ) {
    this.#post = post;
    this.#handlers = handlers;
    this.#failed = failed;
    this.#read = read;
  }

  /** Calls a method without a reply; resolves when the message is posted. */
  async notify<Name extends keyof Other & string>(method: Name, params: ParamsOf<Other[Name]>): Promise<void> {
    await this.#post({ method, params });
  }

  /** Calls a method. Resolves to its result, or to undefined if the other side is gone; rejects with the message of its error. */
  async request<Name extends keyof Other & string>(
    method: Name,
    params: ParamsOf<Other[Name]>,
  ): Promise<ResultOf<Other[Name]> | undefined> {
    const id = ++this.#lastId;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    if ((await this.#post({ id, method, params })) === false) this.#settle({ reply: id });
    return (await waiting.promise) as ResultOf<Other[Name]> | undefined;
  }

  /** Handles a message from the other side. Messages of other channels are ignored. */
  receive(raw: unknown): void {
    if (typeof raw !== 'object' || raw === null) return;
    if ('reply' in raw) this.#settle(raw as Extract<Message, { reply: unknown }>);
    else void this.#handle(raw as Exclude<Message, { reply: unknown }>);
  }

  /** Resolves all open requests to undefined, since the other side is gone or has restarted. */
  abandon(): void {
    for (const reply of [...this.#waiting.keys()]) this.#settle({ reply });
  }

  async #handle({ id, method, params }: Exclude<Message, { reply: unknown }>): Promise<void> {
    const isRequest = typeof id === 'number';
    const isOurs = Object.hasOwn(this.#handlers, method);
    // Other senders may post to the same window.
    if (!isRequest && !isOurs) return;
    try {
      if (!isOurs) throw new Error('Unknown message.');
      const name = method as keyof Own;
      const result = await this.#handlers[name](this.#read(name, params) as never);
      if (isRequest) this.#post({ reply: id, ...(result !== undefined && { result }) });
    } catch (error) {
      if (isRequest) this.#post({ reply: id, error: error instanceof Error ? error.message : String(error) });
      else this.#failed(error);
    }
  }

  #settle({ reply, result, error }: Extract<Message, { reply: unknown }>): void {
    const waiting = this.#waiting.get(reply);
    this.#waiting.delete(reply);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(error));
  }
}
