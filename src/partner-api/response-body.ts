import type { Readable } from 'node:stream';

/** Bytes of all bodies that one client's requests are reading. */
export type BodiesRead = { bytes: number };

/**
 * Reads a body of at most `maxBytes`. All bodies being read together may have twice as much, because many large bodies at once would
 * exhaust memory. Null, with the connection dropped, if it is larger.
 */
export async function readBody(
  body: Readable,
  maxBytes: number,
  read: BodiesRead,
): Promise<Uint8Array | null> {
  // A body dropped half-way emits an error, which would otherwise be unhandled.
  body.on('error', () => undefined);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      read.bytes += chunk.byteLength;
      if (size > maxBytes || read.bytes > 2 * maxBytes) return null;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    read.bytes -= size;
  }
}
