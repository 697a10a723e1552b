import type { Readable } from 'node:stream';
import { JsonCounter } from '../partner-api/json-bounds.ts';
import { crmError } from './classify.ts';

/** The largest JSON body, in bytes. Two thousand rows of a query take a fifth of it. The vendor's client has the same limit. */
const MAX_BYTES = 16 * 1024 * 1024;
/** The number of bytes that are read of a body that is no JSON, such as a proxy's page. */
const MAX_OTHER_BYTES = 64 * 1024;

/** The number of bytes of all bodies that one tenant's requests are reading. */
export type BodiesRead = { bytes: number };

/** Whether the body's media type is JSON. Salesforce always sends the type. */
export function isJsonType(contentType: string | undefined): boolean {
  return /^\s*application\/json\s*(;|$)/i.test(contentType ?? '');
}

/** Whether the body's media type is XML, as the SOAP API answers. */
export function isXmlType(contentType: string | undefined): boolean {
  return /^\s*text\/xml\s*(;|$)/i.test(contentType ?? '');
}

/**
 * Reads a body as text. Throws `transient` ANSWER_TOO_LARGE and drops the connection if the body is larger than 16 MB, if all bodies
 * being read are larger than 32 MB together, or if its JSON exceeds `JSON_BOUNDS`. Of a body that is no JSON, reads the first 64 KB. Does
 * not decompress, because no request allows compression.
 */
export async function readText(body: Readable, isJson: boolean, read: BodiesRead): Promise<string> {
  // A body dropped half-way emits an error, which would otherwise be unhandled.
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

/** Parses an answer's JSON. Throws `transient` MALFORMED_ANSWER for invalid JSON and for a JSON text. */
export function parsedAnswer(text: string): unknown {
  const value = parsedOrText(text);
  if (typeof value === 'string') throw crmError('transient', 'MALFORMED_ANSWER');
  return value;
}

export function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
