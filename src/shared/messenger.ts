/** The methods of one side of a channel, by name. Each has at most one parameter, and may return a value. */
type Methods<Local> = { readonly [Name in keyof Local]: (params: never) => unknown };

type ParamsOf<Method> = Method extends (params: infer Params) => unknown ? Params : never;
type ResultOf<Method> = Method extends (params: never) => infer Result ? Awaited<Result> : never;

/** A message on the channel: a call, which is a request if it has an id, or the reply to a request. */
export type Message =
  | { readonly id?: number; readonly method: string; readonly params: unknown }
  | { readonly reply: number; readonly result?: unknown; readonly error?: string };

/** The implementations of the methods of one side. An error of a request is sent back as its message. */
export type Handlers<Local> = {
  readonly [Name in keyof Local]: (
    params: ParamsOf<Local[Name]>,
  ) => ResultOf<Local[Name]> | Promise<ResultOf<Local[Name]>>;
};

/**
 * One end of a channel between two sides, each of which may call methods of the other. Handlers start immediately, in the order of the
 * calls; each request gets exactly one reply.
 */
export class Messenger<Local extends Methods<Local>, Remote extends Methods<Remote>> {
  readonly #post: (message: Message) => unknown;
  readonly #handlers: Handlers<Local>;
  readonly #onError: (error: unknown) => void;
  readonly #validate: (method: keyof Local, params: unknown) => unknown;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;

  /**
   * `post` may resolve to false if there is no receiver. `onError` gets the error of a notification, which has no reply. `validate`
   * returns the parameters for a handler, or throws if they are invalid.
   */
  constructor(
    post: (message: Message) => unknown,
    handlers: Handlers<Local>,
    onError: (error: unknown) => void,
    validate: (method: keyof Local, params: unknown) => unknown = (_, params) => params,
  ) {
    this.#post = post;
    this.#handlers = handlers;
    this.#onError = onError;
    this.#validate = validate;
  }

  /** Calls a method without a reply; resolves when the message is posted. */
  async notify<Name extends keyof Remote & string>(method: Name, params: ParamsOf<Remote[Name]>): Promise<void> {
    await this.#post({ method, params });
  }

  /** Calls a method. Resolves to its result, or to undefined if the other side is gone; rejects with the message of its error. */
  async request<Name extends keyof Remote & string>(
    method: Name,
    params: ParamsOf<Remote[Name]>,
  ): Promise<ResultOf<Remote[Name]> | undefined> {
    const id = ++this.#lastId;
    const pending = Promise.withResolvers<unknown>();
    this.#pending.set(id, pending);
    if ((await this.#post({ id, method, params })) === false) this.#handleReply({ reply: id });
    return (await pending.promise) as ResultOf<Remote[Name]> | undefined;
  }

  /** Handles a message from the other side. Messages of other channels are ignored. */
  receive(raw: unknown): void {
    if (typeof raw !== 'object' || raw === null) return;
    if ('reply' in raw) this.#handleReply(raw as Extract<Message, { reply: unknown }>);
    else void this.#handle(raw as Exclude<Message, { reply: unknown }>);
  }

  /** Resolves all open requests to undefined, since the other side is gone or has restarted. */
  resolvePending(): void {
    for (const reply of [...this.#pending.keys()]) this.#handleReply({ reply });
  }

  async #handle({ id, method, params }: Exclude<Message, { reply: unknown }>): Promise<void> {
    const isRequest = typeof id === 'number';
    const isKnownMethod = Object.hasOwn(this.#handlers, method);
    // Other senders may post to the same window.
    if (!isRequest && !isKnownMethod) return;
    try {
      if (!isKnownMethod) throw new Error('Unknown message.');
      const name = method as keyof Local;
      const result = await this.#handlers[name](this.#validate(name, params) as never);
      if (isRequest) this.#post({ reply: id, ...(result !== undefined && { result }) });
    } catch (error) {
      if (isRequest) this.#post({ reply: id, error: error instanceof Error ? error.message : String(error) });
      else this.#onError(error);
    }
  }

  #handleReply({ reply, result, error }: Extract<Message, { reply: unknown }>): void {
    const pending = this.#pending.get(reply);
    this.#pending.delete(reply);
    if (error === undefined) pending?.resolve(result);
    else pending?.reject(new Error(error));
  }
}
