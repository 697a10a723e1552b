import type { Crm } from '../../salesforce/crm.ts';

/** The reads of the org that a check of a mapping needs. */
export type OrgReads = Pick<Crm, 'schema' | 'productsWithoutOffer' | 'knownOffers' | 'sharedLeadsWithout'>;
