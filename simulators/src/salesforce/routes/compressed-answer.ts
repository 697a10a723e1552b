import { promisify } from 'node:util';
import { deflate, gzip } from 'node:zlib';
import type { MiddlewareHandler } from 'hono';

const ENCODERS = { gzip: promisify(gzip), deflate: promisify(deflate) } as const;

/** Smallest answer that is compressed. Salesforce compresses "normally" but documents no size. */
const LEAST_BYTES = 1024;

/** Compresses an answer if the client accepts it (REST guide: "Compression Headers", gzip or deflate). */
export const compressedAnswer: MiddlewareHandler = async (c, next) => {
  await next();
  const encoding = encodingOf(c.req.header('accept-encoding') ?? '');
  const length = Number(c.res.headers.get('content-length') ?? LEAST_BYTES);
  if (encoding === null || c.req.method === 'HEAD' || c.res.body === null || length < LEAST_BYTES) return;
  const plain = Buffer.from(await c.res.arrayBuffer());
  const isWorth = plain.length >= LEAST_BYTES;
  c.res = new Response(new Uint8Array(isWorth ? await ENCODERS[encoding](plain) : plain), c.res);
  if (!isWorth) return;
  c.res.headers.delete('content-length');
  c.res.headers.set('content-encoding', encoding);
};

/** The encoding that the client accepts, gzip before deflate; null if neither. */
function encodingOf(accepted: string): keyof typeof ENCODERS | null {
  const taken = accepted
    .toLowerCase()
    .split(',')
    .map((each) => each.trim().split(/\s*;\s*q\s*=\s*/))
    .filter(([, weight]) => weight === undefined || Number(weight) > 0)
    .map(([name]) => name);
  if (taken.includes('gzip')) return 'gzip';
  return taken.includes('deflate') ? 'deflate' : null;
}
