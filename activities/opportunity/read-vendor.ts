import { baseAfterEcho } from '../../src/domain/base/after-echo.ts';
import { isLedgerRestored } from '../../src/domain/base/after-ledger-restore.ts';
import type { CrmSide, VendorSide } from '../../src/domain/decide/input.ts';
import { reusableSnapshot, snapshotConfirmedBySearch } from '../../src/domain/decide/vendor-snapshot.ts';
import { hasRivals } from '../../src/domain/evolve/evolve.ts';
import { isBulk } from '../../src/domain/loop/work-class.ts';
import { observeCrm, unknownCodes } from '../../src/domain/mapping/index.ts';
import { mappingOf } from '../../src/domain/mapping/leads/lead-mapping.ts';
import { withFilledIn } from '../../src/domain/merge/filled-in.ts';
import { ISSUES } from '../../src/domain/record/issues.ts';
import type { Link } from '../../src/domain/record/link.ts';
import type { VendorObservation } from '../../src/domain/record/observation.ts';
import type { Plan } from '../../src/domain/record/plan.ts';
import { referenceKind } from '../../src/domain/record/reference.ts';
import type { StoredPlan } from '../../src/ledger/plans/plan-ledger.ts';
import { refuseWhilePaused } from '../outage/refuse-while-paused.ts';
import type { ActivityDeps, RecordArgs, TenantRuntime } from '../support/deps.ts';
import { matchOpportunity } from './match-opportunity.ts';
import { decideWithCrm, linkOf } from './observe.ts';
import { readClaimed } from './read-claimed.ts';
import { readRecord } from './read-record.ts';
import { type DecisionContext, recordDecision } from './record-decision.ts';
import { settle } from './settle.ts';
import { lookForRivals, type SyncSummary, summarise } from './summary.ts';
import { supersededBy } from './superseded.ts';
import { type FirstReadArgs, tooSoon, withRecentWriteCheck } from './too-soon.ts';
import type { UnmodifiedRecords } from './unmodified-records.ts';

export type ReadVendorArgs = RecordArgs &
  FirstReadArgs & {
    /** The id of an earlier plan (stored decision) whose CRM snapshot this decision may reuse; null if there is none. */
    readonly planId: string | null;
    readonly crmDue: boolean;
    /**
     * Whether the lane (the workflow for many records) calls the activity. The lane may reuse a snapshot that it stored before its worker
     * died or before a quota was used up.
     */
    readonly byLane?: true;
  };

/** The maximum age, in ms, of a CRM snapshot that a decision may use. An older snapshot is read again. */
const CRM_FRESH_MS = 30_000;

/**
 * Reads a vendor record, stores the snapshot and returns the next step. Also decides what to write, unless the CRM's record must be read
 * again; then the next step reads it.
 */
export function createReadVendor(deps: ActivityDeps, unmodified: UnmodifiedRecords) {
  return withRecentWriteCheck(async function readVendor(args: ReadVendorArgs): Promise<SyncSummary> {
    const { tenant, key, planId, work } = args;
    const link = await linkOf(deps, tenant, key);
    if (link.key !== key) return supersededBy(deps, tenant, link.key, link);
    await refuseWhilePaused(deps, tenant, 'records');
    if (link.vendorId === null) return readClaimed(deps, link, args);
    const soon = await tooSoon(deps, link, args);
    if (soon !== null) return soon;
    if (link.crmId !== null && hasRivals(link)) return lookForRivals(link);
    const runtime = deps.runtime(tenant);
    const without = planId === null ? null : await decideWithoutReading(deps, unmodified, runtime, link, args);
    if (without !== null) return without;
    const kept = args.byLane && planId === null ? reusableSnapshot(link, deps.now(), isBulk(work)) : null;
    const reading = kept ?? (await readRecord(deps, runtime, link.vendorId, args));
    if (reading === null)
      return summarise(link, { next: 'search-vendor', reportedMissing: true }, 'the vendor does not show it');
    await noteUnknownCodes(deps, runtime, reading);
    const separated = await separatedFrom(deps, link);
    const owner = await ownerOf(deps, runtime, link, reading, separated);
    if (owner.vendorId !== null && owner.vendorId !== link.vendorId) return parkRivals(deps, link, owner);
    const observation = withFilledIn(reading, owner);
    // A change that was reported during the vendor read may be missing from it. So the generation from before the read is kept, whichever
    // link owns the record.
    const settled = await settle(deps, { ...owner, generation: link.generation }, { type: 'vendor-read', observation });
    if (owner.key !== key) return supersededBy(deps, tenant, owner.key, settled);
    const stored = planId === null ? null : await deps.ledger.loadPlan(tenant, planId);
    const crmDue = args.crmDue || hasCrmMark(link);
    const read = { ...settled, generation: link.generation };
    if (read.crmId === null) return decideAlone(deps, runtime, read, observation, separated);
    return decideOnReading(deps, runtime, read, observation, stored, crmDue);
  });
}

