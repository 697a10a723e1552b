import type { Context } from 'hono';

/** Every reason why the receiver refuses a request, with the HTTP status and a sentence for the person who reads the sender's log. */
const REFUSALS = {
  'unknown-path': { status: 404, message: 'No receiver listens at this path.' },
  'method-not-allowed': { status: 405, message: 'This path takes POST only.' },
  'unsupported-media-type': {
    status: 415,
    message: 'Outbound Messages are text/xml and events are application/json, both in UTF-8 and uncompressed.',
  },
  'too-large': { status: 413, message: 'The body is larger than 512 KB, or than 64 KB for an event.' },
  malformed: { status: 400, message: 'The body is not a well-formed message of the expected kind in UTF-8.' },
  'doctype-refused': { status: 400, message: 'A message with a document type declaration is not read.' },
  'no-notifications': { status: 400, message: 'An Outbound Message holds 1 to 100 notifications.' },
  'wrong-organization': {
    status: 403,
    message: "The message comes from another organization than the tenant's file names.",
  },
  'action-not-allowed': {
    status: 403,
    message: "The tenant's file does not list this outbound message action.",
  },
  'bad-signature': {
    status: 401,
    message: 'The webhook-id, webhook-timestamp and webhook-signature headers do not match the body and a live key.',
  },
  stale: { status: 400, message: 'The signed time is more than five minutes away from now.' },
  'ledger-unavailable': {
    status: 503,
    message: 'The message could not be stored and handed on in time. Send it again.',
  },
  'too-many-records': {
    status: 503,
    message: 'Too many records of this tenant came, or wait to be handed on. Send it again.',
  },
  'too-many-requests': { status: 503, message: 'Too many requests of this tenant came. Send it again.' },
  'internal-error': { status: 500, message: 'The receiver failed. Send it again; its log says more.' },
} as const;

export type RefusalCode = keyof typeof REFUSALS;

/** Refusals after which the receiver closes the connection, because the client is probably not a sender of the tenant. */
const STRANGERS: ReadonlySet<RefusalCode> = new Set([
  'unknown-path',
  'method-not-allowed',
  'unsupported-media-type',
  'bad-signature',
]);

/** Why a request is refused. `retryAfterSeconds`: after how many seconds the sender may try again, if known. */
export type Refusal = { readonly refusal: RefusalCode; readonly retryAfterSeconds?: number };

const RETRY_AFTER_SECONDS = 10;

/** A refusal as an HTTP response: `{ code, message }`. It repeats no part of the request. */
export function refuse(context: Context, { refusal: code, retryAfterSeconds }: Refusal): Response {
  const { status, message } = REFUSALS[code];
  if (status === 503) context.header('Retry-After', String(retryAfterSeconds ?? RETRY_AFTER_SECONDS));
  if (STRANGERS.has(code)) context.header('Connection', 'close');
  if (code === 'method-not-allowed') context.header('Allow', 'POST');
  return context.json({ code, message }, status);
}
