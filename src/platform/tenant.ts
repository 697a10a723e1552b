import type { MassChangeGuard } from '../domain/decide/mass-change.ts';
import type { MatchKey } from '../domain/decide/match-deal.ts';
import type { ImportAssignment } from '../domain/record/import-assignment.ts';
import type { MappingConfig } from '../domain/record/mapping-config.ts';
import type { OrderAccounts } from '../domain/record/order-accounts.ts';
import type { OwnerNotice } from '../domain/record/owner-notices.ts';
import type { RenewalRules } from '../domain/record/renewal-rules.ts';
import type { Retention } from '../domain/record/retention.ts';
import type { Secret } from './secret.ts';

/** How often a stream (a source of changes) is read, and how much of the previous period each read repeats, in milliseconds. */
export type Rhythm = {
  readonly everyMs: number;
  readonly overlapMs: number;
  /**
   * The longest time between two reads of the stream, in milliseconds. While the stream finds no changes, the time between its reads grows
   * from `everyMs` up to this. If absent, the longest time is three times `everyMs`.
   */
  readonly idleMs?: number;
};

export type VendorConnection = {
  /**
   * Base address of the vendor's sales API, without a trailing slash. It equals `orderBaseUrl` if the tenant file has the key `baseUrl`,
   * which is one address for both APIs.
   */
  readonly salesBaseUrl: string;
  readonly orderBaseUrl: string;
  readonly apiKey: Secret;
  /** The header that contains the API key. The sales spec (section 5) does not name it. */
  readonly keyHeader: string;
  /**
   * The API version for creating, updating and reading leads and opportunities; v1 if absent. The vendor will remove v0 (sales spec 9).
   */
  readonly apiVersion?: 'v0' | 'v1';
  readonly partnerId: string;
  readonly poll: Rhythm;
  /** How often changed orders are searched, in milliseconds. */
  readonly ordersEveryMs: number;
  /** The day (`YYYY-MM-DD`) from which on orders are synced. Null: from one day before Lockstep began to read the tenant's orders. */
  readonly ordersSince: string | null;
  readonly catalog: {
    /** How often the whole catalog is read, in milliseconds. */
    readonly everyMs: number;
    /** The currencies for which Lockstep keeps price books; null for all currencies. */
    readonly currencies: readonly string[] | null;
    /**
     * Codes of revenue types, in order of preference: if a product has prices of several types, the price book shows the one that comes
     * first in this list.
     */
    readonly revenueTypes: readonly string[];
  };
  /**
   * The maximum number of requests a second that Lockstep sends to the vendor. The vendor's rate-limit headers (sales spec 8) may require
   * fewer.
   */
  readonly ratePerSecond: number;
  /**
   * Set if the tenant file gives no rate. While many records change together, Lockstep may then send more than `ratePerSecond` requests a
   * second, as far as the vendor's rate-limit headers allow it.
   */
  readonly rateByQuota?: true;
};

export type SalesforceAuth =
  | {
      readonly flow: 'jwt';
      readonly clientId: string;
      readonly username: string;
      /** Private key as PEM, in PKCS#8 or PKCS#1. */
      readonly privateKey: Secret;
      /** The audience of the JWT assertion with which Lockstep signs in to Salesforce; if absent, the origin of `loginUrl`. */
      readonly audience?: string | undefined;
    }
  | { readonly flow: 'client-credentials'; readonly clientId: string; readonly clientSecret: Secret };

/** The ways in which the CRM's changes can arrive. */
export const CHANGES_BY = ['outbound', 'pubsub', 'both'] as const;
export type ChangesBy = (typeof CHANGES_BY)[number];

