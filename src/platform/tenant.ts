import type { MassChangeGuard } from '../domain/decide/mass-change.ts';
import type { MatchKey } from '../domain/decide/match-deal.ts';
import type { ImportAssignment } from '../domain/record/import-assignment.ts';
import type { MappingConfig } from '../domain/record/mapping-config.ts';
import type { OrderAccounts } from '../domain/record/order-accounts.ts';
import type { OwnerNotice } from '../domain/record/owner-notices.ts';
import type { Retention } from '../domain/record/retention.ts';
import type { Secret } from './secret.ts';

/** How often a stream is read, and how far each read reaches back before the end of the last one. */
export type Rhythm = {
  readonly everyMs: number;
  readonly overlapMs: number;
  /** The longest time between two reads of an idle stream; if absent, three times `everyMs`. */
  readonly idleMs?: number;
};

export type VendorConnection = {
  /** Base address of the vendor's sales API, without a trailing slash. Equal to `orderBaseUrl` if the file gives one `baseUrl`. */
  readonly salesBaseUrl: string;
  readonly orderBaseUrl: string;
  readonly apiKey: Secret;
  /** Header with the API key; the sales spec (section 5) does not name it. */
  readonly keyHeader: string;
  /** The version of create, update and read of leads and opportunities; absent: v1. The vendor will remove v0 (sales spec 9). */
  readonly apiVersion?: 'v0' | 'v1';
  readonly partnerId: string;
  readonly poll: Rhythm;
  /** How often changed orders are searched, in milliseconds. */
  readonly ordersEveryMs: number;
  /** The day (`YYYY-MM-DD`) from which on orders are synced; null: from a day before the tenant was added. */
  readonly ordersSince: string | null;
  readonly catalog: {
    /** How often the whole catalog is read, in milliseconds. */
    readonly everyMs: number;
    /** Currencies of the prices that price books show; null for all. */
    readonly currencies: readonly string[] | null;
    /** Codes of revenue types whose price a price book shows first; the first that a product has counts. */
    readonly revenueTypes: readonly string[];
  };
  /** Limits our own request rate; the vendor's rate-limit headers (sales spec 8) take precedence. */
  readonly ratePerSecond: number;
};

export type SalesforceAuth =
  | {
      readonly flow: 'jwt';
      readonly clientId: string;
      readonly username: string;
      /** PEM, PKCS#8 or PKCS#1. */
      readonly privateKey: Secret;
      /** The assertion's audience; default: the origin of `loginUrl`. */
      readonly audience?: string | undefined;
    }
  | { readonly flow: 'client-credentials'; readonly clientId: string; readonly clientSecret: Secret };

/** How the CRM's changes arrive. */
export const CHANGES_BY = ['outbound', 'pubsub', 'both'] as const;
export type ChangesBy = (typeof CHANGES_BY)[number];

export type SalesforceConnection = {
  readonly loginUrl: string;
  /** The API version, such as `67.0`. */
  readonly apiVersion: string;
  /** 18 characters; null when the file does not declare it. */
  readonly organizationId: string | null;
  readonly auth: SalesforceAuth;
  readonly sweep: Rhythm;
  /** How changes arrive besides by the sweep: by outbound messages, by change events of the Pub/Sub API, or by both. Absent: outbound. */
  readonly changes?: ChangesBy;
  /** Where change events are followed; `certificates`: PEM, in place of Node's. */
  readonly pubSub?:
    | {
        readonly endpoint?: string | undefined;
        readonly channel?: string | undefined;
        readonly certificates?: string | undefined;
      }
    | undefined;
  /** The share of the org's daily API calls that Lockstep uses at most, from 0 to 1. */
  readonly apiShare: number;
  /** The largest number of rows in one CRM request, by object. */
  readonly maxRows: Readonly<Record<string, number>>;
  /** Whether the org has CurrencyIsoCode fields. */
  readonly multiCurrency: boolean;
  /** Whether a write may save a record on which duplicate rules only alert. */
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
  /** Whether the tenant's remote systems may not have loopback, link-local or private addresses, also after name resolution. */
  readonly publicOnly?: boolean;
  /** Lower-case name; part of workflow ids. */
  readonly tenant: string;
  readonly vendor: VendorConnection;
  readonly salesforce: SalesforceConnection;
  readonly webhooks: WebhookAccess;
  readonly mapping: MappingConfig;
  /** Path of the mapping file that the tenant names; absent if it names none. */
  readonly mappingFile?: string;
  /** Whether vendor records that no CRM record matches are created in the CRM. */
  readonly importFromVendor: boolean;
  /** Owner and record type of opportunities created from vendor records. */
  readonly imports: ImportAssignment;
  /** The keys by which a vendor-created record is matched with an opportunity. All keys must agree; an empty list matches nothing. */
  readonly matching: { readonly keys: readonly MatchKey[] };
  /** How an opportunity's owner is notified of the vendor's answers to the deal. */
  readonly notify: { readonly owner: OwnerNotice };
  /** How the vendor's orders are matched with accounts, and how the owner is notified of them. */
  readonly orders: {
    readonly accounts: OrderAccounts;
    /** The opportunity's field with the partner's purchase order, by which an order finds its deal; null for none. */
    readonly poReference?: string | null;
    readonly notifyOwner: OwnerNotice;
  };
  /** The thresholds at which a mass change pauses the tenant. */
  readonly guards: MassChangeGuard;
  /** How often an audit compares both sides of all linked records. */
  readonly audit: { readonly everyMs: number };
  /** How long the ledger keeps old rows. */
  readonly retention: Retention;
};
