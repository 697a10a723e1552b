import { type Context, Hono } from 'hono';
import type { Row } from '../store/row.ts';
import { discoveryOf } from './discovery.ts';
import { introspect } from './introspect.ts';
import { issueToken, type TokenContext } from './token.ts';

/** Sign-in and identity: `/services/oauth2/*`, `/id/{organization}/{user}` and the OpenID configuration. */
export function createOAuthApp(context: TokenContext, userById: (id: string) => Row | undefined): Hono {
  const app = new Hono();
  app.post('/services/oauth2/token', async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const { status, body } = await issueToken(context, form, basicOf(c));
    return c.json(body, status === 200 ? 200 : 400);
  });
  const revoke = (c: Context, token: string) => {
    if (context.sessions.revoke(token)) return c.body(null, 200);
    return c.json({ error: 'unsupported_token_type', error_description: 'this token type is not supported' }, 400);
  };
  app.get('/services/oauth2/revoke', (c) => revoke(c, c.req.query('token') ?? ''));
  app.post('/services/oauth2/revoke', async (c) =>
    revoke(c, new URLSearchParams(await c.req.text()).get('token') ?? ''),
  );
  app.post('/services/oauth2/introspect', async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const { status, body } = introspect(context, form, basicOf(c), userById);
    return c.json(body, status);
  });
  app.get('/.well-known/openid-configuration', (c) => c.json(discoveryOf(context.origin)));
  const identity = (c: Context) => {
    const token = c.req.query('oauth_token') ?? bearerOf(c.req.header('authorization'));
    if (token === '') return c.text('Missing_OAuth_Token', 403);
    const user = userById(context.sessions.userOf(token) ?? '');
    if (user === undefined) return c.text('Bad_OAuth_Token', 403);
    return c.json(identityOf(context, user));
  };
  app.get('/services/oauth2/userinfo', identity);
  app.get('/id/:organization/:user', identity);
  return app;
}

/** The token of an Authorization header; '' if there is none. */
export function bearerOf(header: string | undefined): string {
  return /^(?:Bearer|OAuth)\s+(\S+)$/i.exec(header ?? '')?.[1] ?? '';
}

function basicOf(c: Context): { clientId: string; clientSecret: string } | null {
  const encoded = /^Basic\s+(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  if (encoded === undefined) return null;
  const [clientId = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return { clientId, clientSecret: rest.join(':') };
}

function identityOf({ origin, organizationId }: TokenContext, user: Row): Record<string, unknown> {
  const userId = String(user['Id']);
  const rest = `${origin}/services/data/v{version}`;
  return {
    id: `${origin}/id/${organizationId}/${userId}`,
    sub: `${origin}/id/${organizationId}/${userId}`,
    user_id: userId,
    organization_id: organizationId,
    username: user['Username'],
    preferred_username: user['Username'],
    nick_name: user['Alias'],
    name: user['Name'],
    display_name: user['Name'],
    email: user['Email'],
    given_name: user['FirstName'],
    family_name: user['LastName'],
    photos: {
      picture: `${origin}/profilephoto/005/F`,
      thumbnail: `${origin}/profilephoto/005/T`,
    },
    active: user['IsActive'],
    user_type: 'STANDARD',
    language: user['LanguageLocaleKey'],
    locale: user['LocaleSidKey'],
    zoneinfo: user['TimeZoneSidKey'],
    urls: { rest: `${rest}/`, sobjects: `${rest}/sobjects/`, query: `${rest}/query/` },
  };
}
