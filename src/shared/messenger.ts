/** What one side of a channel does for the other, by name: each takes one value and gives one, or nothing. */
export type Methods<Own> = { readonly [Name in keyof Own]: (params: never) => unknown };

type ParamsOf<Method> = Method extends (params: infer Params) => unknown ? Params : never;
type ResultOf<Method> = Method extends (params: never) => infer Result ? Awaited<Result> : never;

/** As it goes over the channel: a call, which is answered where it has an id, or the reply to one. */
export type Message =
  | { readonly id?: number; readonly method: string; readonly params: unknown }
  | { readonly reply: number; readonly result?: unknown; readonly error?: string };

/** How the methods of one side are carried out. One that throws is answered with the message of its error. */
export type Handlers<Own> = {
  readonly [Name in keyof Own]: (params: ParamsOf<Own[Name]>) => ResultOf<Own[Name]> | Promise<ResultOf<Own[Name]>>;
};

/**
 * One end of a channel between two sides, each of which may call what the other has. Handlers run at once, in the order in which
 * calls come; each call with an id is answered exactly once.
 */
export class Messenger<Own extends Methods<Own>, Other extends Methods<Other>> {
  readonly #post: (message: Message) => unknown;
  readonly #handlers: Handlers<Own>;
  readonly #failed: (error: unknown) => void;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;

  /**
   * `post` may resolve to false where nobody is there to take the message. `failed` hears of a notification that could not be
   * carried out: nobody waits for an answer to it.
   */
  constructor(post: (message: Message) => unknown, handlers: Handlers<Own>, failed: (error: unknown) => void) {
    this.#post = post;
    this.#handlers = handlers;
    this.#failed = failed;
  }

  /** Calls without an answer; resolves when the other side has the message, or never will. */
  async notify<Name extends keyof Other & string>(method: Name, params: ParamsOf<Other[Name]>): Promise<void> {
    await this.#post({ method, params });
  }

  /** Resolves to what the other side gives; to undefined where it is gone. Rejects with an error that has its message. */
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

  /** Takes a message of the other side. What is no message of this channel is refused, or ignored. */
  receive(raw: unknown): void {
    if (typeof raw !== 'object' || raw === null) return;
    if ('reply' in raw) this.#settle(raw as Extract<Message, { reply: unknown }>);
    else void this.#handle(raw as Exclude<Message, { reply: unknown }>);
  }

  /** The other side is gone or began anew: it answers nothing that was asked before. */
  abandon(): void {
    for (const reply of [...this.#waiting.keys()]) this.#settle({ reply });
  }

  async #handle({ id, method, params }: Exclude<Message, { reply: unknown }>): Promise<void> {
    const isRequest = typeof id === 'number';
    const isOurs = Object.hasOwn(this.#handlers, method);
    // Others may post to the same window.
    if (!isRequest && !isOurs) return;
    try {
      if (!isOurs) throw new Error('Unknown message.');
      const result = await this.#handlers[method as keyof Own](params as never);
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
