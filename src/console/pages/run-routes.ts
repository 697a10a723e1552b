import type { Diagnosis } from '../../operator/doctor/finding.ts';
import type { PlanRun } from '../../operator/plan/plan-runs.ts';
import type { OrdersFound } from '../../operator/records/find-order.ts';
import type { RecordsRelinked } from '../../operator/records/relink-records.ts';
import type { AuditState } from '../../operator/runs/audit.ts';
import type { BackfillAnswer } from '../../operator/runs/backfill.ts';
import type { LoadReport } from '../../operator/runs/orders-load.ts';
import { allows } from '../access/roles.ts';
import type { CatalogAnswer } from '../api/answers-of-runs.ts';
import { crmIdsOf, type LoadPage, read, readOrRefusal } from './asked.ts';
import { auditPage } from './audit.ts';
import { backfillPage } from './backfill.ts';
import { catalogPage } from './catalog.ts';
import { checksPage } from './checks.ts';
import { ordersPage } from './orders.ts';
import { planPage } from './plan.ts';
import { relinkPage } from './relink.ts';

const NOTHING = { answer: null, refusal: null } as const;

/** Pages about work that runs for minutes or hours, about orders, and about moved deals. */
export const RUN_PAGES: Readonly<Record<string, LoadPage>> = {
  '/tenants/:tenant/plan': async (asked) => {
    const { names, session, tenant } = asked;
    const run = await read<PlanRun>(asked, 'plan status', { tenant });
    return planPage(run, await names.of(tenant, crmIdsOf(run.records)), session);
  },
  '/tenants/:tenant/backfill': async (asked) => {
    const { session, tenant, query } = asked;
    const { answer, refusal } = await readOrRefusal<BackfillAnswer>(asked, 'backfill status', { tenant });
    const since = /^\d{4}-\d\d-\d\d$/.test(query['since'] ?? '') ? (query['since'] ?? '') : '';
    const isNone = refusal === null || refusal.code === 'conflict';
    return backfillPage({ tenant, backfill: answer, refusal: isNone ? null : refusal.message, since }, session);
  },
  '/tenants/:tenant/audit': async (asked) => {
    const { names, session, tenant } = asked;
    const state = await read<AuditState>(asked, 'audit status', { tenant });
    return auditPage(state, await names.of(tenant, crmIdsOf(state.last?.examples ?? [])), session);
  },
  '/tenants/:tenant/orders': async (asked) => {
    const { names, session, tenant, query } = asked;
    const load = await read<LoadReport>(asked, 'load-orders', { tenant });
    const criteria = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
    const isAsked = Object.keys(criteria).length > 0;
    const maySeeValues = allows(session.identity.grants, { role: 'viewer', tenant, values: true });
    const { answer: found, refusal } = isAsked
      ? await readOrRefusal<OrdersFound>(asked, 'find-order', { ...criteria, tenant, values: maySeeValues })
      : NOTHING;
    const ids = (found?.orders ?? []).flatMap(({ opportunityId, proposals }) =>
      [...proposals, opportunityId ?? []].flat(),
    );
    return ordersPage(
      { load, found, refusal: refusal?.message ?? null, query, nameOf: await names.of(tenant, ids) },
      session,
    );
  },
  '/tenants/:tenant/catalog': async (asked) =>
    catalogPage(await read<CatalogAnswer>(asked, 'catalog', { tenant: asked.tenant }), asked.session),
  '/tenants/:tenant/checks': async (asked) => {
    const { session, tenant, query } = asked;
    const isAsked = query['run'] === 'true';
    if (!isAsked) await read(asked, 'status', { tenant });
    const diagnosis = isAsked ? await read<Diagnosis>(asked, 'doctor', { tenant }) : null;
    return checksPage({ tenant, diagnosis }, session);
  },
  '/tenants/:tenant/relink': async (asked) => {
    const { session, tenant, query } = asked;
    const field = query['field'] ?? null;
    const { answer: plan, refusal } =
      field === null ? NOTHING : await readOrRefusal<RecordsRelinked>(asked, 'relink plan', { tenant, field });
    if (field === null) await read(asked, 'status', { tenant });
    return relinkPage({ tenant, field, plan, refusal: refusal?.message ?? null }, session);
  },
};
