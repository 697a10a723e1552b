import type { MappingConfig } from '../mapping/config.ts';
import type { Base } from '../record/base.ts';
import type { Issue } from '../record/issue.ts';
import type { LinkState } from '../record/link-state.ts';
import type { CrmObservation, VendorObservation } from '../record/observation.ts';

/** All that a decision rests on. */
export type DecideInput = {
  readonly link: {
    readonly crmId: string | null;
    readonly vendorId: string | null;
    readonly base: Base | null;
    readonly state: LinkState;
    readonly vendorUncertain: 'no' | 'create' | 'update';
    readonly adoptingSince: string | null;
    readonly issues: readonly Issue[];
    readonly refusedFingerprint: string | null;
    readonly crmRefusedFingerprint: string | null;
    /** `partnerLeadOpportunityId` as last seen at the vendor. */
    readonly reference: string | null;
  };
  /** `none`: the link has no CRM record yet; `missing`: it names one that does not exist. */
  readonly crm: CrmObservation | 'missing' | 'none';
  readonly vendor: VendorObservation | 'unread' | 'missing';
  readonly config: MappingConfig;
  readonly importFromVendor: boolean;
  /** Offers of the vendor's lines that no product of the CRM carries; their lines are parked alone. */
  readonly unknownOffers: ReadonlySet<string>;
};
