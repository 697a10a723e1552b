import { cancellationSignal } from '@temporalio/activity';
import type { AuditPart } from '../../src/domain/audit/audit-result.ts';
import { added, NOTHING_FOUND } from '../../src/domain/audit/audit-result.ts';
import type { AuditRun } from '../../src/domain/audit/audit-run.ts';
import { notCompared, unseenInCrm } from '../../src/domain/audit/compare-sides.ts';
import { observeCrm } from '../../src/domain/mapping/index.ts';
import { mappingOf } from '../../src/domain/mapping/leads/lead-mapping.ts';
import type { CrmGraph } from '../../src/domain/record/crm-graph.ts';
import type { Link } from '../../src/domain/record/link.ts';
import { scopeOf } from '../../src/domain/record/scope.ts';
import type { CrmPosition } from '../../src/domain/streams/crm-cursor.ts';
import { refuseWhilePaused } from '../outage/refuse-while-paused.ts';
import type { ActivityDeps, TenantRuntime } from '../support/deps.ts';
import { toFailure } from '../support/to-failure.ts';
import { keepToBudget } from '../support/within-budget.ts';
import { type Found, noteFound } from './compared.ts';

/** The number of opportunities on one page of the audit. Salesforce's pages are at most this large. */
const PAGE_ROWS = 2_000;
const REST_ROWS = 50;

export type AuditPageArgs = { readonly run: AuditRun; readonly position: CrmPosition };
export type AuditPage = {
  readonly part: AuditPart;
  readonly position: CrmPosition;
  readonly more: boolean;
};

/**
 * One step of an audit: reads one page of opportunities that are or were shared with the vendor. Compares each of them with the values on
 * which the CRM and the vendor last agreed. Returns the position after the page, and the counts of this step, such as how many
 * opportunities differ.
 */
export function createAuditCrmPage(deps: ActivityDeps) {
  return async function auditCrmPage({ run, position }: AuditPageArgs): Promise<AuditPage> {
    await refuseWhilePaused(deps, run.tenant, 'records');
    await keepToBudget(deps, run.tenant, 'bulk');
    const { crm } = deps.runtime(run.tenant);
    const readAt = deps.now();
    const page = await crm
      .graphsAfter(position, PAGE_ROWS, { signal: cancellationSignal() })
      .catch((error: unknown) => {
        throw toFailure(error);
      });
    const part = await compareGraphs(deps, run, page.graphs, readAt);
    const asked = { ...part, asked: { crmReads: 1 } };
    return { part: asked, position: page.position, more: page.more };
  };
}

export type AuditRestArgs = { readonly run: AuditRun; readonly after: string };
export type AuditRest = { readonly part: AuditPart; readonly after: string; readonly more: boolean };

/**
 * One step of an audit: reads, by id, a limited number of opportunities that have a vendor record but were on no page of the audit.
 * Compares them with the values on which the CRM and the vendor last agreed. Returns the counts of this step, such as how many
 * opportunities differ.
 */
export function createAuditCrmRest(deps: ActivityDeps) {
  return async function auditCrmRest({ run, after }: AuditRestArgs): Promise<AuditRest> {
    await refuseWhilePaused(deps, run.tenant, 'records');
    await keepToBudget(deps, run.tenant, 'bulk');
    const { crm } = deps.runtime(run.tenant);
    const page = { after, limit: REST_ROWS };
    const pairs = await deps.ledger.unauditedPairs(run.tenant, 'crm', run.startedAt, page);
    const readAt = deps.now();
    const signal = cancellationSignal();
    const graphs = await Promise.all(pairs.map(({ crmId }) => crm.readGraph(crmId, { signal }))).catch(
      (error: unknown) => {
        throw toFailure(error);
      },
    );
    const shown = graphs.filter((graph) => graph !== null);
    const gone = pairs.filter((_, place) => graphs[place] === null);
    const parts = [
      await compareGraphs(deps, run, shown, readAt),
      await noteGone(deps, run, gone),
      { asked: { crmReads: pairs.length === 0 ? 0 : 1 } },
    ];
    return {
      part: parts.reduce(added, NOTHING_FOUND),
      after: pairs.at(-1)?.key ?? after,
      more: pairs.length === REST_ROWS,
    };
  };
}

