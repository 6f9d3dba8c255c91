type Headers = Readonly<Record<string, string>>;

/** Longer texts (characters) are sent in parts. */
const partLength = 262_144;

export const allowed = { allow: 'GET, HEAD, OPTIONS' };

export function methodNotAllowed(method: string, headers: Headers = allowed): Response {
  return jsonReply(405, { detail: `Method "${method}" not allowed.` }, headers);
}

/** A JSON response. It declares its length, so that small bodies are not compressed. */
export function jsonReply(status: number, body: unknown, headers: Headers = {}): Response {
  return wholeReply(status, JSON.stringify(body), headers);
}

/**
 * `{"meta": …, "data": [record, …]}`. A long one is made while it is sent, no faster than the client reads it: neither its
 * records nor its text are ever in memory as a whole. Throws what fails before the first part is sent.
 */
export async function dataReply(
  meta: unknown,
  batches: AsyncIterator<readonly unknown[]>,
  headers: Headers,
): Promise<Response> {
  const parts = partsOf(meta, batches);
  const first = await parts.next();
  const text = first.done ? '' : first.value.text;
  if (first.done || first.value.last) return wholeReply(200, text, headers);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      start: controller => controller.enqueue(encoder.encode(text)),
      async pull(controller) {
        const next = await parts.next();
        if (!next.done) controller.enqueue(encoder.encode(next.value.text));
        if (next.done ?? next.value.last) controller.close();
      },
      async cancel() {
        await parts.return(undefined);
      },
    },
    { highWaterMark: 1 },
  );
  return new Response(body, { status: 200, headers: { ...jsonHeaders, ...headers } });
}

interface Part {
  readonly text: string;
  readonly last: boolean;
}

async function* partsOf(meta: unknown, batches: AsyncIterator<readonly unknown[]>): AsyncGenerator<Part, undefined> {
  let text = `{"meta":${JSON.stringify(meta)},"data":[`;
  let between = '';
  for (let batch = await batches.next(); !batch.done; batch = await batches.next()) {
    if (text.length >= partLength) {
      yield { text, last: false };
      text = '';
    }
    for (const record of batch.value) {
      text += between + JSON.stringify(record);
      between = ',';
    }
  }
  yield { text: `${text}]}`, last: true };
  return undefined;
}

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8', vary: 'Accept-Encoding' };

function wholeReply(status: number, text: string, headers: Headers): Response {
  const bytes = Buffer.from(text);
  return new Response(bytes, {
    status,
    headers: { ...jsonHeaders, 'content-length': String(bytes.byteLength), ...headers },
  });
}
