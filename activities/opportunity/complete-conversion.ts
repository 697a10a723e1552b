import { cancellationSignal, log } from '@temporalio/activity';
import { firstStageUntil } from '../../src/domain/base/after-conversion.ts';
import type { CrmSide } from '../../src/domain/decide/input.ts';
import { closeDateBySalesforce } from '../../src/domain/mapping/leads/close-date.ts';
import { leftOut, stillLeft, valuesOf } from '../../src/domain/mapping/leads/left-out.ts';
import { type Base, EMPTY_BASE, type LeftOnLead } from '../../src/domain/record/base.ts';
import type { FieldName } from '../../src/domain/record/canonical.ts';
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
 * Completes the conversion of a shared lead to an opportunity. Ticks the opportunity's "Vendor: share" if the conversion did not copy the
 * tick. Writes values of the lead that the conversion left out (`leftOut`).
 *
 * A user may have converted the lead into an existing opportunity. If that opportunity is not shared, nothing is written to it, because the
 * user may lack the right to share it. Nothing is written if the opportunity is deleted, or if the lead was merged into another lead. The
 * caller leaves out opportunities that are linked to another vendor record.
 *
 * `refused` of the result: why the CRM refused the values; null if it did not. `firstStageUntil`: an instant (ISO). Until then, a change of
 * the opportunity's stage counts as made by an automation. Lockstep must not take such a change for a user's choice.
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
  const target = { deps, runtime, graph };
  if (lead === null) {
    await write(target, shareOf(graph));
    return { refused: null, firstStageUntil: until };
  }
  // An opportunity that was there before keeps its own values if the vendor never had the lead.
  const agreed = base ?? (isMadeBy(lead, graph) ? EMPTY_BASE : null);
  const closeDate = closeDateBySalesforce(lead.opportunity, graph.opportunity, now);
  const left = agreed === null ? [] : leftOut(lead, agreed, { graph, closeDate }, tenant.mapping);
  // Without agreed values, Lockstep's database cannot store which values wait. So if the opportunity is locked, the whole move waits for
  // the end of the lock.
  const refused = await writeLeft(target, lead, left, isShared && base !== null ? isLocked : isRefused);
  const chosen = closeDate === null ? {} : { closeDate };
  return { refused: refused && { ...refused, ...chosen }, firstStageUntil: until };
}

/** The tick of "Vendor: share" that the opportunity lacks. */
function shareOf({ opportunity }: CrmGraph): CrmFields {
  return opportunity['Vendor_Share__c'] === true ? {} : { Vendor_Share__c: true };
}

/**
 * Writes the lead's values of the fields `left` to the opportunity, and shares it. If the CRM refuses this write, writes the close date and
 * the other values separately. A rule of the org about one of them then does not stop the others. Returns the fields that the CRM refused,
 * and why; null if it refused none.
 */
async function writeLeft(
  target: Target,
  lead: CrmGraph,
  left: readonly FieldName[],
  isRefusal: IsRefusal,
): Promise<Refused | null> {
  const share = shareOf(target.graph);
  const writeAll = (fields: readonly FieldName[]) =>
    write(target, { ...share, ...valuesOf(fields, lead, target.graph) }, isRefusal);
  const refused = await writeAll(left);
  if (refused === null || left.length === 0) return null;
  const others = left.filter((field) => field !== 'closeDate');
  const parts: readonly (readonly FieldName[])[] =
    others.length > 0 && others.length < left.length ? [others, ['closeDate']] : [];
  for (const part of parts)
    if ((await writeAll(part)) === null) return { ...refused, edited: left.filter((field) => !part.includes(field)) };
  await write(target, share);
  return { ...refused, edited: left };
}

/**
 * If the CRM refused to write values of a converted lead to its opportunity, Lockstep writes them again after this time, in ms, even if no
 * user has saved the opportunity since.
 */
const AGAIN_MS = 12 * 3_600_000;

/**
 * Writes values of a converted lead to its opportunity, if the CRM refused this earlier. Does so once the opportunity has been saved since
 * the refusal, or after half a day. Returns the next step; null if the sync continues without this step.
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
  const edited = stillLeft(left.edited, { graph, closeDate: left.closeDate ?? null });
  // Fields that the integration user cannot see now may be visible later.
  if (edited.length > 0 && Object.keys(valuesOf(edited, lead, graph)).length === 0) return null;
  const refused = await writeLeft({ deps, runtime, graph }, lead, edited, isHeld);
  const outcome = { type: 'left-on-lead', refused } as const;
  return summarise(await settle(deps, link, outcome), { next: 'plan-again' }, 'edits of its lead');
}

type Refused = Omit<LeftOnLead, 'leadId'>;

export type Completed = { readonly refused: Refused | null; readonly firstStageUntil: string };

export async function readRecord(crm: TenantRuntime['crm'], id: string): Promise<CrmGraph | null> {
  return crm.readGraph(id, { signal: cancellationSignal() }).catch((error: unknown) => {
    throw toFailure(error);
  });
}

/** Whether the CRM refused a write until a user or an administrator changes something. */
function isRefused({ kind }: CrmError): boolean {
  return kind === 'permanent' || kind === 'schema-mismatch';
}

/** As `isRefused`. Also true if the opportunity is locked, because the lock may last as long as an approval. */
function isLocked(error: CrmError): boolean {
  return isRefused(error) || error.code === 'ENTITY_IS_LOCKED';
}

/**
 * Whether values of a converted lead wait after this error, while the deal's other changes are synced: refusals, all locks, and limits of
 * the org's automation.
 */
function isHeld(error: CrmError): boolean {
  return isRefused(error) || error.kind === 'busy' || error.kind === 'governor';
}

type IsRefusal = (error: CrmError) => boolean;

type Target = { readonly deps: ActivityDeps; readonly runtime: TenantRuntime; readonly graph: CrmGraph };

/**
 * Writes fields of an opportunity, if there are any. Returns why the CRM refused them; null if it did not. `isRefusal`: whether a CRM error
 * counts as a refusal. Throws all other failures.
 */
async function write(
  { deps, runtime: { tenant, crm }, graph }: Target,
  opportunity: CrmFields,
  isRefusal: IsRefusal = isRefused,
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
    if (!(error instanceof CrmError) || !isRefusal(error)) throw toFailure(error);
    log.warn('a conversion was not completed', { tenant: tenant.tenant, code: error.code, fields: error.fields });
    return { code: error.code, fields: error.fields, version, at: deps.now() };
  }
}

function versionOf({ opportunity }: CrmGraph): string {
  return String(opportunity['SystemModstamp']);
}

const NO_LINES = { create: [], update: [], delete: [] } as const;