/**
 * Decides with the stored vendor snapshot, if a search has confirmed that the record is unmodified since the snapshot. This saves reads
 * when many CRM records change. Otherwise the record must be read, but an activity sends only one request. If this call has sent the
 * search, returns a summary with `read-vendor`, and the next activity reads the record. If this call has sent no request, returns null, and
 * the caller reads the record now.
 */
async function decideWithoutReading(
  deps: ActivityDeps,
  unmodified: UnmodifiedRecords,
  runtime: TenantRuntime,
  before: Link,
  { tenant, key, planId, work }: ReadVendorArgs,
): Promise<SyncSummary | null> {
  const hasAsked = await unmodified.ask(runtime, before, work);
  const searched = unmodified.known(tenant);
  if (!hasAsked && !searched.has(String(before.vendorId))) return null;
  const link = await linkOf(deps, tenant, key);
  const shown =
    link.key === key ? snapshotConfirmedBySearch(link, searched, mappingOf(runtime.tenant.mapping, link.crmId)) : null;
  const stored = shown === null || planId === null ? null : await deps.ledger.loadPlan(tenant, planId);
  const decided = shown === null ? null : await decideOnStored(deps, runtime, link, shown, stored);
  if (decided !== null && decided.plan.next !== 'read-vendor')
    return recordDecision(deps, link, decided.plan, decided.context);
  return hasAsked ? summarise(link, { next: 'read-vendor', planId }, 'may have changed at the vendor') : null;
}

/**
 * Parks two vendor records (leaves them waiting) that carry one opportunity's id as their partner reference, until a person chooses one of
 * them.
 */
async function parkRivals(deps: ActivityDeps, link: Link, owner: Link): Promise<SyncSummary> {
  const issue = ISSUES.severalVendorRecords([owner, link].map(({ vendorId }) => String(vendorId)));
  await settle(deps, owner, { type: 'rival-found', issue });
  await deps.wake(link.tenant, [owner.key], 'any');
  const settled = await settle(deps, link, { type: 'adoption-parked', issue });
  return summarise(settled, { next: 'parked' }, issue.code);
}

/**
 * Whether the record is due for another reason than the vendor's change that this step reads, such as a change in the CRM. The CRM's record
 * must then be read too.
 */
function hasCrmMark({ generation, observedGeneration, vendorDue }: Link): boolean {
  return generation - observedGeneration > (vendorDue ? 1 : 0);
}

/** Matches a text that is short and plain enough to be a vendor code. Only such texts are counted as unknown codes. */
const CODE = /^[\p{L}\p{N}_ ./:+-]{1,80}$/u;

/** Counts vendor codes that no mapping table contains, so that an operator sees them. Lockstep syncs such codes unchanged. */
async function noteUnknownCodes(
  deps: ActivityDeps,
  { tenant: { tenant, mapping } }: TenantRuntime,
  { record }: VendorObservation,
): Promise<void> {
  const codes = unknownCodes(record, mapping).filter(({ code }) => CODE.test(code));
  if (codes.length > 0) await deps.ledger.noteCodes(tenant, codes, deps.now());
}

/**
 * Ids of opportunities that an operator separated from this vendor record, and that must not be matched to it again. Empty if the record is
 * linked to an opportunity, because it is then not matched.
 */
