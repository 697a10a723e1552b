import type { PartnerApi } from '../partner-api/index.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { Crm } from '../salesforce/crm.ts';

/** The calls of the CRM that observing a deal needs. They are reads only, so that code with this type cannot write. */
export type CrmReads = Pick<
  Crm,
  'readGraph' | 'fieldChanges' | 'isMergedInto' | 'knownOffers' | 'limits' | 'findCandidates'
>;

/** The calls of the vendor that observing a deal needs; reads only. */
export type VendorReads = Pick<PartnerApi, 'readLeadOpportunity' | 'searchLeadOpportunities'>;

/** The parts of a tenant's file that a decision needs. */
export type DecidingTenant = Pick<Tenant, 'tenant' | 'mapping' | 'importFromVendor' | 'matching'>;

/** One tenant with the reads of its two remote systems. */
export type ReadableTenant = {
  readonly tenant: DecidingTenant;
  readonly crm: CrmReads;
  readonly vendor: VendorReads;
};
