import type { RefusalCode } from './refusals.ts';

/** Larger bodies are refused before a parser sees them. 100 notifications are about 100 KB. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;

/** The body as text: at most `MAX_BODY_BYTES`, strictly UTF-8, of the given media types. */
export async function readBody(
  request: Request,
  mediaTypes: readonly string[],
): Promise<{ readonly text: string; readonly bytes: number } | { readonly refusal: RefusalCode }> {
  if (!isReadable(request.headers, mediaTypes)) return { refusal: 'unsupported-media-type' };
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES) return { refusal: 'too-large' };
  try {
    const bytes = await collect(request.body);
    if (bytes === null) return { refusal: 'too-large' };
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), bytes: bytes.byteLength };
  } catch {
    // Not UTF-8, or the sender went away in the middle.
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

async function collect(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array | null> {
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
