import type { Endpoints } from '../../src/cli/running/endpoints.ts';
import { type Admin, type AdminRecord, adminOf } from './http.ts';

/** The vendor simulator, used through its admin API. */
export type VendorSide = {
  leads(): Promise<readonly AdminRecord[]>;
  /** The vendor records with this partner reference; one, if all is well. */
  leadsFor(reference: string): Promise<readonly AdminRecord[]>;
  /** Creates a deal as the vendor's staff would, without a partner reference unless `fields` has one. */
  create(fields: object): Promise<AdminRecord>;
  readonly admin: Admin;
};

const TYPE = 'leadOpportunity';

export function vendorSide(vendor: NonNullable<Endpoints['vendor']>): VendorSide {
  const admin = adminOf(vendor.admin);
  const leads = () => admin.records(TYPE);
  return {
    admin,
    leads,
    create: (fields) => admin.create(TYPE, fields),
    leadsFor: async (reference) =>
      (await leads()).filter(({ fields }) => fields['partnerLeadOpportunityId'] === reference),
  };
}
