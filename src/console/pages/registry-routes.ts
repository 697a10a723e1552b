import { Hono } from 'hono';
import type { TenantsApplied } from '../../operator/tenants/apply-tenants.ts';
import { allows } from '../access/roles.ts';
import type { Session } from '../access/sessions.ts';
import { type Caller, requireSession } from '../api/api.ts';
import { endpointOf } from '../api/endpoints.ts';
import { Refusal, refusalOf } from '../api/refusal.ts';
import { keepNote, takeNote } from '../web/notes.ts';
import { type ConsoleContext, type ConsoleEnv, requireToken, type Site } from '../web/site.ts';
import { layout } from './layout.ts';
import { tenantPath } from './parts.ts';
import { connectPage, declarationPage, SAMPLE, type TenantDeclared, type Written } from './registry.ts';

type Options = { readonly site: Site; readonly call: Caller };
type Asked = Options & { readonly context: ConsoleContext; readonly session: Session };

/** The pages that connect a new tenant, and that show and change the declaration (stored tenant file) of a tenant. */
export function createRegistry(options: Options): Hono<ConsoleEnv> {
  const app = new Hono<ConsoleEnv>();
  const asked = (context: ConsoleContext): Asked => ({ ...options, context, session: requireSession(context) });
  app.get('/connect', (context) => {
    const { session } = asked(context);
    requireInstallation(session);
    const result = { preview: null, note: takeNote(options.site, context) };
    return context.html(layout(connectPage({ text: SAMPLE, mapping: '', basedOn: null }, result, session)));
  });
  app.post('/connect', async (context) => {
    const own = asked(context);
    requireInstallation(own.session);
    const { written, result, done } = await changed(own, 'tenants add');
    if (done !== null) return context.redirect(`${tenantPath(done)}/checks?run=true`, 303);
    return context.html(layout(connectPage(written, result, own.session)));
  });
  app.get('/tenants/:tenant/declaration', async (context) => {
    const own = asked(context);
    const shown = await declared(own, context.req.param('tenant'));
    const result = { preview: null, note: takeNote(options.site, context) };
    return context.html(layout(declarationPage(shown, null, result, own.session)));
  });
  app.post('/tenants/:tenant/declaration', async (context) => {
    const own = asked(context);
    const tenant = context.req.param('tenant');
    const { written, result, done } = await changed(own, 'tenants apply');
    if (done !== null) return context.redirect(`${tenantPath(tenant)}/declaration`, 303);
    return context.html(layout(declarationPage(await declared(own, tenant), written, result, own.session)));
  });
  return app;
}

function requireInstallation({ identity }: Session): void {
  if (allows(identity.grants, { role: 'administrator', tenant: null })) return;
  throw new Refusal('not-allowed', 'This needs the role administrator for the whole installation.');
}

async function declared({ call, session }: Asked, tenant: string): Promise<TenantDeclared> {
  return (await call(endpointOf('tenants show'), { tenant }, session)) as unknown as TenantDeclared;
}

/**
 * Shows what a declaration would change, or applies the declaration. A declaration is a person's text that describes a tenant for the
 * registry (the table of tenants in Lockstep's database). In the result, `done` is the tenant's name after a change, else null. If `done`
 * is null, the page shows the person's texts again, with the differences or the mistakes.
 */
async function changed(asked: Asked, verb: 'tenants add' | 'tenants apply') {
  const { context, session, call, site } = asked;
  const body = await context.req.parseBody();
  const field = (name: string): string => (typeof body[name] === 'string' ? body[name] : '');
  requireToken(session, field('csrf'));
  const texts = { text: field('text'), mapping: field('mapping') };
  const basedOn = field('basedOn') === '' ? null : Number(field('basedOn'));
  const written: Written = { ...texts, basedOn };
  const secrets = Object.fromEntries(
    Object.keys(body).flatMap((name) =>
      name.startsWith('secret.') && field(name) !== '' ? [[name.slice('secret.'.length), field(name).trim()]] : [],
    ),
  );
  const isPreview = field('do') !== 'apply';
  const order = { reason: field('reason'), ...(basedOn === null ? {} : { basedOn }) };
  const input = { ...texts, secrets, ...(isPreview ? {} : order) };
  try {
    const endpoint = endpointOf(isPreview ? 'tenants preview' : verb);
    const answer = (await call(endpoint, input, session)) as unknown as TenantsApplied;
    if (isPreview) return { written, result: { preview: answer, note: null }, done: null };
    keepNote(site, context, { isGood: true, text: doneText(answer) });
    return { written, result: { preview: null, note: null }, done: answer.changes[0]?.tenant ?? '' };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === null || refusal.code === 'not-allowed') throw error;
    return { written, result: { preview: null, note: { isGood: false, text: refusal.message } }, done: null };
  }
}

function doneText({ changes: [change], hiddenMappings: [hidden] }: TenantsApplied): string {
  const what = change?.action === 'keep' ? 'Nothing differs.' : 'Done; workers and receivers take it within seconds.';
  if (hidden === undefined) return what;
  return `${what} The mapping file does not apply: version ${hidden.version} of the mapping is published.`;
}
