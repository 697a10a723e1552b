import type { Readable } from 'node:stream';
import { ExactNumbers } from './exact-numbers.ts';
import { JsonCounter } from './json-bounds.ts';

/** Bytes of bodies that are being read now, of all requests of one client. */
export type BodiesRead = { bytes: number };

/** Why a body is not parsed. */
export type BodyFault = 'BODY_TOO_LARGE' | 'BODY_TOO_DEEP' | 'BODY_NOT_JSON';

export type ReadBody = { readonly value: unknown } | { readonly fault: BodyFault };

/** As much of a body that is no JSON is read as leaves its connection usable. */
const UNREAD_BYTES = 64 * 1024;

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Whether a body is JSON by its type: `application/json` or one that ends in `+json`. One without a type is tried, since the
 * documents promise none; no type leads to any other parser.
 */
export function isJsonType(contentType: string | readonly string[] | undefined): boolean {
  if (contentType === undefined || contentType === '') return true;
  return (
    typeof contentType === 'string' && /^\s*application\/([\w.!#$&^-]+\+)?json\s*(;|$)/i.test(contentType)
  );
}

/**
 * Reads and parses a body of at most `maxBytes`, and of twice as much together with those read beside it: a hundred bodies at
 * once would take as much memory as a hundred times one. A body that costs more than `JSON_BOUNDS` is dropped with its
 * connection. No digit of a number is lost: one that a double cannot hold is the text it was sent as.
 */
export async function readJsonBody(body: Readable, maxBytes: number, read: BodiesRead): Promise<ReadBody> {
  const counter = new JsonCounter();
  const numbers = new ExactNumbers();
  const pieces: Uint8Array[] = [];
  const fault = await readPieces(body, maxBytes, read, (chunk) => {
    const excess = counter.push(chunk);
    if (excess !== null) return excess === 'levels' ? 'BODY_TOO_DEEP' : 'BODY_TOO_LARGE';
    pieces.push(Buffer.concat(numbers.push(chunk)));
    return null;
  });
  if (fault !== null) return { fault };
  try {
    return { value: JSON.parse(UTF_8.decode(Buffer.concat([...pieces, ...numbers.end()]))) };
  } catch {
    return { fault: 'BODY_NOT_JSON' };
  }
}

/** Reads a body that is not wanted, or drops it with its connection where it is long. */
export async function dropBody(body: Readable, read: BodiesRead, maxBytes = UNREAD_BYTES): Promise<void> {
  await readPieces(body, maxBytes, read, () => null);
}

async function readPieces(
  body: Readable,
  maxBytes: number,
  read: BodiesRead,
  take: (chunk: Uint8Array) => BodyFault | null,
): Promise<BodyFault | null> {
  // Dropping a body half-way makes the stream emit an error when nobody iterates it any more.
  body.on('error', () => undefined);
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      read.bytes += chunk.byteLength;
      if (size > maxBytes || read.bytes > 2 * maxBytes) return 'BODY_TOO_LARGE';
      const fault = take(chunk);
      if (fault !== null) return fault;
    }
    return null;
  } finally {
    read.bytes -= size;
  }
}
