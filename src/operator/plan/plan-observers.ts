import { withResync } from '../../domain/base/under-mapping.ts';
import type { CrmSide } from '../../domain/decide/input.ts';
import { observeCrm } from '../../domain/mapping/index.ts';
import { mappingOf } from '../../domain/mapping/leads/lead-mapping.ts';
import type { FieldName } from '../../domain/record/canonical.ts';
import type { CrmGraph } from '../../domain/record/crm-graph.ts';
import { referencesOf, type WithFormerIds } from '../../domain/record/former-ids.ts';
import type { Link } from '../../domain/record/link.ts';
import type { MappingConfig } from '../../domain/record/mapping-config.ts';
import type { VendorObservation } from '../../domain/record/observation.ts';
import { type ObservedDeal, type ObservePorts, observeDeal } from '../../observe/observe-deal.ts';
import { type AskVendor, readVendorRecord, vendorIdsWithReference } from '../../observe/read-sides.ts';
import type { DecidingTenant, ReadableTenant } from '../../observe/remotes.ts';
import { type ForeseenLinks, foreseenLinks } from './foreseen-links.ts';

/**
 * Records that were read in advance, many at a time: `graphs` by opportunity id, `records` by vendor id. Null: the CRM or the vendor shows
 * no such record. A record that is missing here is read when it is planned.
 */
export type ReadAhead = {
  readonly graphs: Map<string, CrmGraph | null>;
  readonly records: Map<string, VendorObservation | null>;
};

/**
 * Reads a deal in the CRM and at the vendor, and decides about it under one mapping. All earlier records of the plan count as synced,
 * because a real sync would have linked them before. So the decision does not link a partner that an earlier record already has.
 */
export type PlanObserver = Pick<ForeseenLinks, 'claimed'> & {
  readonly observe: (link: Link) => Promise<ObservedDeal>;
};

export type PlanObserverParts = {
  readonly remotes: ReadableTenant;
  readonly ledger: ObservePorts['ledger'];
  readonly ask: AskVendor;
  readonly ahead: ReadAhead;
  readonly now: () => string;
};

/**
 * Creates the observer of a plan, which reads deals and decides about them under a mapping. `fields`: the fields of a planned backfill. In
 * linked deals, the observer treats these fields as if CRM and vendor had never agreed on them. It does so because the backfill will sync
 * them in this way.
 */
export function createPlanObserver(
  parts: PlanObserverParts,
  mapping: MappingConfig,
  fields: readonly FieldName[] = [],
): PlanObserver {
  const { remotes, ask, ahead, now } = parts;
  const { crm, vendor } = remotes;
  const tenant: DecidingTenant = { ...remotes.tenant, mapping };
  const foreseen = foreseenLinks(parts.ledger, now);
  const read = (vendorId: string) => readVendorRecord(vendor, vendorId, { mapping, ask, now });
  const readCrm = async (crmId: string): Promise<CrmSide> => {
    const known = ahead.graphs.get(crmId);
    const graph = known === undefined ? await crm.readGraph(crmId) : known;
    if (graph === null) return { kind: 'missing' };
    return { kind: 'observed', observation: observeCrm(graph, mappingOf(mapping, crmId)) };
  };
  const observe: PlanObserver['observe'] = async (known) => {
    const link = fields.length === 0 ? known : { ...known, base: known.base && withResync(known.base, fields) };
    const ports = {
      tenant,
      crm,
      ledger: foreseen.ledger,
      now,
      readCrm,
      idsWithReference: (crmId: string, of: WithFormerIds) =>
        vendorIdsWithReference(vendor, referencesOf(crmId, of), ask),
    };
    const kept = storedObservation(link);
    const readVendor = async (vendorId: string) => {
      const known = ahead.records.get(vendorId);
      return known === undefined ? (kept ?? read(vendorId)) : known;
    };
    const first = await observeDeal({ ...ports, readVendor }, link);
    // An update of a list must be based on a new read, because it replaces the vendor's whole list.
    const again = kept !== null && first.plan.next === 'read-vendor';
    const last = again ? await observeDeal({ ...ports, readVendor: read }, link) : first;
    foreseen.note(last);
    return last;
  };
  return { observe, claimed: foreseen.claimed };
}

/**
 * The vendor's record as the ledger (Lockstep's database) stored it, so that the plan need not request it from the vendor. Null if the plan
 * must request it: the stored record may be outdated (a change was reported, or the outcome of a write is unknown), or the deal has no CRM
 * record.
 */
function storedObservation({ crmId, vendorDue, vendorInDoubt, vendorObservation }: Link): VendorObservation | null {
  return crmId === null || vendorDue || vendorInDoubt !== 'no' ? null : vendorObservation;
}
