import type { CrmSide } from '../domain/decide/input.ts';
import { observeCrm, observeVendor } from '../domain/mapping/index.ts';
import { mappingOf } from '../domain/mapping/leads/lead-mapping.ts';
import type { MappingConfig } from '../domain/record/mapping-config.ts';
import type { VendorObservation } from '../domain/record/observation.ts';
import { flattenExtra, foundIds, PartnerApiError, type RateLimit } from '../partner-api/index.ts';
import type { CrmReads, VendorReads } from './remotes.ts';

/** Sends one request to the vendor if the quota allows it. Otherwise rejects; the implementation chooses the error. */
export type AskVendor = <Answer extends { readonly rateLimit: RateLimit }>(
  send: (signal: AbortSignal) => Promise<Answer>,
) => Promise<Answer>;

/** Reads the CRM's side of a deal, in one call. Throws the CRM's errors. */
export async function readCrmSide(
  crm: Pick<CrmReads, 'readGraph'>,
  crmId: string | null,
  mapping: MappingConfig,
  call: Parameters<CrmReads['readGraph']>[1] = {},
): Promise<CrmSide> {
  if (crmId === null) return { kind: 'unlinked' };
  const graph = await crm.readGraph(crmId, call);
  if (graph === null) return { kind: 'missing' };
  return { kind: 'observed', observation: observeCrm(graph, mappingOf(mapping, crmId)) };
}

/**
 * Reads one vendor record; null if the vendor does not show it to this partner (sales spec 7). `now`: returns the time after the answer,
 * ISO. Throws the client's error.
 */
export async function readVendorRecord(
  vendor: Pick<VendorReads, 'readLeadOpportunity'>,
  vendorId: string,
  { mapping, ask, now }: { readonly mapping: MappingConfig; readonly ask: AskVendor; readonly now: () => string },
): Promise<VendorObservation | null> {
  try {
    const answer = await ask((signal) => vendor.readLeadOpportunity({ id: vendorId }, { signal }));
    const raw = flattenExtra(answer.data.leadOpportunity);
    return { ...observeVendor(raw, mapping, now()), vendorId };
  } catch (error) {
    if (error instanceof PartnerApiError && isNotShown(error)) return null;
    throw error;
  }
}

/**
 * Whether the vendor itself says that it does not show the record. A 404 without one of the vendor's error codes comes from a gateway and
 * says nothing about the record.
 */
function isNotShown({ kind, code }: PartnerApiError): boolean {
  return kind === 'out-of-scope' || (kind === 'not-found' && code !== null);
}

/** Ids of the vendor records whose partner reference is one of `references` (the CRM ids that the deal has or had). One request. */
export async function vendorIdsWithReference(
  vendor: Pick<VendorReads, 'searchLeadOpportunities'>,
  references: readonly string[],
  ask: AskVendor,
): Promise<readonly string[]> {
  const answer = await ask((signal) =>
    vendor.searchLeadOpportunities({ data: [{ partnerLeadOpportunityId: references }] }, { signal }),
  );
  return foundIds(answer.data);
}

/** Ids of the vendor records that were modified in a period, both ends included (sales spec 4.4). One request. */
export async function vendorIdsModified(
  vendor: Pick<VendorReads, 'searchLeadOpportunities'>,
  modifiedDate: { readonly fromDate: string; readonly toDate: string },
  ask: AskVendor,
): Promise<readonly string[]> {
  const answer = await ask((signal) => vendor.searchLeadOpportunities({ data: [{ modifiedDate }] }, { signal }));
  return foundIds(answer.data);
}
