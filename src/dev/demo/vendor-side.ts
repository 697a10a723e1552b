import type { Endpoints } from '../home/endpoints.ts';
import { type Admin, type AdminRecord, adminOf } from './http.ts';

/** The vendor simulator as its own staff uses it. */
export type VendorSide = {
  leads(): Promise<readonly AdminRecord[]>;
  /** The records that carry this partner reference: one, if all is well. */
  leadsFor(reference: string): Promise<readonly AdminRecord[]>;
  /** A deal that the vendor's staff enters, without a partner reference unless one is given. */
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
