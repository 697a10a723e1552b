import type { PartnerApi } from '../partner-api/index.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { Crm } from '../salesforce/crm.ts';

/** The CRM reads that observing a deal needs. Code that has only this type cannot write. */
export type CrmReads = Pick<
  Crm,
  | 'readGraph'
  | 'leadsConvertedInto'
  | 'fieldChanges'
  | 'isMergedInto'
  | 'hasMadeSuch'
  | 'knownOffers'
  | 'limits'
  | 'findCandidates'
>;

/** The vendor reads that observing a deal needs. Code that has only this type cannot write. */
export type VendorReads = Pick<PartnerApi, 'readLeadOpportunity' | 'searchLeadOpportunities'>;

/** The settings of a tenant's file that a decision needs. */
export type DecidingTenant = Pick<Tenant, 'tenant' | 'mapping' | 'importFromVendor' | 'matching'>;

/** One tenant, with read access to its two remote systems. */
export type ReadableTenant = {
  readonly tenant: DecidingTenant;
  readonly crm: CrmReads;
  readonly vendor: VendorReads;
};
