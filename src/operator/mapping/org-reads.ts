import type { Crm } from '../../salesforce/crm.ts';

/** The reads of an org with which a mapping is checked. */
export type OrgReads = Pick<Crm, 'schema' | 'productsWithoutOffer' | 'knownOffers' | 'sharedLeadsWithout'>;
