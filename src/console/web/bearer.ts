import type { ApiTokens } from '../access/api-tokens.ts';
import type { Session } from '../access/sessions.ts';
import { Refusal } from '../api/refusal.ts';
import type { ConsoleContext } from './site.ts';

/** Names under which a program might put its token into an address, where logs and histories of browsers would keep it. */
const IN_ADDRESS = ['access_token', 'token', 'api_key', 'key'];

/**
 * The session of a program, by its token in `Authorization: Bearer`; null if the request has no such header. Throws `Refusal` for an
 * invalid token, a token in the address, and a token sent to a page, because pages are for people.
 */
export async function programOf(
  context: ConsoleContext,
  tokens: ApiTokens,
): Promise<{ readonly session: Session; readonly text: string } | null> {
  const isApi = context.req.path.startsWith('/api/v1/') || context.req.path === '/mcp';
  if (isApi && IN_ADDRESS.some((name) => context.req.query(name) !== undefined))
    throw new Refusal(
      'invalid',
      'Send the token in the header Authorization, and revoke this one: addresses are logged.',
    );
  const header = context.req.header('authorization');
  if (header === undefined) return null;
  const [, text = ''] = /^Bearer ([\w-]{1,200})$/i.exec(header) ?? [];
  const session = isApi ? await tokens.find(text) : null;
  if (session === null)
    throw new Refusal('not-signed-in', 'This token is not valid here: an administrator makes another.');
  return { session, text };
}
