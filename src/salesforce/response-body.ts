import type { Readable } from 'node:stream';
import { crmError } from './classify.ts';
import { JsonCounter } from './json-bounds.ts';

/** As much as the vendor's client takes. Two thousand rows of a query have a fifth of it. */
const MAX_BYTES = 16 * 1024 * 1024;
/** A page of a proxy's. Nothing of it is read but that it is one. */
const MAX_OTHER_BYTES = 64 * 1024;

/** Bytes of bodies that are being read now, of all requests of one tenant. */
export type BodiesRead = { bytes: number };

/** Whether a body is JSON by its type, which Salesforce always gives. */
export function isJsonType(contentType: string | undefined): boolean {
  return /^\s*application\/json\s*(;|$)/i.test(contentType ?? '');
}

/**
 * A body as text. Throws `transient` ANSWER_TOO_LARGE, with the connection dropped, where it is larger than 16 MB, or than 32 MB
 * together with those read beside it, or would cost a parser more than `JSON_BOUNDS`. What is compressed stays so: we ask for
 * none, and it is then no JSON. Of a body that is no JSON the first 64 KB are read.
 */
export async function readText(body: Readable, isJson: boolean, read: BodiesRead): Promise<string> {
  // Dropping a body half-way makes the stream emit an error when nobody iterates it any more.
  body.on('error', () => undefined);
  const counter = isJson ? new JsonCounter() : null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      read.bytes += chunk.byteLength;
      const isTooLarge = size > MAX_BYTES || read.bytes > 2 * MAX_BYTES;
      if (isTooLarge || (counter !== null && counter.push(chunk) !== null))
        throw crmError('transient', 'ANSWER_TOO_LARGE');
      chunks.push(chunk);
      if (!isJson && size > MAX_OTHER_BYTES) break;
    }
  } finally {
    read.bytes -= size;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The JSON of a text. Throws `transient` MALFORMED_ANSWER for any other, and for a text in the place of an answer. */
export function parsedAnswer(text: string): unknown {
  const value = parsedOrText(text);
  if (typeof value === 'string') throw crmError('transient', 'MALFORMED_ANSWER');
  return value;
}

/** The JSON of a text, or the text. */
export function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
