/** A JSON answer. Its length is declared, so that small bodies are left uncompressed. */
export function jsonReply(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  return new Response(bytes, {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(bytes.byteLength),
      vary: 'Accept-Encoding',
      ...headers,
    },
  });
}