async function separatedFrom(deps: ActivityDeps, { tenant, crmId, vendorId }: Link): Promise<readonly string[]> {
  return crmId !== null || vendorId === null ? [] : deps.ledger.barredFrom(tenant, { vendorId });
}

/**
 * The link (the stored pair of CRM record and vendor record) to which a vendor record belongs. If the vendor record's partner reference
 * names an opportunity, merges the opportunity's link and the vendor record's link.
 */
async function ownerOf(
  deps: ActivityDeps,
  { tenant: { mapping } }: TenantRuntime,
  link: Link,
  { reference, vendorId }: VendorObservation,
  separated: readonly string[],
): Promise<Link> {
  if (link.crmId !== null || reference === null || referenceKind(reference, mapping) !== 'ours') return link;
  if (separated.includes(reference)) return link;
  const ids = { crmId: reference, vendorId };
  return (await deps.ledger.resolveLink(link.tenant, ids, deps.now())).link;
}

/**
 * Handles a vendor record without a linked opportunity: matches it to an opportunity, or decides whether to create an opportunity for it.
 * Returns the next step.
 */
async function decideAlone(
  deps: ActivityDeps,
  runtime: TenantRuntime,
  link: Link,
  observation: VendorObservation,
  separated: readonly string[],
): Promise<SyncSummary> {
  const matched = await matchOpportunity(deps, runtime, link, observation, separated);
  if (matched !== null) return matched;
  const vendor: VendorSide = { kind: 'observed', observation };
  const ambiguity = separated.length === 0 ? null : ({ kind: 'separated', from: separated } as const);
  const plan = await decideWithCrm(deps, runtime, link, { kind: 'unlinked' }, vendor, ambiguity);
  return recordDecision(deps, link, plan, contextOf(link, observation));
}

function contextOf({ generation }: Link, { readAt }: VendorObservation): DecisionContext {
  return { trigger: 'vendor', generation, graph: null, crmReadAt: null, vendorReadAt: readAt };
}

async function decideOnReading(
  deps: ActivityDeps,
  runtime: TenantRuntime,
  link: Link,
  observation: VendorObservation,
  stored: StoredPlan | null,
  crmDue: boolean,
): Promise<SyncSummary> {
  const decided = await decideOnStored(deps, runtime, link, observation, stored);
  if (decided !== null) return recordDecision(deps, link, decided.plan, decided.context);
  // A record with an open issue needs a new observation of both sides.
  const agreed = link.base?.goingBack === undefined ? link.base : null;
  const isQuiet = !crmDue && link.state === 'in-sync' && agreed !== null && !isLedgerRestored(link);
  const base = isQuiet ? baseAfterEcho(agreed, observation, mappingOf(runtime.tenant.mapping, link.crmId)) : null;
  if (base === null) return summarise(link, { next: 'plan-again' }, 'changed at the vendor');
  const settled = await settle(deps, link, { type: 'vendor-echoed', base });
  return summarise(settled, { next: 'nothing' }, 'echo');
}

/**
 * Decides with the CRM snapshot that an earlier plan (decision) stored, and returns the new decision. Null if the snapshot is too old, or
 * if another writer has stored a newer plan.
 */
async function decideOnStored(
  deps: ActivityDeps,
  runtime: TenantRuntime,
  link: Link,
  observation: VendorObservation,
  stored: StoredPlan | null,
): Promise<{ readonly plan: Plan; readonly context: DecisionContext } | null> {
  if (stored === null || stored.graph === null || !isFresh(deps, stored.crmReadAt)) return null;
  if (link.newestPlan !== stored.id) return null;
  const { graph, crmReadAt } = stored;
  const crm: CrmSide = {
    kind: 'observed',
    observation: observeCrm(graph, mappingOf(runtime.tenant.mapping, link.crmId)),
  };
  const plan = await decideWithCrm(deps, runtime, link, crm, { kind: 'observed', observation });
  const generation = Math.min(stored.generation, link.generation);
  return { plan, context: { ...contextOf(link, observation), graph, crmReadAt, generation } };
}

function isFresh(deps: ActivityDeps, readAt: string | null): boolean {
  return readAt !== null && Date.parse(deps.now()) - Date.parse(readAt) <= CRM_FRESH_MS;
}
