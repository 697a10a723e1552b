import { cancellationSignal, log } from '@temporalio/activity';
import { firstStageUntil, type MoveOfLead } from '../../src/domain/base/after-conversion.ts';
import type { CrmSide } from '../../src/domain/decide/input.ts';
import { firstCloseDateOf } from '../../src/domain/mapping/leads/close-date.ts';
import { leftOut, stillLeft, valuesOf } from '../../src/domain/mapping/leads/left-out.ts';
import type { Base, LeftOnLead } from '../../src/domain/record/base.ts';
import type { CrmFields, CrmGraph } from '../../src/domain/record/crm-graph.ts';
import type { Link } from '../../src/domain/record/link.ts';
import { isLeadId } from '../../src/domain/record/salesforce-id.ts';
import { scopeOf } from '../../src/domain/record/scope.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import type { ActivityDeps, TenantRuntime } from '../support/deps.ts';
import { toFailure } from '../support/to-failure.ts';
import { settle } from './settle.ts';
import { type SyncSummary, summarise } from './summary.ts';

/** A lead that was converted or merged, and the record that it became: an opportunity, or the lead into which it was merged. */
export type Move = { readonly leadId: string; readonly opportunityId: string };

/**
 * The lead's last change (`SystemModstamp`) may be at most this many ms later than the creation of the opportunity. If it is later, the
 * opportunity does not come from the conversion of the lead.
 */
const ONE_CONVERSION_MS = 60_000;

/**
 * As `ONE_CONVERSION_MS`, for the close date: shorter, because a user may have created the opportunity shortly before converting the lead
 * into it, and then chose its close date.
 */
const ONE_TRANSACTION_MS = 15_000;

/**
 * Whether the conversion of the lead created the opportunity, judged by their timestamps. False also if the lead was changed after its
 * conversion. Lockstep then does not share the opportunity automatically; a user decides.
 */
function isMadeBy(lead: CrmGraph | null, { opportunity }: CrmGraph, withinMs = ONE_CONVERSION_MS): boolean {
  const [convertedMs, createdMs] = [lead?.opportunity['SystemModstamp'], opportunity['CreatedDate']].map((at) =>
    Date.parse(String(at)),
  ) as [number, number];
  return createdMs >= convertedMs - withinMs;
}

/**
 * Completes the conversion of a shared lead to an opportunity. Ticks the opportunity's "Vendor: share" if the conversion did not copy the
 * tick. Writes edits of the lead that the conversion left out and the vendor does not have yet.
 *
 * A user may have converted the lead into an existing opportunity. If that opportunity is not shared, nothing is written to it, because the
 * user may lack the right to share it. Nothing is written if the opportunity is deleted, or if the lead was merged into another lead. The
 * caller leaves out opportunities that are linked to another vendor record.
 *
 * `refused` of the result: why the CRM refused the edits; null if it did not. `firstStageUntil`: an instant (ISO). Until then, a change of
 * the opportunity's stage counts as made by an automation. Lockstep must not take such a change for a user's choice. `firstCloseDate`: the
 * close date that Salesforce chose; absent if it chose none.
 */
export async function completeConversion(
  deps: ActivityDeps,
  runtime: TenantRuntime,
  { leadId, opportunityId }: Move,
  base: Base | null,
): Promise<Completed> {
  const { tenant, crm } = runtime;
  const now = deps.now();
  const notCompleted = { refused: null, firstStageUntil: firstStageUntil(null, {}, now) };
  if (isLeadId(opportunityId)) return notCompleted;
  const lead = await readRecord(crm, leadId);
  const graph = await readRecord(crm, opportunityId);
  if (graph === null || graph.opportunity['IsDeleted'] === true) return notCompleted;
  const isShared = graph.opportunity['Vendor_Share__c'] === true;
  const until = firstStageUntil(lead?.opportunity ?? null, graph.opportunity, now);
  if (!isShared && !isMadeBy(lead, graph)) return { refused: null, firstStageUntil: until };
  const date = isMadeBy(lead, graph, ONE_TRANSACTION_MS) ? firstCloseDateOf(graph.opportunity) : undefined;
  const first = { firstStageUntil: until, ...(date === undefined ? {} : { firstCloseDate: date }) };
  const edited = lead === null ? [] : leftOut(lead, base, { graph, firstCloseDate: date }, tenant.mapping);
  const share = isShared ? {} : { Vendor_Share__c: true };
  const edits = lead === null ? {} : valuesOf(edited, lead, graph);
  const target = { deps, runtime, graph };
  const refused = await write(target, { ...share, ...edits });
  if (refused === null || edited.length === 0) return { refused: null, ...first };
  if (!isShared) await write(target, share);
  return { refused: { ...refused, edited }, ...first };
}

/**
 * If the CRM refused to write edits of a converted lead to its opportunity, Lockstep writes them again after this time, in ms, even if no
 * user has saved the opportunity since.
 */
const AGAIN_MS = 12 * 3_600_000;

/**
 * Writes edits of a converted lead to its opportunity, if the CRM refused them there earlier. Writes them if the opportunity has been saved
 * since that refusal, or after half a day. Returns the next step; null if the sync continues without this step.
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
  const edited = stillLeft(left.edited, { graph, firstCloseDate: link.base?.firstCloseDate });
  const edits = valuesOf(edited, lead, graph);
  // Fields that the integration user cannot see now may be visible later.
  if (edited.length > 0 && Object.keys(edits).length === 0) return null;
  const refused = await write({ deps, runtime, graph }, edits, HELD);
  const outcome = { type: 'left-on-lead', refused: refused && { ...refused, edited } } as const;
  return summarise(await settle(deps, link, outcome), { next: 'plan-again' }, 'edits of its lead');
}

type Refused = Omit<LeftOnLead, 'leadId'>;

export type Completed = Pick<MoveOfLead, 'firstCloseDate'> & {
  readonly refused: Refused | null;
  readonly firstStageUntil: string;
};

export async function readRecord(crm: TenantRuntime['crm'], id: string): Promise<CrmGraph | null> {
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
