import { lacksReference } from '../../src/domain/base/recognise-echo.ts';
import type { CrmSide, VendorSide } from '../../src/domain/decide/input.ts';
import { isUndecided, READING_FRESH_MS, snapshotConfirmedBySearch } from '../../src/domain/decide/vendor-snapshot.ts';
import { hasRivals } from '../../src/domain/evolve/evolve.ts';
import { mappingOf } from '../../src/domain/mapping/leads/lead-mapping.ts';
import { askedAt } from '../../src/domain/record/asked.ts';
import type { Base } from '../../src/domain/record/base.ts';
import type { Link } from '../../src/domain/record/link.ts';
import type { VendorObservation } from '../../src/domain/record/observation.ts';
import { refuseWhilePaused } from '../outage/refuse-while-paused.ts';
import type { ActivityDeps, RecordArgs } from '../support/deps.ts';
import { carryLeadEdits } from './complete-conversion.ts';
import { followConversion } from './follow-conversion.ts';
import { identify } from './identify.ts';
import { noteChangedByOthers } from './note-changed-by-others.ts';
import { decideWithCrm, linkOf, readCrm } from './observe.ts';
import { recordDecision } from './record-decision.ts';
import { lookForRivals, type SyncSummary, summarise } from './summary.ts';
import { supersededBy } from './superseded.ts';
import { type FirstReadArgs, tooSoon, withRecentWriteCheck } from './too-soon.ts';
import type { UnmodifiedRecords } from './unmodified-records.ts';

export type PlanSyncArgs = RecordArgs &
  FirstReadArgs & {
    /**
     * `read`: the vendor's record was read just before this decision, which may therefore use the snapshot in the ledger (Lockstep's
     * database). `unread`: it was not, so the result may be that the vendor must be read first.
     */
    readonly vendor: 'unread' | 'read';
    /**
     * Whether the lane (the workflow for many records) calls the activity. If the record's own workflow calls it while the record is in the
     * lane, the vendor's record is read before a decision. The reason: the lane may have read the record without a decision, so the stored
     * snapshot may contain an unhandled change.
     */
    readonly byLane?: true;
  };

const UNREAD: VendorSide = { kind: 'unread' };

/** Reads the CRM's records of a deal, decides what to do, stores the plan and returns the next step. */
export function createPlanSync(deps: ActivityDeps, unmodified: Pick<UnmodifiedRecords, 'known'>) {
  return withRecentWriteCheck(async function planSync(args: PlanSyncArgs): Promise<SyncSummary> {
    const { tenant, key, vendor: vendorMark } = args;
    const searched = unmodified.known(tenant);
    const known = await linkOf(deps, tenant, key);
    if (known.key !== key) return supersededBy(deps, tenant, known.key, known);
    await refuseWhilePaused(deps, tenant, 'records');
    const soon = await tooSoon(deps, known, args);
    if (soon !== null) return soon;
    // Applies after a read of the vendor too, because a second vendor record may have been found since.
    if (known.crmId !== null && hasRivals(known)) return lookForRivals(known);
    const wantsVendor = readsVendorFirst(deps, known, args);
    if (wantsVendor !== null) return summarise(known, { next: 'read-vendor', planId: null }, wantsVendor);
    const runtime = deps.runtime(tenant);
    const crm = await readCrm(runtime, known);
    const asked = await acceptSyncRequest(deps, known, crm);
    if (asked.vendorDue && vendorMark === 'unread')
      return summarise(asked, { next: 'read-vendor', planId: null }, 'a person asked for it');
    const converted = await followConversion(deps, runtime, asked, crm);
    if (converted !== null) return converted;
    const carried = await carryLeadEdits(deps, runtime, asked, crm);
    if (carried !== null) return carried;
    const { link: identified, ambiguity, isClaimOpen } = await identify(deps, asked, crm, vendorMark === 'read');
    if (isClaimOpen) return summarise(identified, { next: 'read-vendor', planId: null }, 'a user entered a vendor id');
    const link = await noteChangedByOthers(deps, identified, crm, ambiguity);
    const decideOn = (side: VendorSide) => decideWithCrm(deps, runtime, link, crm, side, ambiguity);
    const read: VendorSide = vendorMark === 'read' ? readingOf(link) : UNREAD;
    const first = await decideOn(read);
    const shown =
      first.next === 'read-vendor'
        ? snapshotConfirmedBySearch(link, searched, mappingOf(runtime.tenant.mapping, link.crmId))
        : null;
    const vendor: VendorSide = shown === null ? read : { kind: 'observed', observation: shown };
    const plan = shown === null ? first : await decideOn(vendor);
    return recordDecision(deps, link, plan, {
      trigger: vendorMark === 'read' ? 'vendor' : 'crm',
      // A change that was reported after the read may be missing from it. So only changes up to this number count as synced.
      generation: link.key === known.key ? asked.generation : link.generation,
      graph: graphOf(crm),
      crmReadAt: crm.kind === 'observed' ? deps.now() : null,
      vendorReadAt: vendor.kind === 'observed' ? vendor.observation.readAt : null,
    });
  });
}

/**
 * Accepts a sync request that a user made in the CRM: marks the record's link as to be synced, as an operator's command would. Returns the
 * current link (the stored pair of CRM record and vendor record).
 */
async function acceptSyncRequest(deps: ActivityDeps, link: Link, crm: CrmSide): Promise<Link> {
  const asked = crm.kind === 'observed' ? askedAt(crm.observation.graph.opportunity, deps.now()) : null;
  if (asked === null || !(await deps.ledger.acceptSyncRequest(link.tenant, link.key, asked, deps.now()))) return link;
  return { ...(await linkOf(deps, link.tenant, link.key)), generation: link.generation + 1 };
}

/** Why the vendor must be read before a decision, for example because of a stale snapshot; null if there is no reason. */
function readsVendorFirst(deps: ActivityDeps, link: Link, { vendor: vendorMark, byLane }: PlanSyncArgs): string | null {
  const { vendorId, vendorDue, inLane, base, vendorObservation: observation } = link;
  if (vendorId === null) return null;
  if (vendorMark === 'unread' && inLane && !byLane) return 'the lane may have read it';
  // Applies after a read too, because a known change must not be overwritten.
  if (vendorDue) return 'changed at the vendor';
  // An earlier run ended between the read and the decision. Its snapshot must not be settled together with the CRM's edit.
  if (vendorMark === 'unread' && isUndecided(link)) return 'read, and not decided on';
  if (vendorMark === 'unread') return lacksOurReference(base, observation) ? 'does not have our reference yet' : null;
  const isOld = observation !== null && Date.parse(deps.now()) - Date.parse(observation.readAt) > READING_FRESH_MS;
  return isOld ? 'read too long ago' : null;
}

/**
 * Whether the vendor's record still lacks Lockstep's partner reference (the CRM's record id, stored at the vendor). This happens if a
 * worker imported the record and died before it sent the reference. The vendor's record is then read before the next decision.
 */
function lacksOurReference(base: Base | null, observation: VendorObservation | null): boolean {
  return base !== null && observation !== null && lacksReference(base, observation);
}

function readingOf({ vendorObservation: observation }: Link): VendorSide {
  return observation === null ? { kind: 'unread' } : { kind: 'observed', observation };
}

function graphOf(crm: CrmSide) {
  return crm.kind === 'observed' ? crm.observation.graph : null;
}
