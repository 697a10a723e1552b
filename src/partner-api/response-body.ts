import type { Readable } from 'node:stream';

/** Reads a body of at most `maxBytes`; `null`, with the connection dropped, when it is larger. */
export async function readBody(body: Readable, maxBytes: number): Promise<Uint8Array | null> {
  // Dropping a body half-way makes the stream emit an error when nobody iterates it any more.
  body.on('error', () => undefined);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
