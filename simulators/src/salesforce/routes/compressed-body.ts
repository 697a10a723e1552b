import { promisify } from 'node:util';
import { gunzip as gunzipBytes } from 'node:zlib';
import type { MiddlewareHandler } from 'hono';

const gunzip = promisify(gunzipBytes);

/**
 * Decompresses a request's gzip body (REST guide: "Using Compression"). An invalid gzip body is passed on unchanged, and refused as
 * malformed.
 */
export const compressedBody: MiddlewareHandler = async (c, next) => {
  const { raw } = c.req;
  if (raw.headers.get('content-encoding')?.toLowerCase() !== 'gzip') return next();
  const bytes = Buffer.from(await raw.arrayBuffer());
  const headers = new Headers(raw.headers);
  for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  const body = await gunzip(bytes).catch(() => bytes);
  c.req.raw = new Request(raw.url, { method: raw.method, headers, body: new Uint8Array(body) });
  return next();
};
