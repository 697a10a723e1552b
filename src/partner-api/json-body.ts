import type { Readable } from 'node:stream';
import { ExactNumbers, MOST_LONG_NUMBERS } from './exact-numbers.ts';
import { JsonCounter } from './json-bounds.ts';

/**
 * How many bytes one client has read of the bodies that it is reading at the moment. It is counted because all these bodies together have a
 * size limit.
 */
export type BodiesRead = { bytes: number };

/** Why a body is not parsed: it exceeds a limit of size, is nested too deeply, or is not JSON. */
export type BodyFault = 'BODY_TOO_LARGE' | 'BODY_TOO_DEEP' | 'BODY_NOT_JSON';

export type ReadBody = { readonly value: unknown } | { readonly fault: BodyFault };

/**
 * If an answer's body is not needed, up to this many bytes of it are read, so that its connection can be used again. If it is longer, the
 * connection is closed.
 */
const UNREAD_BYTES = 64 * 1024;

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Whether a body may be parsed as JSON: its type is `application/json` or ends in `+json`, or it has no type, because the documents promise
 * none. Other types are not parsed.
 */
export function isJsonType(contentType: string | readonly string[] | undefined): boolean {
  if (contentType === undefined || contentType === '') return true;
  return typeof contentType === 'string' && /^\s*application\/([\w.!#$&^-]+\+)?json\s*(;|$)/i.test(contentType);
}

/**
 * Reads and parses a body of at most `maxBytes`. All bodies that one client reads at the same time may together have twice as many bytes,
 * so that they do not exhaust the memory. If a body exceeds `JSON_BOUNDS` (limits of nesting, values and lengths), it is dropped and its
 * connection is closed. A number that a double cannot represent exactly becomes a string of the number as sent.
 */
export async function readJsonBody(body: Readable, maxBytes: number, read: BodiesRead): Promise<ReadBody> {
  const counter = new JsonCounter();
  const numbers = new ExactNumbers();
  const pieces: Uint8Array[] = [];
  const fault = await readPieces(body, maxBytes, read, (chunk) => {
    const excess = counter.push(chunk);
    if (excess !== null) return excess === 'levels' ? 'BODY_TOO_DEEP' : 'BODY_TOO_LARGE';
    pieces.push(Buffer.concat(numbers.push(chunk)));
    return numbers.long > MOST_LONG_NUMBERS ? 'BODY_TOO_LARGE' : null;
  });
  if (fault !== null) return { fault };
  try {
    return { value: JSON.parse(UTF_8.decode(Buffer.concat([...pieces, ...numbers.end()]))) };
  } catch {
    return { fault: 'BODY_NOT_JSON' };
  }
}

/**
 * Reads the rest of a body whose content is not needed, so that its connection can be used again. If the body is long, closes the
 * connection instead.
 */
export async function dropBody(body: Readable, read: BodiesRead, maxBytes = UNREAD_BYTES): Promise<void> {
  await readPieces(body, maxBytes, read, () => null);
}

async function readPieces(
  body: Readable,
  maxBytes: number,
  read: BodiesRead,
  take: (chunk: Uint8Array) => BodyFault | null,
): Promise<BodyFault | null> {
  // If a body is dropped half-way, the stream emits an error after the loop has ended. Without a listener, that error would end the
  // process.
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
