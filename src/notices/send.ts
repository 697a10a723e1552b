import type { Message } from '../domain/notices/message.ts';
import { SecretError } from '../platform/secret.ts';
import { sendEmail } from './email.ts';
import { NotSent } from './not-sent.ts';
import { postAddress, postJson } from './post.ts';
import type { Channel } from './read-notices-file.ts';
import { slackBody } from './slack.ts';
import { teamsBody } from './teams.ts';
import { webhookBody, webhookHeaders } from './webhook.ts';

/**
 * Sends a message to a channel of operators. `id` does not change between attempts, so that a receiver recognises a repeated message.
 * Returns null, or a code if the channel accepted the message only in part. Throws `NotSent`.
 */
export type Send = (channel: Channel, id: string, message: Message) => Promise<string | null>;

export const sendMessage: Send = async ({ settings, secrets }, id, message) => {
  try {
    const isPrivateAllowed = settings.private;
    if (settings.type === 'email') return await sendEmail(id, message, settings, secrets['password']?.reveal() ?? null);
    if (settings.type === 'webhook') {
      const body = webhookBody(message);
      const headers = webhookHeaders(id, body, secrets['secret']?.reveal() ?? '', new Date());
      await postJson({ url: settings.address, headers, body, isPrivateAllowed });
      return null;
    }
    const url = postAddress(secrets['address']?.reveal() ?? '');
    if (url === null) throw new NotSent('INVALID_ADDRESS');
    const body = settings.type === 'slack' ? slackBody(message) : teamsBody(message);
    await postJson({ url, headers: {}, body, isPrivateAllowed });
    return null;
  } catch (error) {
    if (error instanceof SecretError) throw new NotSent('NO_SECRET');
    throw NotSent.of(error);
  }
};
