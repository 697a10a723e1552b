import type { Readable } from 'node:stream';
import { crmError } from './classify.ts';

/** As much as the vendor's client takes. Two thousand rows of a query have a tenth of it. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Salesforce's answers nest a dozen levels deep. */
const MAX_DEPTH = 100;

/** Values of JSON, each of which may take fifty times its bytes. Two thousand rows of a hundred fields have a fifth of it. */
const MAX_VALUES = 1_000_000;

/** Bytes of bodies that are being read now, of all requests of one tenant. */
export type BodiesRead = { bytes: number };

/**
 * A body as text. Throws `transient` ANSWER_TOO_LARGE, with the connection dropped, where it is larger than 32 MB, or
 * than 64 MB together with those read beside it, nests deeper than 100 levels or holds more than a million values. What is compressed stays so: we ask for none, and it is then no JSON.
 */
export async function readText(body: Readable, read: BodiesRead): Promise<string> {
  // Dropping a body half-way makes the stream emit an error when nobody iterates it any more.
  body.on('error', () => undefined);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      read.bytes += chunk.byteLength;
      if (size > MAX_BYTES || read.bytes > 2 * MAX_BYTES) throw crmError('transient', 'ANSWER_TOO_LARGE');
      chunks.push(chunk);
    }
  } finally {
    read.bytes -= size;
  }
  const text = Buffer.concat(chunks).toString('utf8');
  if (isTooMuch(text)) throw crmError('transient', 'ANSWER_TOO_LARGE');
  return text;
}

/**
 * Whether brackets of JSON outside its strings nest too deep, or too many values stand there: a parser, or who walks what it
 * made, might not come back.
 */
function isTooMuch(text: string): boolean {
  let [depth, values, inString] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (inString && char === '\\') at += 1;
    else if (char === '"') inString = !inString;
    else if (inString) continue;
    else if (char === '[' || char === '{') {
      depth += 1;
      values += 1;
    } else if (char === ']' || char === '}') depth -= 1;
    else if (char === ',') values += 1;
    if (depth > MAX_DEPTH || values > MAX_VALUES) return true;
  }
  return false;
}
