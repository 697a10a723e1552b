import type { Readable } from 'node:stream';
import { crmError } from './classify.ts';

/** The limit of the vendor's client, too. Two thousand rows of a query take a tenth of it. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Salesforce's answers nest about twelve levels deep. */
const MAX_DEPTH = 100;

/**
 * Limit of JSON values, because each may take fifty times its bytes in memory. Two thousand rows of a hundred fields have a fifth of it.
 */
const MAX_VALUES = 1_000_000;

/** Bytes of all bodies that one tenant's requests are reading. */
export type BodiesRead = { bytes: number };

/**
 * A body as text. Throws `transient` ANSWER_TOO_LARGE and drops the connection if it is larger than 32 MB, or than 64 MB together with
 * others being read. Throws the same error if it nests deeper than 100 levels or contains more than a million values. A compressed body
 * stays compressed and fails as invalid JSON, because Lockstep never asks for compression.
 */
export async function readText(body: Readable, read: BodiesRead): Promise<string> {
  // A body dropped half-way emits an error, which would otherwise be unhandled.
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

/** Whether JSON nests too deep or has too many values. Parsing or walking such a body might never end. */
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
