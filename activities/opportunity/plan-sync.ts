import type { CrmSide, VendorSide } from '../../src/domain/decide/input.ts';
import type { Link } from '../../src/domain/record/link.ts';
import { refuseWhilePaused } from '../outage/refuse-while-paused.ts';
import type { ActivityDeps, RecordArgs } from '../support/deps.ts';
import { identify } from './identify.ts';
import { noteChangedByOthers } from './note-changed-by-others.ts';
import { decideWithCrm, linkOf, readCrm } from './observe.ts';
import { recordDecision } from './record-decision.ts';
import { type SyncSummary, summarise } from './summary.ts';
import { supersededBy } from './superseded.ts';

export type PlanSyncArgs = RecordArgs & {
  /** `read`: the vendor was read in this round, and its reading in the ledger may be used. */
  readonly vendor: 'unread' | 'read';
};

/** A vendor reading older than this is nothing to decide on. */
const FRESH_MS = 60_000;

/** Reads the CRM's graph, decides, and stores what is to be done. */
export function createPlanSync(deps: ActivityDeps) {
  return async function planSync({ tenant, key, vendor: mark }: PlanSyncArgs): Promise<SyncSummary> {
    const known = await linkOf(deps, tenant, key);
    if (known.key !== key) return supersededBy(deps, tenant, known.key, known);
    await refuseWhilePaused(deps, tenant, 'records');
    if (mark === 'unread' && known.vendorDue && known.vendorId !== null)
      return summarise(known, { next: 'read-vendor', planId: null }, 'changed at the vendor');
    const runtime = deps.runtime(tenant);
    const crm = await readCrm(runtime, known);
    const { link: identified, ambiguity } = await identify(deps, known, crm);
    const link = await noteChangedByOthers(deps, identified, crm);
    const vendor: VendorSide = mark === 'read' ? freshReading(deps, link) : { kind: 'unread' };
    const plan = await decideWithCrm(deps, runtime, link, crm, vendor, ambiguity);
    return recordDecision(deps, link, plan, {
      trigger: mark === 'read' ? 'vendor' : 'crm',
      dueSeq: link.dueSeq,
      graph: graphOf(crm),
      crmReadAt: crm.kind === 'observed' ? deps.now() : null,
      vendorReadAt: vendor.kind === 'observed' ? vendor.observation.readAt : null,
    });
  };
}

function freshReading(deps: ActivityDeps, { vendorObservation: observation }: Link): VendorSide {
  if (observation === null) return { kind: 'unread' };
  const age = Date.parse(deps.now()) - Date.parse(observation.readAt);
  return age <= FRESH_MS ? { kind: 'observed', observation } : { kind: 'unread' };
}

function graphOf(crm: CrmSide) {
  return crm.kind === 'observed' ? crm.observation.graph : null;
}
