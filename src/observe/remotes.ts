import type { PartnerApi } from '../partner-api/index.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { Crm } from '../salesforce/crm.ts';

/** What may be asked of the CRM to observe a deal. Reads alone: whoever is handed this can write nothing. */
export type CrmReads = Pick<
  Crm,
  'readGraph' | 'fieldChanges' | 'isMergedInto' | 'knownOffers' | 'limits' | 'findCandidates'
>;

/** What may be asked of the vendor to observe a deal. */
export type VendorReads = Pick<PartnerApi, 'readLeadOpportunity' | 'searchLeadOpportunities'>;

/** What of a tenant's file a decision rests on. */
export type DecidingTenant = Pick<Tenant, 'tenant' | 'mapping' | 'importFromVendor' | 'matching'>;

/** One tenant with what may be read of its two remote systems. */
export type ReadableTenant = {
  readonly tenant: DecidingTenant;
  readonly crm: CrmReads;
  readonly vendor: VendorReads;
};
