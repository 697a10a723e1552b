import { Hono } from 'hono';
import { html } from 'hono/html';
import type { MappingCheck } from '../../../operator/mapping/check-mapping.ts';
import type { MappingChoices } from '../../../operator/mapping/mapping-choices.ts';
import type { MappingVersions } from '../../../operator/mapping/mapping-versions.ts';
import type { MappingPlanned } from '../../../operator/mapping/plan-mapping.ts';
import type { MappingPublished } from '../../../operator/mapping/publish-mapping.ts';
import type { MappingDiffers } from '../../../operator/mapping/show-mapping.ts';
import type { MappingTried } from '../../../operator/mapping/try-mapping.ts';
import { plainMappingOf } from '../../../platform/published-mapping.ts';
import type { Tenant } from '../../../platform/tenant.ts';
import { allows } from '../../access/roles.ts';
import type { Session } from '../../access/sessions.ts';
import { type Caller, requireSession } from '../../api/api.ts';
import { endpointOf } from '../../api/endpoints.ts';
import { Refusal, refusalOf } from '../../api/refusal.ts';
import type { Names } from '../../live/names.ts';
import type { ConsolePorts } from '../../ports.ts';
import { keepNote, takeNote } from '../../web/notes.ts';
import { type ConsoleEnv, requireToken, type Site } from '../../web/site.ts';
import { layout, type Note } from '../layout.ts';
import { type Piece, tenantPath } from '../parts.ts';
import { type DraftForm, formOf, textOf } from './draft-form.ts';
import { plannedSection, triedSection } from './results.ts';
import { type StudioShown, studioPage } from './studio.ts';

export type StudioOptions = {
  readonly site: Site;
  readonly ports: ConsolePorts;
  readonly call: Caller;
  readonly names: Names;
};

type Asked = StudioOptions & { readonly session: Session; readonly tenant: Tenant };

const DAY_MS = 86_400_000;
const LISTED = 20;

/** Makes the routes of the mapping studio: its page, and the actions of the page's buttons on the mapping draft. */
export function createStudio(options: StudioOptions): Hono<ConsoleEnv> {
  const app = new Hono<ConsoleEnv>();
  app.get('/tenants/:tenant/mapping', async (context) => {
    const session = requireSession(context);
    const asked = { ...options, session, tenant: tenantFor(options, session, context.req.param('tenant')) };
    const form = formOf(asked.tenant.mapping);
    // The version whose settings the page shows. The ledger may have a newer version that this process has not read yet.
    const basedOn = options.ports.roster().served.get(asked.tenant.tenant)?.mappingVersion ?? 0;
    const page = await drawn(asked, form, { note: takeNote(options.site, context), basedOn });
    return context.html(layout(page));
  });
  app.post('/tenants/:tenant/mapping', async (context) => {
    const session = requireSession(context);
    const form = textsOf(await context.req.parseBody());
    requireToken(session, form.get('csrf'));
    const asked = { ...options, session, tenant: tenantFor(options, session, context.req.param('tenant')) };
    const own = tenantPath(asked.tenant.tenant);
    const text = textOf(form, plainMappingOf(asked.tenant));
    switch (form.get('do')) {
      case 'download':
        context.header('content-disposition', `attachment; filename="${asked.tenant.tenant}.mapping.yaml"`);
        return context.body(text, 200, { 'content-type': 'application/yaml; charset=utf-8' });
      case 'try':
        return context.html(layout(await drawn(asked, form, await tried(asked, form, text))));
      case 'plan':
        return context.html(layout(await drawn(asked, form, await planned(asked, form, text))));
      case 'publish': {
        const outcome = await published(asked, form, text);
        if ('refused' in outcome) return context.html(layout(await drawn(asked, form, outcome.refused)));
        keepNote(options.site, context, outcome.note);
        return context.redirect(`${own}/mapping`, 303);
      }
      default:
        return context.html(layout(await drawn(asked, form, {})));
    }
  });
  return app;
}

/**
 * The tenant of a request. A person without a right to the tenant gets one refusal whether or not the tenant exists, so that the person
 * cannot find out which tenants exist.
 */
