import type { RefusalCode } from './refusals.ts';

/** Which media types a request body may have, and how large it may be. A larger body is refused before it is parsed. */
type BodyKind = { readonly mediaTypes: readonly string[]; readonly maxBytes: number };

/** Limits of Outbound Messages. 100 notifications with fifty fields each are 400 KB. */
export const XML_BODY: BodyKind = { mediaTypes: ['text/xml', 'application/xml'], maxBytes: 512 * 1024 };

/**
 * Limits of JSON events. An event with 200 ids has 5 KB. The limit is low, because a JSON parser needs a third of a second for two
 * megabytes of nested brackets.
 */
export const JSON_BODY: BodyKind = { mediaTypes: ['application/json'], maxBytes: 64 * 1024 };

/** The request body as text, which must be UTF-8; otherwise the reason why the body is refused. */
export async function readBody(
  request: Request,
  { mediaTypes, maxBytes }: BodyKind,
): Promise<{ readonly text: string; readonly bytes: number } | { readonly refusal: RefusalCode }> {
  if (!isReadable(request.headers, mediaTypes)) return { refusal: 'unsupported-media-type' };
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return { refusal: 'too-large' };
  try {
    const bytes = await collect(request.body, maxBytes);
    if (bytes === null) return { refusal: 'too-large' };
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), bytes: bytes.byteLength };
  } catch {
    // The body is not UTF-8, or the sender disconnected.
    return { refusal: 'malformed' };
  }
}

function isReadable(headers: Headers, mediaTypes: readonly string[]): boolean {
  const [mediaType = '', ...parameters] = (headers.get('content-type') ?? '').toLowerCase().split(';');
  const charset = parameters.map((one) => one.trim()).find((one) => one.startsWith('charset='));
  const encoding = headers.get('content-encoding') ?? 'identity';
  return (
    mediaTypes.includes(mediaType.trim()) &&
    (charset === undefined || /^charset="?utf-?8"?$/.test(charset)) &&
    encoding === 'identity'
  );
}

/**
 * A body counts at least this many bytes for each of its chunks, so that a body of tiny chunks soon reaches the limit. Reading half a
 * megabyte byte by byte would otherwise take a second.
 */
const BYTES_OF_A_PIECE = 32;

async function collect(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<Uint8Array | null> {
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (Math.max(size, chunks.length * BYTES_OF_A_PIECE) > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
