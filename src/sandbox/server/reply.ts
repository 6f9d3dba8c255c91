type Headers = Readonly<Record<string, string>>;

/** The minimum number of characters of a part; longer texts are sent in several parts. */
const partLength = 262_144;

export const allowHeader = { allow: 'GET, HEAD, OPTIONS' };

export function methodNotAllowed(method: string, headers: Headers = allowHeader): Response {
  return jsonReply(405, { detail: `Method "${method}" not allowed.` }, headers);
}

/** Creates a JSON response. It declares its length, so that small bodies are not compressed. */
export function jsonReply(status: number, body: unknown, headers: Headers = {}): Response {
  return completeReply(status, JSON.stringify(body), headers);
}

/**
 * Creates a response `{"meta": …, "data": [record, …]}`. A long body is generated while the client reads it, so that it is never
 * in memory as a whole. An error before the first part rejects the promise.
 */
export async function dataReply(
  meta: unknown,
  batches: AsyncIterator<readonly unknown[]>,
  headers: Headers,
): Promise<Response> {
  const parts = generateParts(meta, batches);
  const first = await parts.next();
  const text = first.done ? '' : first.value.text;
  if (first.done || first.value.last) return completeReply(200, text, headers);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      start: controller => controller.enqueue(encoder.encode(text)),
      async pull(controller) {
        const part = await parts.next();
        if (!part.done) controller.enqueue(encoder.encode(part.value.text));
        if (part.done ?? part.value.last) controller.close();
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

async function* generateParts(
  meta: unknown,
  batches: AsyncIterator<readonly unknown[]>,
): AsyncGenerator<Part, undefined> {
  let text = `{"meta":${JSON.stringify(meta)},"data":[`;
  let separator = '';
  for (let batch = await batches.next(); !batch.done; batch = await batches.next()) {
    if (text.length >= partLength) {
      yield { text, last: false };
      text = '';
    }
    for (const record of batch.value) {
      text += separator + JSON.stringify(record);
      separator = ',';
    }
  }
  yield { text: `${text}]}`, last: true };
  return undefined;
}

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8', vary: 'Accept-Encoding' };

function completeReply(status: number, text: string, headers: Headers): Response {
  const bytes = Buffer.from(text);
  return new Response(bytes, {
    status,
    headers: { ...jsonHeaders, 'content-length': String(bytes.byteLength), ...headers },
  });
}
