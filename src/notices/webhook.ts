import { Webhook } from 'standardwebhooks';
import type { Message } from '../domain/notices/message.ts';

/** The event type in the webhook's body for each kind of message. The names have the form that Standard Webhooks proposes. */
const TYPES: Readonly<Record<Message['kind'], string>> = {
  began: 'lockstep.state.began',
  ended: 'lockstep.state.ended',
  digest: 'lockstep.digest',
  test: 'lockstep.test',
};

/** The JSON body for a webhook. It depends only on the message, so that a repeated attempt sends an equal body. */
export function webhookBody(message: Message): string {
  const { kind, at, ...data } = message;
  return JSON.stringify({ type: TYPES[kind], timestamp: at, data });
}

/** The headers that Standard Webhooks requires: id, time and signature. `secret` is the signing key: `whsec_` and base64. */
export function webhookHeaders(id: string, body: string, secret: string, now: Date): Readonly<Record<string, string>> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, now, body),
  };
}

const LEAST_BYTES = 24;

/** Whether a text is a usable signing key. Standard Webhooks requires at least 24 bytes. */
export function isSigningSecret(text: string): boolean {
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+=*)$/.exec(text) ?? [];
  if (Buffer.from(base64, 'base64').length < LEAST_BYTES) return false;
  try {
    new Webhook(text);
    return true;
  } catch {
    return false;
  }
}
