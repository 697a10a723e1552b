import { html } from 'hono/html';
import type { ApiToken } from '../access/api-tokens.ts';
import { EVERY_TENANT } from '../access/roles.ts';
import type { Session } from '../access/sessions.ts';
import type { Page } from './layout.ts';
import { actionForm, choiceField, type Piece, section, table, time, wordsField } from './parts.ts';

/** The page of the API tokens of programs, with the form that makes a token. */
export function tokensPage(tokens: readonly ApiToken[], session: Session): Page {
  const own = { session, tenant: '', back: '/tokens' };
  const rows = tokens.map((one): readonly Piece[] => [
    html`${one.name}<span class="ids">${one.id}</span>`,
    rightsOf(one),
    html`${one.madeBy}<span class="ids">${time(one.createdAt)}</span>`,
    time(one.until),
    one.usedAt === null ? 'never' : time(one.usedAt),
    actionForm({
      ...{ ...own, verb: 'console revoke', id: `revoke-${one.id}`, button: 'Revoke', hidden: { id: one.id } },
      ...{ asks: `Revoke the token of ${one.name}?`, isPlain: true },
    }),
  ]);
  const fields = html`${wordsField('name', 'Program', 'what will use it')}${choiceField('role', 'Role', [
    ['viewer', 'viewer'],
    ['operator', 'operator'],
    ['administrator', 'administrator'],
  ])}${wordsField('tenants', 'Only these tenants', 'all tenants')}${choiceField('days', 'Valid for', [
    ['90', '90 days'],
    ['30', '30 days'],
    ['7', '7 days'],
    ['365', 'a year'],
  ])}<label><input type="checkbox" name="values" value="true"> may see values of fields</label>`;
  const body = html`<p>A program sends its token with each request to the API, or to the MCP server.</p>
${section('Tokens', table({ caption: 'Tokens', none: 'There is none.', isStacked: true }, ['Program', 'May', 'Made by', 'Valid until', 'Used last', 'Act'], rows))}
${section('Make a token', actionForm({ ...own, verb: 'console token', button: 'Make a token', fields }))}`;
  return { title: 'Tokens', session, body };
}

function rightsOf({ grants }: ApiToken): string {
  const [first] = grants;
  const tenants = grants.map(({ tenant }) => (tenant === EVERY_TENANT ? 'all tenants' : tenant)).join(', ');
  return `${first?.role ?? 'nothing'} of ${tenants}${first?.values === true ? ', with values' : ''}`;
}

/** The page that shows a new token. The token's text is never shown again. */
export function tokenMadePage(
  { name, token, until }: Pick<ApiToken, 'name' | 'until'> & { readonly token: string },
  session: Session,
): Page {
  const body = section(
    name,
    html`<p>Copy the token now: it is not shown again. It is valid until ${time(until)}.</p><pre>${token}</pre>
<p>A program sends it in the header <code>Authorization: Bearer …</code></p><p><a href="/tokens">All tokens</a></p>`,
  );
  return { title: 'A new token', session, body };
}
