import { Hono } from 'hono';
import type { AuditLog } from '../../operator/actions/audit-log.ts';
import type { Explanation } from '../../operator/explain/explanation.ts';
import type { Notices } from '../../operator/notices/list-notices.ts';
import type { RecordHistory } from '../../operator/records/read-history.ts';
import type { UndoPlan } from '../../operator/runs/plan-undo.ts';
import type { UndoAnswer } from '../../operator/runs/undo.ts';
import type { Inbox } from '../../operator/status/inbox.ts';
import type { KeyStatus } from '../../operator/tenants/keys.ts';
import { UnknownTenant } from '../../operator/tenants/tenant-state.ts';
import type { WhatIf } from '../../operator/what-if/play-past.ts';
import type { ApiToken } from '../access/api-tokens.ts';
import { allows } from '../access/roles.ts';
import { requireSession } from '../api/api.ts';
import { Refusal } from '../api/refusal.ts';
import { takeNote } from '../web/notes.ts';
import type { ConsoleEnv } from '../web/site.ts';
import { crmIdsOf, type LoadPage, type PagesOptions, read, readOrRefusal } from './asked.ts';
import { auditLogPage } from './audit-log.ts';
import { conflictsPage, MOST_CONFLICTS } from './conflicts.ts';
import { inboxPage } from './inbox.ts';
import { keysPage } from './keys.ts';
import { layout } from './layout.ts';
import { noticesPage } from './notices.ts';
import { recordPath } from './parts.ts';
import { recordPage } from './record.ts';
import { RUN_PAGES } from './run-routes.ts';
import { tenantPage } from './tenant.ts';
import { tenantsPage } from './tenants.ts';
import { tokensPage } from './tokens.ts';
import { undoPage } from './undo.ts';
import { whatIfPage } from './what-if.ts';

const LISTED = 20;
const LOG_LISTED = 100;
const HISTORY_LINES = 100;
const MOST_LINES = 10_000;

