import { cancellationSignal, log } from '@temporalio/activity';
import { firstStageUntil } from '../../src/domain/base/after-conversion.ts';
import { isImportInDoubt } from '../../src/domain/base/in-doubt-writes.ts';
import type { CrmSide } from '../../src/domain/decide/input.ts';
import { leftOut, stillLeft, valuesOf } from '../../src/domain/mapping/leads/left-out.ts';
import type { LeftOnLead } from '../../src/domain/record/base.ts';
import type { CrmFields, CrmGraph } from '../../src/domain/record/crm-graph.ts';
import { ISSUES } from '../../src/domain/record/issues.ts';
import type { Link } from '../../src/domain/record/link.ts';
import { isLeadId } from '../../src/domain/record/salesforce-id.ts';
import { scopeOf } from '../../src/domain/record/scope.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import type { ActivityDeps, TenantRuntime } from '../support/deps.ts';
import { failure, toFailure } from '../support/to-failure.ts';
import { linkImportedLead } from './link-imported-lead.ts';
import { settle } from './settle.ts';
import { type SyncSummary, summarise } from './summary.ts';
import { supersededBy } from './superseded.ts';

type Move = { readonly leadId: string; readonly opportunityId: string };

/**
 * Moves a deal's link (the stored pair of CRM record and vendor record) from a lead that was converted or merged to the record that the
 * lead became. Returns the next step; null if the link need not move. `crm`: the CRM record that was just read, either the lead or the new
 * record.
 */
export async function followConversion(
  deps: ActivityDeps,
  runtime: TenantRuntime,
  link: Link,
  crm: CrmSide,
): Promise<SyncSummary | null> {
  if (runtime.tenant.mapping.leads === undefined || crm.kind !== 'observed' || link.crmId === null) return null;
  const moves = await movesOf(runtime, link, crm);
  for (const move of moves) {
    const mayBeImported = link.vendorId === null || isImportInDoubt(link.base);
    const noted = mayBeImported ? await linkImportedLead(deps, runtime, link, move.leadId) : null;
    if (noted !== null) return summarise(noted, { next: 'plan-again' }, 'its lead was converted');
    const moved = await moveTo(deps, runtime, link, move);
    if (moved !== null) return moved;
  }
  return null;
}

async function movesOf(
  { crm }: TenantRuntime,
  link: Link,
  side: Extract<CrmSide, { kind: 'observed' }>,
): Promise<readonly Move[]> {
  const { graph } = side.observation;
  const { crmId, vendorId, vendorInDoubt, adoptingSince } = link;
  const isCreating = vendorInDoubt === 'create' || adoptingSince !== null;
  // The create of a lead is searched for by the lead's own id first. A converted lead can still be read.
  if (crmId === null || isCreating) return [];
  const became = graph.lead?.opportunityId ?? graph.lead?.mergedInto ?? null;
  if (became !== null) return [{ leadId: crmId, opportunityId: became }];
  if ((vendorId !== null && !isImportInDoubt(link.base)) || !scopeOf(graph.opportunity).inScope) return [];
  const leads = await crm.leadsConvertedInto(crmId, { signal: cancellationSignal() }).catch((error: unknown) => {
    throw toFailure(error);
  });
  return leads.map((leadId) => ({ leadId, opportunityId: crmId }));
}

/**
 * How long to wait, in ms, if a create at the vendor is under way for the deal. Afterwards Lockstep checks again whether it has made a
 * record.
 */
const WHILE_CREATING_MS = 5_000;