export type SalesforceConnection = {
  readonly loginUrl: string;
  /** The API version, such as `67.0`. */
  readonly apiVersion: string;
  /** The organization's id with 18 characters; null if the file does not declare it. */
  readonly organizationId: string | null;
  readonly auth: SalesforceAuth;
  readonly sweep: Rhythm;
  /**
   * How the CRM's changes arrive in addition to the sweep (the regular query for changes): by outbound messages, by change events of the
   * Pub/Sub API, or both. If absent, by outbound messages.
   */
  readonly changes?: ChangesBy;
  /**
   * The endpoint and the channel of the Pub/Sub API from which change events are read. `certificates`: PEM certificates that are used in
   * place of Node's root certificates.
   */
  readonly pubSub?:
    | {
        readonly endpoint?: string | undefined;
        readonly channel?: string | undefined;
        readonly certificates?: string | undefined;
      }
    | undefined;
  /** The largest share of the org's daily API calls that Lockstep uses, from 0 to 1. */
  readonly apiShare: number;
  /** The largest number of rows in one CRM request, by object. */
  readonly maxRows: Readonly<Record<string, number>>;
  /** Whether the org has CurrencyIsoCode fields. */
  readonly multiCurrency: boolean;
  /** Whether a write may save a record although a duplicate rule warns of it. A rule that blocks still refuses the record. */
  readonly allowDuplicates: boolean;
};

export type WebhookAccess = {
  /** The secret path segment in the address for Outbound Messages. There may be none, one, or two while it is being changed. */
  readonly paths: readonly Secret[];
  /** The `whsec_…` keys with which events are signed: none, one, or two while they are being changed. */
  readonly keys: readonly Secret[];
  /** Ids of the outbound message actions whose messages are accepted. If empty, messages of all actions are accepted. */
  readonly actionIds: readonly string[];
};

/** One tenant's file, checked, and with defaults for missing settings. */
export type Tenant = {
  /**
   * Whether the tenant's remote systems must not have loopback, link-local or private addresses. Host names are checked when they are
   * resolved.
   */
  readonly publicOnly?: boolean;
  /** Lower-case name; part of workflow ids. */
  readonly tenant: string;
  readonly vendor: VendorConnection;
  readonly salesforce: SalesforceConnection;
  readonly webhooks: WebhookAccess;
  readonly mapping: MappingConfig;
  /** Path of the mapping file that the tenant names; absent if it names none. */
  readonly mappingFile?: string;
  /** The mapping that the tenant would have without its mapping file; absent if it names no mapping file. */
  readonly plainMapping?: MappingConfig;
  /** Set if a published version of the mapping applies in place of the mapping in the tenant's files. */
  readonly publishedMapping?: {
    readonly version: number;
    readonly text: string;
    /**
     * The mapping in the tenant's files. It does not apply, because the published version applies. It is kept for two reasons: a later
     * publication can bring it back, and a comparison with it shows whether the files have changed.
     */
    readonly filesMapping: MappingConfig;
  };
  /**
   * Set if this process cannot decrypt the newest published version of the mapping: the number of that version, and of the older one that
   * applies instead.
   */
  readonly unopenedMapping?: { readonly version: number; readonly applies: number };
  /** Whether vendor records that no CRM record matches are created in the CRM. */
  readonly importFromVendor: boolean;
  /** Owner and record type of opportunities created from vendor records. */
  readonly imports: ImportAssignment;
  /** The keys by which a vendor-created record is matched with an opportunity. All keys must match. Without keys, nothing is matched. */
  readonly matching: { readonly keys: readonly MatchKey[] };
  /** How an opportunity's owner is notified when the vendor answers, for example accepts the deal. */
  readonly notify: { readonly owner: OwnerNotice };
  /** How the accounts of the vendor's orders are found, and how an opportunity's owner is notified of its orders. */
  readonly orders: {
    readonly accounts: OrderAccounts;
    /**
     * The opportunity's field with the partner's purchase order number. An order of the vendor names this number, so the field leads from
     * an order to its deal. Null if there is none.
     */
    readonly poReference?: string | null;
    readonly notifyOwner: OwnerNotice;
    /** How Lockstep creates opportunities for the vendor's renewal notices. Null or absent: it creates none. */
    readonly renewalOpportunities?: RenewalRules | null;
  };
  /** How many records may stop being shared with the vendor within a period. Above these limits, the tenant is paused. */
  readonly guards: MassChangeGuard;
  /** How often an audit compares the two sides of all linked records. */
  readonly audit: { readonly everyMs: number };
  /** How long the ledger (Lockstep's PostgreSQL database) keeps old rows. */
  readonly retention: Retention;
};
