import type { Readable } from 'node:stream';
import { JsonCounter } from '../partner-api/json-bounds.ts';
import { crmError } from './classify.ts';

/**
 * The maximum size of a JSON body, in bytes. Two thousand rows of a query take a fifth of it. The client of the vendor's API has the same
 * limit.
 */
const MAX_BYTES = 16 * 1024 * 1024;
/** How many bytes are read of a body that is not JSON, such as a proxy's page. */
const MAX_OTHER_BYTES = 64 * 1024;

/** How many bytes one tenant's running requests have read of their bodies so far. Together, these bodies may have at most 32 MB. */
export type BodiesRead = { bytes: number };

/** Whether the body is JSON by its media type, which Salesforce always sends. */
export function isJsonType(contentType: string | undefined): boolean {
  return /^\s*application\/json\s*(;|$)/i.test(contentType ?? '');
}

/** Whether the body is XML by its media type, as in answers of the SOAP API. */
export function isXmlType(contentType: string | undefined): boolean {
  return /^\s*text\/xml\s*(;|$)/i.test(contentType ?? '');
}

/**
 * Reads a body as text. Throws `transient` ANSWER_TOO_LARGE and closes the connection if the body is larger than 16 MB, if all bodies that
 * are being read are together larger than 32 MB, or if its JSON exceeds `JSON_BOUNDS`. If a body is not JSON, its first 64 KB are read.
 * Compressed bodies are not supported, because no request asks for them.
 */
export async function readText(body: Readable, isJson: boolean, read: BodiesRead): Promise<string> {
  // If a body is dropped half-way, it emits an error. Without a listener, that error would end the process.
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

/** Parses an answer's JSON. Throws `transient` MALFORMED_ANSWER if the JSON is invalid or is only a string. */
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
