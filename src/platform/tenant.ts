import type { MassChangeGuard } from '../domain/decide/mass-change.ts';
import type { MatchKey } from '../domain/decide/match-deal.ts';
import type { ImportAssignment } from '../domain/record/import-assignment.ts';
import type { MappingConfig } from '../domain/record/mapping-config.ts';
import type { OrderAccounts } from '../domain/record/order-accounts.ts';
import type { OwnerNotice } from '../domain/record/order-notices.ts';
import type { Retention } from '../domain/record/retention.ts';
import type { Secret } from './secret.ts';

/** How often a stream is looked at, and how far each look reaches back behind the last one. */
export type Rhythm = {
  readonly everyMs: number;
  readonly overlapMs: number;
  /** The longest time between two looks where nothing is found; absent: three times the other. */
  readonly idleMs?: number;
};

export type VendorConnection = {
  /** Base addresses of the two domains, without a trailing slash. Equal where the file gives one `baseUrl`. */
  readonly salesBaseUrl: string;
  readonly orderBaseUrl: string;
  readonly apiKey: Secret;
  /** Header that carries the key; the sales spec (section 5) does not name it. */
  readonly keyHeader: string;
  readonly partnerId: string;
  readonly poll: Rhythm;
  /** How often changed orders are looked for. */
  readonly ordersEveryMs: number;
  /** The day (`YYYY-MM-DD`) from which on orders are wanted; null: from a day before the tenant came. */
  readonly ordersSince: string | null;
  readonly catalog: {
    /** How often the catalog is read whole. */
    readonly everyMs: number;
    /** Currencies of the prices that price books show; null for all. */
    readonly currencies: readonly string[] | null;
    /** Types of revenue (codes) whose price a price book rather shows, the first that a product has. */
    readonly revenueTypes: readonly string[];
  };
  /** Shapes the traffic; the rate-limit headers (sales spec 8) decide. */
  readonly ratePerSecond: number;
};

export type SalesforceAuth =
  | {
      readonly flow: 'jwt';
      readonly clientId: string;
      readonly username: string;
      /** PEM, PKCS#8 or PKCS#1. */
      readonly privateKey: Secret;
      /** Who the assertion is for; the origin of `loginUrl` when absent. */
      readonly audience?: string | undefined;
    }
  | { readonly flow: 'client-credentials'; readonly clientId: string; readonly clientSecret: Secret };

export type SalesforceConnection = {
  readonly loginUrl: string;
  /** Such as `67.0`. */
  readonly apiVersion: string;
  /** 18 characters; null when the file does not declare it. */
  readonly organizationId: string | null;
  readonly auth: SalesforceAuth;
  readonly sweep: Rhythm;
  /** The part of the org's daily API calls that Lockstep keeps to, from 0 to 1. */
  readonly apiShare: number;
  /** The org has CurrencyIsoCode fields. */
  /** So many rows of an object one request to the CRM holds at most, by object. */
  readonly maxRows: Readonly<Record<string, number>>;
  readonly multiCurrency: boolean;
  /** Whether writes pass duplicate rules that only alert. */
  readonly allowDuplicates: boolean;
};

export type WebhookAccess = {
  /** Live values of the secret path segment for Outbound Messages: none, one, or two during a rotation. */
  readonly paths: readonly Secret[];
  /** Live `whsec_…` keys for signed events: none, one, or two during a rotation. */
  readonly keys: readonly Secret[];
  /** Ids of the outbound message actions that are accepted; empty accepts all. */
  readonly actionIds: readonly string[];
};

/** One tenant's file, parsed, checked and filled with defaults. */
export type Tenant = {
  /** Lower-case name; part of workflow ids. */
  readonly tenant: string;
  readonly vendor: VendorConnection;
  readonly salesforce: SalesforceConnection;
  readonly webhooks: WebhookAccess;
  readonly mapping: MappingConfig;
  /** Path of the mapping file that the tenant names; absent where it names none. */
  readonly mappingFile?: string;
  /** Whether vendor records that no CRM record matches are created in the CRM. */
  readonly importFromVendor: boolean;
  /** Whose the opportunities are that are made so, and of which record type. */
  readonly imports: ImportAssignment;
  /** By what a vendor-created record is recognised as an opportunity; all keys have to agree, none matches nothing. */
  readonly matching: { readonly keys: readonly MatchKey[] };
  /** What is done with the vendor's orders in the CRM. */
  readonly orders: { readonly accounts: OrderAccounts; readonly notifyOwner: OwnerNotice };
  /** When the tenant is paused, because too many of its records leave at once. */
  readonly guards: MassChangeGuard;
  /** How often both sides of everything are held against each other. */
  readonly audit: { readonly everyMs: number };
  /** How long what is past is kept in the ledger. */
  readonly retention: Retention;
};
