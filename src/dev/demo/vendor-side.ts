import type { Endpoints } from '../../cli/endpoints.ts';
import { type Admin, type AdminRecord, adminOf } from './http.ts';

/** The vendor simulator as its own staff uses it. */
export type VendorSide = {
  leads(): Promise<readonly AdminRecord[]>;
  /** The records that carry this partner reference: one, if all is well. */
  leadsFor(reference: string): Promise<readonly AdminRecord[]>;
  readonly admin: Admin;
};

const TYPE = 'leadOpportunity';

export function vendorSide(vendor: NonNullable<Endpoints['vendor']>): VendorSide {
  const admin = adminOf(vendor.admin);
  const leads = () => admin.records(TYPE);
  return {
    admin,
    leads,
    leadsFor: async (reference) =>
      (await leads()).filter(({ fields }) => fields['partnerLeadOpportunityId'] === reference),
  };
}

/** A deal that the vendor's staff enters, without a partner reference unless one is given. */
export function createAtVendorByStaff(vendor: VendorSide, fields: object): Promise<AdminRecord> {
  return vendor.admin.create(TYPE, fields);
}
