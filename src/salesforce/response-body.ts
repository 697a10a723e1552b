import type { Readable } from 'node:stream';
import { crmError } from './classify.ts';

/** As much as the vendor's client takes. Two thousand rows of a query have a tenth of it. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Salesforce's answers nest a dozen levels deep. */
const MAX_DEPTH = 100;

/**
 * A body as text. Throws `transient` ANSWER_TOO_LARGE, with the connection dropped, where it is larger than 32 MB or nests
 * deeper than 100 levels. What is compressed stays so: we ask for none, and it is then no JSON.
 */
export async function readText(body: Readable): Promise<string> {
  // Dropping a body half-way makes the stream emit an error when nobody iterates it any more.
  body.on('error', () => undefined);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw crmError('transient', 'ANSWER_TOO_LARGE');
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  if (isDeeper(text, MAX_DEPTH)) throw crmError('transient', 'ANSWER_TOO_LARGE');
  return text;
}

/** Whether brackets of JSON outside its strings nest deeper: a parser, or who walks what it made, might not come back. */
function isDeeper(text: string, most: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (inString && char === '\\') at += 1;
    else if (char === '"') inString = !inString;
    else if (!inString && (char === '[' || char === '{')) depth += 1;
    else if (!inString && (char === ']' || char === '}')) depth -= 1;
    if (depth > most) return true;
  }
  return false;
}
