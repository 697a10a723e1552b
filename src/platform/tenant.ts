import type { MassChangeGuard } from '../domain/decide/mass-change.ts';
import type { MatchKey } from '../domain/decide/match-deal.ts';
import type { ImportAssignment } from '../domain/record/import-assignment.ts';
import type { MappingConfig } from '../domain/record/mapping-config.ts';
import type { OrderAccounts } from '../domain/record/order-accounts.ts';
import type { OwnerNotice } from '../domain/record/owner-notices.ts';
import type { RenewalRules } from '../domain/record/renewal-rules.ts';
import type { Retention } from '../domain/record/retention.ts';
import type { Secret } from './secret.ts';

/**
 * How often a stream (the regular read of changed rows of one kind) is read, and how much of the former period each read repeats, in
 * milliseconds.
 */
export type Rhythm = {
  readonly everyMs: number;
  readonly overlapMs: number;
  /** The longest time between two reads of an idle stream, in milliseconds; if absent, three times `everyMs`. */
  readonly idleMs?: number;
};

export type VendorConnection = {
  /** Base address of the vendor's sales API, without a trailing slash. Equal to `orderBaseUrl` if the file gives one `baseUrl`. */
  readonly salesBaseUrl: string;
  readonly orderBaseUrl: string;
  readonly apiKey: Secret;
  /** Header with the API key. The sales spec (section 5) does not name it. */
  readonly keyHeader: string;
  /**
   * The API version for creating, updating and reading leads and opportunities; v1 if absent. The vendor will remove v0 (sales spec 9).
   */
  readonly apiVersion?: 'v0' | 'v1';
  readonly partnerId: string;
  readonly poll: Rhythm;
  /** How often changed orders are searched, in milliseconds. */
  readonly ordersEveryMs: number;
  /** The day (`YYYY-MM-DD`) from which orders are synced. If null, orders are synced from a day before the tenant was added. */
  readonly ordersSince: string | null;
  readonly catalog: {
    /** How often the whole catalog is read, in milliseconds. */
    readonly everyMs: number;
    /** Currencies of the prices that price books show; null shows all currencies. */
    readonly currencies: readonly string[] | null;
    /**
     * Codes of revenue types, in order of preference. A price book first shows the price of the first revenue type in this list that a
     * product has.
     */
    readonly revenueTypes: readonly string[];
  };
  /** Limits our own request rate. The vendor's rate-limit headers (sales spec 8) take precedence. */
  readonly ratePerSecond: number;
  /** Set if the tenant file gives no rate. The rate of many requests may then rise to what the vendor's headers allow. */
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
   * How changes arrive in addition to the sweep: by outbound messages, by change events of the Pub/Sub API, or both. If absent, by outbound
   * messages.
   */
  readonly changes?: ChangesBy;
  /**
   * The endpoint and channel from which change events are read. `certificates` are PEM certificates that replace Node's root certificates.
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
  /** Whether a write may save a record on which duplicate rules only alert. */
  readonly allowDuplicates: boolean;
};

export type WebhookAccess = {
  /** The current values of the secret path segment for Outbound Messages: none, one, or two during a rotation. */
  readonly paths: readonly Secret[];
  /** The current `whsec_…` keys for signed events: none, one, or two during a rotation. */
  readonly keys: readonly Secret[];
  /** Ids of the outbound message actions that are accepted; empty accepts all. */
  readonly actionIds: readonly string[];
};

/** One tenant's file, parsed, checked and filled with defaults. */
export type Tenant = {
  /** Whether the tenant's remote systems must not have loopback, link-local or private addresses. Checked again after name resolution. */
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
  /** The published version of the mapping that applies instead of the mapping file; absent if no version applies. */
  readonly publishedMapping?: {
    readonly version: number;
    readonly text: string;
    /** The mapping that the tenant's files alone would give. */
    readonly filesMapping: MappingConfig;
  };
  /**
   * Set if this process cannot decrypt the newest published version of the mapping: the number of this version, and of the version that
   * applies instead.
   */
  readonly unopenedMapping?: { readonly version: number; readonly applies: number };
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
    /**
     * The opportunity's field that contains the partner's purchase order. An order finds its deal by this field. Null if there is none.
     */
    readonly poReference?: string | null;
    readonly notifyOwner: OwnerNotice;
    /** How renewal notices get opportunities in the CRM. Null or absent: they get none. */
    readonly renewalOpportunities?: RenewalRules | null;
  };
  /** Limits for how many records may be detached (no longer synced) at once. Above them the tenant pauses. */
  readonly guards: MassChangeGuard;
  /** How often an audit compares both sides of all linked records. */
  readonly audit: { readonly everyMs: number };
  /** How long the ledger keeps old rows. */
  readonly retention: Retention;
};
