import { once } from 'node:events';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';

const blanks = 1_048_576;

/** The page of a proxy whose service is down. */
export function htmlReply(status: number, headers: Readonly<Record<string, string>>): Response {
  const page = `<!DOCTYPE html>
<html><head><title>${status}</title></head><body><h1>${status}</h1><p>A page of the sandbox, in the place of JSON.</p></body></html>
`;
  return new Response(page, {
    status,
    headers: { ...headers, 'content-type': 'text/html; charset=utf-8', vary: 'Accept-Encoding' },
  });
}

/** Resets the connection without a response. */
export function resetConnection({ outgoing }: HttpBindings): Response {
  outgoing.socket?.resetAndDestroy();
  return RESPONSE_ALREADY_SENT;
}

/** Declares the whole body, sends half of it, and ends the connection. */
export async function sendTruncated(whole: Response, { outgoing }: HttpBindings): Promise<Response> {
  const body = Buffer.from(await whole.arrayBuffer());
  outgoing.writeHead(whole.status, {
    ...Object.fromEntries(whole.headers),
    'content-length': String(body.byteLength),
  });
  if (!outgoing.write(body.subarray(0, Math.floor(body.byteLength / 2)))) await once(outgoing, 'drain');
  outgoing.socket?.destroySoon();
  return RESPONSE_ALREADY_SENT;
}

/** The same JSON after so many MB of white space, which JSON allows: valid, but too large. */
export function oversized(whole: Response, megabytes: number): Response {
  const headers = new Headers(whole.headers);
  headers.delete('content-length');
  const blank = new Uint8Array(blanks).fill(0x20);
  let left = megabytes;
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = whole.body?.getReader();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (left-- > 0) {
          controller.enqueue(blank);
          return;
        }
        const next = await reader?.read();
        if (next?.value) controller.enqueue(next.value);
        else controller.close();
      },
      cancel: async reason => reader?.cancel(reason),
    },
    { highWaterMark: 1 },
  );
  return new Response(body, { status: whole.status, headers });
}
