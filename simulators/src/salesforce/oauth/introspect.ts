import type { Row } from '../store/row.ts';
import { isClient, type TokenContext } from './token.ts';

type Answer = { readonly status: 200 | 400; readonly body: Readonly<Record<string, unknown>> };

/**
 * Answers `/services/oauth2/introspect` (Help: "OpenID Connect Token Introspection"): describes a token to a client with its secret. For an
 * invalid token, the answer says only that it is invalid.
 */
export function introspect(
  context: TokenContext,
  form: URLSearchParams,
  basic: { readonly clientId: string; readonly clientSecret: string } | null,
  userById: (id: string) => Row | undefined,
): Answer {
  const clientId = basic?.clientId ?? form.get('client_id') ?? '';
  if (!isClient(context, clientId, basic?.clientSecret ?? form.get('client_secret') ?? '')) {
    const body = { error: 'invalid_client', error_description: 'invalid client credentials' };
    return { status: 400, body };
  }
  const userId = context.sessions.userOf(form.get('token') ?? '');
  const user = userId === undefined ? undefined : userById(userId);
  if (user === undefined) return { status: 200, body: { active: false } };
  return {
    status: 200,
    body: {
      active: true,
      scope: 'api',
      client_id: clientId,
      username: user['Username'],
      sub: `${context.origin}/id/${context.organizationId}/${userId}`,
      token_type: 'access_token',
    },
  };
}
