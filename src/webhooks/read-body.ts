import type { RefusalCode } from './refusals.ts';

/** The accepted media types and the size limit of a body. A larger one is refused before it is parsed. */
type BodyKind = { readonly mediaTypes: readonly string[]; readonly maxBytes: number };

/** 100 notifications with fifty fields each are 400 KB. */
export const XML_BODY: BodyKind = { mediaTypes: ['text/xml', 'application/xml'], maxBytes: 512 * 1024 };

/** 200 ids are 5 KB. Two megabytes of nested brackets would take a JSON parser a third of a second. */
export const JSON_BODY: BodyKind = { mediaTypes: ['application/json'], maxBytes: 64 * 1024 };

/** The body as text, strictly UTF-8, or the refusal. */
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
    // Not UTF-8, or the sender disconnected.
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

/** The cost of one chunk, in bytes. Without it half a megabyte sent byte by byte would take a second. */
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