async function moveTo(deps: ActivityDeps, runtime: TenantRuntime, link: Link, move: Move): Promise<SyncSummary | null> {
  const { tenant, key } = link;
  const completed = await completeConversion(deps, runtime, move);
  const moved = await deps.ledger.moveToOpportunity(tenant, { ...move, ...completed }, deps.now());
  switch (moved) {
    case 'unknown':
      return null;
    case 'busy':
      throw failure('TRANSIENT', 'a create of the deal may be under way', {
        waitsFor: 'adoption',
        retryAfterMs: WHILE_CREATING_MS,
        isOurs: true,
      });
    case 'taken':
      return link.crmId === move.leadId ? parkConverted(deps, link) : null;
    default:
      if (moved.key !== key) return supersededBy(deps, tenant, moved.key, moved);
      return summarise(moved, { next: 'plan-again' }, 'its lead was converted');
  }
}

/** Parks a deal whose lead and opportunity both have a vendor record, because a person must decide which of the two records remains. */
async function parkConverted(deps: ActivityDeps, link: Link): Promise<SyncSummary> {
  const issue = ISSUES.convertedIntoLinked();
  const settled = await settle(deps, link, { type: 'adoption-parked', issue });
  return summarise(settled, { next: 'parked' }, issue.code);
}

/**
 * How many ms the lead's timestamp may be later than the creation of the opportunity. If it is later still, the opportunity does not come
 * from the conversion of the lead.
 */
const ONE_CONVERSION_MS = 60_000;

/**
 * Whether the conversion of the lead created the opportunity, judged by their timestamps. False also if the lead was changed after its
 * conversion. Lockstep then does not share the opportunity automatically; a user decides.
 */
function isMadeBy(lead: CrmGraph | null, { opportunity }: CrmGraph): boolean {
  const [convertedMs, createdMs] = [lead?.opportunity['SystemModstamp'], opportunity['CreatedDate']].map((at) =>
    Date.parse(String(at)),
  ) as [number, number];
  return createdMs >= convertedMs - ONE_CONVERSION_MS;
}

/**
 * Completes the conversion of a shared lead. Ticks the new opportunity's "Vendor: share" if the conversion did not copy the tick. Writes
 * edits of the lead that the conversion left out and the vendor does not have yet. Writes nothing to an opportunity of another deal. Writes
 * nothing to an unshared opportunity that existed before the conversion, because the user who converted the lead may lack the right to
 * share it. Returns why the CRM refused the edits (null if it did not). Also returns until when a change of the opportunity's stage counts
 * as made by an automation, not by a user.
 */
async function completeConversion(
  deps: ActivityDeps,
  runtime: TenantRuntime,
  { leadId, opportunityId }: Move,
): Promise<Completed> {
  const { ledger } = deps;
  const { tenant, crm } = runtime;
  const now = deps.now();
  const notCompleted = { refused: null, firstStageUntil: firstStageUntil(null, {}, now) };
  if (isLeadId(opportunityId)) return notCompleted;
  const before = await ledger.findLinkByIds(tenant.tenant, { crmId: leadId });
  if (before === null || before.crmId !== leadId) return notCompleted;
  const after = await ledger.findLinkByIds(tenant.tenant, { crmId: opportunityId });
  if (after !== null && after.vendorId !== null) return notCompleted;
  const lead = await readRecord(crm, leadId);
  const graph = await readRecord(crm, opportunityId);
  if (graph === null || graph.opportunity['IsDeleted'] === true) return notCompleted;
  const isShared = graph.opportunity['Vendor_Share__c'] === true;
  const until = firstStageUntil(lead?.opportunity ?? null, graph.opportunity, now);
  if (!isShared && !isMadeBy(lead, graph)) return { refused: null, firstStageUntil: until };
  const { base } = before;
  const edited = lead === null || base === null ? [] : leftOut(lead, base, graph, tenant.mapping);
  const share = isShared ? {} : { Vendor_Share__c: true };
  const edits = lead === null ? {} : valuesOf(edited, lead, graph);
  const target = { deps, runtime, graph };
  const refused = await write(target, { ...share, ...edits });
  if (refused === null || edited.length === 0) return { refused: null, firstStageUntil: until };
  if (!isShared) await write(target, share);
  return { refused: { ...refused, edited }, firstStageUntil: until };
}

