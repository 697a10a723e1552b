import { text } from './secret-fields.ts';

/**
 * Headers that must not carry an API key, because the key would not arrive: a proxy uses these headers itself, or Lockstep sets them to
 * another value.
 */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te'],
  ...['trailer', 'transfer-encoding', 'upgrade', 'http2-settings', 'host', 'content-length', 'content-type'],
  ...['content-encoding', 'accept', 'accept-encoding', 'user-agent', 'expect', 'cookie', 'referer', 'origin'],
  ...['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'traceparent', 'tracestate'],
  'baggage',
]);

/** Schema of the name of the header in which a tenant's API key is sent to the vendor. */
export const keyHeader = text('must be a header name such as X-API-Key')
  .regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, { error: 'must be a header name such as X-API-Key' })
  .refine((name) => !RESERVED_HEADERS.has(name.toLowerCase()), {
    error: 'must be a header of the API, not one of HTTP itself, such as X-API-Key',
  });