const PAGES: Readonly<Record<string, LoadPage>> = {
  ...RUN_PAGES,
  '/': async ({ snapshots, ports, session, query }) => {
    const page = Math.max(1, Number.parseInt(query['page'] ?? '1', 10) || 1);
    const asked = { query: (query['query'] ?? '').slice(0, 80), page };
    return tenantsPage(await snapshots.latest(), ports.roster(), session, asked);
  },
  '/tenants/:tenant': async ({ snapshots, names, session, tenant }) => {
    if (!allows(session.identity.grants, { role: 'viewer', tenant }))
      throw new Refusal('not-allowed', `This needs the role viewer for the tenant ${tenant}.`);
    const { tenants, at } = await snapshots.latest();
    const status = tenants.get(tenant);
    if (status === undefined) throw new UnknownTenant(`The tenant ${tenant} is not served here.`);
    const nameOf = await names.of(tenant, crmIdsOf(status.attention));
    return tenantPage({ status, at, nameOf }, session);
  },
  '/tenants/:tenant/inbox': async (asked) => {
    const { names, ports, session, tenant } = asked;
    const { code, limit = LISTED } = asked.query;
    const inbox = await read<Inbox>(asked, 'inbox', { tenant, code, limit });
    const nameOf = await names.of(tenant, crmIdsOf(inbox.records));
    const addresses = ports.addresses(ports.tenant(tenant));
    return inboxPage({ inbox, nameOf, addresses, code: code ?? null, limit: Number(limit) }, session);
  },
  '/tenants/:tenant/conflicts': async (asked) => {
    const { names, session, tenant, query } = asked;
    const inbox = await read<Inbox>(asked, 'conflicts', { tenant, limit: MOST_CONFLICTS });
    const nameOf = await names.of(tenant, crmIdsOf(inbox.records));
    const histories = query['values'] === 'true' ? new Map<string, RecordHistory>() : null;
    for (const { key } of histories === null ? [] : inbox.records)
      histories?.set(key, await read(asked, 'history', { tenant, id: key, limit: HISTORY_LINES, values: true }));
    return conflictsPage({ inbox, nameOf, histories }, session);
  },
  '/tenants/:tenant/records/:id': async (asked) => {
    const { ports, names, session, tenant, id, query } = asked;
    const withValues = query['values'] === 'true';
    const own = { tenant, id, values: withValues };
    const explanation = await read<Explanation>(asked, 'explain', own);
    const isKnown = explanation.state !== 'unseen';
    const lines = Math.min(MOST_LINES, Math.max(1, Number(query['lines'] ?? HISTORY_LINES) || HISTORY_LINES));
    const history = isKnown ? await read<RecordHistory>(asked, 'history', { ...own, limit: lines }) : null;
    const runs = await ports.runsOf(ports.tenant(tenant), explanation.key, workedAt(history));
    const nameOf = await names.of(tenant, [...crmIdsOf([explanation]), ...usersOf(explanation)]);
    return recordPage({ explanation, history, runs, nameOf, withValues, lines }, session);
  },
  '/tenants/:tenant/what-if': async (asked) => {
    const { names, session, tenant, query } = asked;
    const { field = '', rule = '', since = '' } = query;
    const withValues = query['values'] === 'true';
    const input = { tenant, rules: `${field}=${rule}`, ...(since === '' ? {} : { since }), values: withValues };
    const answer = field === '' ? null : await read<WhatIf>(asked, 'what-if', input);
    const nameOf = await names.of(tenant, crmIdsOf(answer?.records ?? []));
    return whatIfPage({ tenant, asked: { field, rule, since }, answer, withValues, nameOf }, session);
  },
  '/tenants/:tenant/undo': async (asked) => {
    const { names, session, tenant, query } = asked;
    const { id = '', since = '', backfill = '', field = '' } = query;
    const given = Object.entries({ id, since, backfill, field }).filter(([, value]) => value !== '');
    const hasScope = id !== '' || since !== '' || backfill !== '';
    const input = { tenant, ...Object.fromEntries(given) };
    const plan = hasScope ? await read<UndoPlan>(asked, 'undo plan', input) : null;
    const { answer: status } = await readOrRefusal<UndoAnswer>(asked, 'undo status', { tenant });
    const nameOf = await names.of(tenant, crmIdsOf(plan?.listed ?? []));
    return undoPage({ tenant, asked: { id, since, backfill, field }, plan, status, nameOf }, session);
  },
  '/tenants/:tenant/keys': async (asked) =>
    keysPage(await read<KeyStatus>(asked, 'keys', { tenant: asked.tenant }), asked.session),
  '/tenants/:tenant/notices': async (asked) => {
    const { tenant, session } = asked;
    const input = { tenant, limit: LOG_LISTED };
    return noticesPage(await read<Notices>(asked, 'notices', input, '/tenants/{tenant}/notices'), tenant, session);
  },
  '/notices': async (asked) =>
    noticesPage(await read<Notices>(asked, 'notices', { limit: LOG_LISTED }, '/notices'), null, asked.session),
  '/tenants/:tenant/audit-log': async (asked) => {
    const { tenant, session } = asked;
    const input = { tenant, limit: LOG_LISTED };
    return auditLogPage(
      await read<AuditLog>(asked, 'audit-log', input, `/tenants/{tenant}/audit-log`),
      tenant,
      session,
    );
  },
  '/tokens': async (asked) => {
    const { tokens } = await read<{ readonly tokens: readonly ApiToken[] }>(asked, 'console tokens', {});
    return tokensPage(tokens, asked.session);
  },
  '/audit-log': async (asked) =>
    auditLogPage(await read<AuditLog>(asked, 'audit-log', { limit: LOG_LISTED }, '/audit-log'), null, asked.session),
};

export function createPages(options: PagesOptions): Hono<ConsoleEnv> {
  const app = new Hono<ConsoleEnv>();
  for (const [path, load] of Object.entries(PAGES))
    app.get(path, async (context) => {
      const { tenant = '', id = '' } = context.req.param() as Readonly<Record<string, string>>;
      const session = requireSession(context);
      const page = await load({ ...options, session, tenant, id, query: context.req.query() });
      return context.html(layout({ ...page, note: takeNote(options.site, context) }));
    });
  app.get('/tenants/:tenant/find', (context) =>
    context.redirect(recordPath(context.req.param('tenant'), (context.req.query('id') ?? '').trim())),
  );
  return app;
}

/** The instants at which Lockstep worked on a record, according to the record's history. */
function workedAt(history: RecordHistory | null): readonly string[] {
  return (history?.lines ?? []).filter(({ kind }) => kind !== 'view').map(({ at }) => at);
}

/** Ids of the Salesforce users who changed a field. */
function usersOf({ fields }: Explanation): readonly string[] {
  return fields.flatMap(({ crm: { by } }) => (by === null || by === 'lockstep' ? [] : [by]));
}