function tenantFor({ ports }: StudioOptions, { identity }: Session, name: string): Tenant {
  if (!allows(identity.grants, { role: 'viewer', tenant: name }))
    throw new Refusal('not-allowed', `This needs the role viewer for the tenant ${name}.`);
  return ports.tenant(name);
}

/** The text inputs of a submitted form, by name. Files and repeated inputs are left out. */
function textsOf(body: Readonly<Record<string, unknown>>): DraftForm {
  return new Map(Object.entries(body).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
}

async function read<T>({ call, session, tenant }: Asked, verb: string, input: object, path?: string): Promise<T> {
  return (await call(endpointOf(verb, path), { tenant: tenant.tenant, ...input }, session)) as unknown as T;
}

/** The result of a read; null if the read was refused, because the org does not answer or the draft of the mapping cannot be parsed. */
async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (refusalOf(error) === null) throw error;
    return null;
  }
}

type Result = { readonly results?: readonly Piece[]; readonly note?: Note | null; readonly basedOn?: number };

async function drawn(asked: Asked, form: DraftForm, { results = [], note = null, basedOn }: Result) {
  const { ports, session, tenant } = asked;
  const text = textOf(form, plainMappingOf(tenant));
  const versions = await read<MappingVersions>(asked, 'mapping versions', { limit: LISTED });
  const differs = await orNull(read<MappingDiffers>(asked, 'mapping diff', { text }));
  const given = form.get('basedOn');
  const shown: StudioShown = {
    ...{ tenant: tenant.tenant, form, text, versions, results, note, mappingsIn: ports.mappingsIn },
    choices:
      (differs === null ? null : await orNull(read<MappingChoices>(asked, 'mapping choices', { text }))) ??
      (await orNull(read<MappingChoices>(asked, 'mapping choices', {}))),
    check: await orNull(read<MappingCheck>(asked, 'mapping check', { text })),
    differences: differs?.differences ?? null,
    basedOn: basedOn ?? (given === undefined ? versions.current : Number(given)),
    since: new Date(Date.parse(ports.now()) - DAY_MS).toISOString().slice(0, 10),
  };
  return studioPage(shown, session);
}

async function tried(asked: Asked, form: DraftForm, text: string): Promise<Result> {
  const id = (form.get('id') ?? '').trim();
  const input = { id, text, values: form.get('values') === 'true' };
  return refused(async () => {
    const answer = await read<MappingTried>(asked, 'mapping try', input);
    const ids = answer.crmId === null ? [] : [answer.crmId];
    const nameOf = await asked.names.of(asked.tenant.tenant, ids);
    return { results: [html`<div id="result">${triedSection(answer, nameOf)}</div>`] };
  });
}

async function planned(asked: Asked, form: DraftForm, text: string): Promise<Result> {
  const input = { text, since: form.get('since') ?? '' };
  return refused(async () => {
    const answer = await read<MappingPlanned>(asked, 'plan', input, '/tenants/{tenant}/mapping/plan');
    return { results: [html`<div id="result">${plannedSection(answer)}</div>`] };
  });
}

/** The result of a step on the mapping draft; if the step was refused, the sentence that says why. */
async function refused(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === null) throw error;
    return { note: { isGood: false, text: refusal.message } };
  }
}

async function published(
  asked: Asked,
  form: DraftForm,
  text: string,
): Promise<{ readonly note: Note } | { readonly refused: Result }> {
  const [basedOn, reason, anyway] = [
    form.get('basedOn') ?? '',
    form.get('reason') ?? '',
    form.get('anyway') === 'true',
  ];
  try {
    const { version } = await read<MappingPublished>(asked, 'mapping publish', { text, basedOn, reason, anyway });
    return { note: { isGood: true, text: `Version ${version} is published. Workers take it within seconds.` } };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === null) throw error;
    // Shows the draft beside the mapping that applies now, so that the person sees what publishing it would undo.
    await asked.ports.refreshTenants();
    const { current } = await read<MappingVersions>(asked, 'mapping versions', { limit: 1 });
    return { refused: { note: { isGood: false, text: refusal.message }, basedOn: current } };
  }
}