async function noteGone(
  deps: ActivityDeps,
  run: AuditRun,
  gone: readonly { readonly key: string; readonly crmId: string; readonly vendorId: string }[],
): Promise<AuditPart> {
  const links = await deps.ledger.auditedLinks(run.tenant, { crmIds: gone.map(({ crmId }) => crmId) });
  const found = links
    .filter(({ link }) => notCompared(link) === null)
    .map(({ link: { key, crmId, vendorId } }): Found => {
      return { key, wakeSide: 'crm', difference: { cause: 'opportunity-gone', crmId, vendorId, fields: [] } };
    });
  return noteFound(deps, run, found);
}

/**
 * Compares opportunities, as read from the CRM, with the values on which the CRM and the vendor last agreed. Stores which opportunities
 * differ. Returns the counts, such as how many opportunities differ. `readAt`: when the read of the opportunities began, ISO.
 */
async function compareGraphs(
  deps: ActivityDeps,
  run: AuditRun,
  graphs: readonly CrmGraph[],
  readAt: string,
): Promise<AuditPart> {
  const runtime = deps.runtime(run.tenant);
  const crmIds = graphs.map(idOf);
  const links = await deps.ledger.auditedLinks(run.tenant, { crmIds });
  const linkOf = new Map(links.map(({ link }) => [link.crmId, link]));
  const counts = { underWay: 0, explained: 0, unlinked: 0 };
  const [found, seen]: [Found[], string[]] = [[], []];
  for (const graph of graphs) {
    const link = linkOf.get(idOf(graph));
    if (link === undefined) {
      if (scopeOf(graph.opportunity).inScope) counts.unlinked += 1;
      continue;
    }
    seen.push(link.key);
    const compared = compareGraph(deps, runtime, link, graph, readAt);
    if (typeof compared === 'string') counts[compared] += 1;
    else if (compared.length > 0) found.push(changed(link, compared));
  }
  await deps.ledger.noteAudited(run.tenant, seen, 'crm', run.startedAt);
  const { unlinked, ...others } = counts;
  return { ...(await noteFound(deps, run, found)), ...others, unlinked: { crm: unlinked } };
}

function idOf({ opportunity }: CrmGraph): string {
  return String(opportunity['Id']);
}

function changed({ key, crmId, vendorId }: Link, fields: readonly string[]): Found {
  return { key, wakeSide: 'crm', difference: { cause: 'crm-change-unseen', crmId, vendorId, fields } };
}

/**
 * Compares an opportunity with the values on which the CRM and the vendor last agreed. Returns the names of the fields that differ; empty
 * if none do. Two results are no finding: `underWay` (a change may still be on its way between the CRM and the vendor) and `explained`
 * (nothing was compared, because the deal waits for a person).
 */
function compareGraph(
  deps: ActivityDeps,
  { tenant }: TenantRuntime,
  link: Link,
  graph: CrmGraph,
  readAt: string,
): readonly string[] | 'underWay' | 'explained' {
  const why = notCompared(link);
  if (why === 'explained') return why;
  // The snapshot may lack a write whose outcome was stored after the read began.
  if (why === 'under-way' || link.updatedAt >= readAt) return 'underWay';
  const mapping = mappingOf(tenant.mapping, link.crmId);
  const fields = unseenInCrm(link, observeCrm(graph, mapping), mapping);
  if (fields.length === 0) return fields;
  const { everyMs, overlapMs } = tenant.salesforce.sweep;
  const savedMs = Date.parse(String(graph.opportunity['SystemModstamp']));
  // The sweep (the query for changes in the CRM) may still report the change.
  return Date.parse(deps.now()) - savedMs < everyMs + overlapMs ? 'underWay' : fields;
}
