import type { Readable } from 'node:stream';

/** Bytes of bodies that are being read now, of all requests of one client. */
export type BodiesRead = { bytes: number };

/**
 * Reads a body of at most `maxBytes`, and of twice as much together with those read beside it: a hundred bodies at once would
 * take as much memory as a hundred times one. `null`, with the connection dropped, when it is larger.
 */
export async function readBody(
  body: Readable,
  maxBytes: number,
  read: BodiesRead,
): Promise<Uint8Array | null> {
  // Dropping a body half-way makes the stream emit an error when nobody iterates it any more.
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