/** After this time, in ms, edits of a lead that the CRM refused are sent again, even if no user has saved the opportunity since. */
const AGAIN_MS = 12 * 3_600_000;

/**
 * Writes edits that only the deal's converted lead has to the opportunity, because the CRM refused them before. Writes them if the
 * opportunity has been saved since the refusal, or after half a day. Returns the next step; null if the sync continues without this step.
 */
export async function carryLeadEdits(
  deps: ActivityDeps,
  runtime: TenantRuntime,
  link: Link,
  side: CrmSide,
): Promise<SyncSummary | null> {
  const left = link.base?.leftOnLead;
  if (left === undefined || side.kind !== 'observed' || runtime.tenant.mapping.leads === undefined) return null;
  const { graph } = side.observation;
  const isKnown = versionOf(graph) === left.version && Date.parse(deps.now()) - Date.parse(left.at) < AGAIN_MS;
  if (isKnown || !scopeOf(graph.opportunity).inScope) return null;
  const lead = await readRecord(runtime.crm, left.leadId);
  if (lead === null) return null;
  const edited = stillLeft(left.edited, graph);
  const edits = valuesOf(edited, lead, graph);
  // Fields that the integration user cannot see now may be visible later.
  if (edited.length > 0 && Object.keys(edits).length === 0) return null;
  const refused = await write({ deps, runtime, graph }, edits, HELD);
  const outcome = { type: 'left-on-lead', refused: refused && { ...refused, edited } } as const;
  return summarise(await settle(deps, link, outcome), { next: 'plan-again' }, 'edits of its lead');
}

type Refused = Omit<LeftOnLead, 'leadId'>;

type Completed = { readonly refused: Refused | null; readonly firstStageUntil: string };

async function readRecord(crm: TenantRuntime['crm'], id: string): Promise<CrmGraph | null> {
  return crm.readGraph(id, { signal: cancellationSignal() }).catch((error: unknown) => {
    throw toFailure(error);
  });
}

/** Kinds of CRM errors with which a write is refused until a user or an administrator changes something. */
const REFUSALS: ReadonlySet<string> = new Set(['permanent', 'schema-mismatch']);
/**
 * Kinds of CRM errors after which edits of a converted lead wait, while the deal's other changes are synced: permanent refusals, locks and
 * limits. A lock counts too, because it may last as long as an approval.
 */
const HELD: ReadonlySet<string> = new Set([...REFUSALS, 'busy', 'governor']);

type Target = { readonly deps: ActivityDeps; readonly runtime: TenantRuntime; readonly graph: CrmGraph };

/**
 * Writes fields of an opportunity, if there are any. Returns why the CRM refused them; null if it did not. `kinds`: the kinds of CRM errors
 * that count as a refusal. Throws all other failures.
 */
async function write(
  { deps, runtime: { tenant, crm }, graph }: Target,
  opportunity: CrmFields,
  kinds = REFUSALS,
): Promise<Omit<Refused, 'edited'> | null> {
  if (Object.keys(opportunity).length === 0) return null;
  const opportunityId = String(graph.opportunity['Id']);
  const version = versionOf(graph);
  const fields = { opportunityId, ifUnmodifiedSince: version, opportunity, lines: NO_LINES, account: null };
  try {
    await crm.applyWrite(fields, { signal: cancellationSignal(), readAt: graph.readAt });
    return null;
  } catch (error) {
    // The deal moves nevertheless: a rule of the org that refuses the opportunity's fields must not hold up its other changes.
    if (!(error instanceof CrmError) || !kinds.has(error.kind)) throw toFailure(error);
    log.warn('a conversion was not completed', { tenant: tenant.tenant, code: error.code, fields: error.fields });
    return { code: error.code, fields: error.fields, version, at: deps.now() };
  }
}

function versionOf({ opportunity }: CrmGraph): string {
  return String(opportunity['SystemModstamp']);
}

const NO_LINES = { create: [], update: [], delete: [] } as const;
