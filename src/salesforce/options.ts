import type { buildConnector, Dispatcher } from 'undici';
import type { CrmFields } from '../domain/record/crm-graph.ts';
import type { ImportAssignment } from '../domain/record/import-assignment.ts';
import type { OrgRefusal, SignedInOrg } from '../domain/record/known-org.ts';
import type { CrmNames } from '../domain/record/mapping-config.ts';

/**
 * How the integration user signs in: one of two flows of an External Client App. Neither has refresh tokens. The CRM client reads the
 * private key or the client secret at each sign-in.
 */
export type CrmAuth =
  | {
      readonly flow: 'jwt';
      readonly clientId: string;
      readonly username: string;
      /** RSA private key, PEM (PKCS#8 or PKCS#1). */
      readonly privateKey: string;
      /** The `aud` claim; default: the origin of the login URL. */
      readonly audience?: string | undefined;
    }
  | { readonly flow: 'client-credentials'; readonly clientId: string; readonly clientSecret: string };

/** Usage of the org's daily API requests, from the `Sforce-Limit-Info` header. */
export type CrmLimitInfo = { readonly used: number; readonly limit: number };

/** One HTTP request, for metrics; `status` is null if no answer came. Contains no values and no addresses. */
export type CrmRequestInfo = {
  readonly operation: string;
  readonly status: number | null;
  readonly limitInfo: CrmLimitInfo | null;
  /** Duration of the request in milliseconds. */
  readonly ms: number;
};

export type CrmOptions = {
  /**
   * The origin at which Lockstep signs in; for the client credentials flow this is the org's My Domain address. It must be https, or http
   * to a loopback address.
   */
  readonly loginUrl: string;
  /** The API version, such as `67.0`. It must be given, because jsforce's own default is years old. */
  readonly apiVersion: string;
  readonly auth: CrmAuth;
  /** The id of the only org that is accepted, with 15 or 18 characters. If absent, any org is accepted. */
  readonly organizationId?: string;
  /**
   * Called at each sign-in to decide whether Lockstep may work with the org. If it returns a code, the sign-in is refused as `systemic`.
   * `read` reads facts about the org. If absent, every org is accepted.
   */
  readonly admitOrg?: (read: () => Promise<SignedInOrg>) => Promise<OrgRefusal | null>;
  /** The maximum number of rows in one request, by object; 200 for an object that is not listed. */
  readonly maxRows?: Readonly<Record<string, number>> | undefined;
  /** Whether the org has `CurrencyIsoCode` fields. */
  readonly multiCurrency?: boolean;
  /** Whether a write may save a record although a duplicate rule of the org warns of it. A rule that blocks still refuses the record. */
  readonly allowDuplicates?: boolean;
  /**
   * The mappings whose CRM fields are read with each deal. A mapping says which CRM fields contain the values that Lockstep syncs with the
   * vendor. Default: Lockstep's default mapping.
   */
  readonly mappings?: readonly CrmNames[];
  /** How to set values that a vendor-created deal lacks when it is created in the CRM, such as its owner; by default, they are not set. */
  readonly imports?: ImportAssignment;
  /** The time limit of one request with its body, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number;
  /**
   * Returns how many records of a burst (records that changed together) are being synced now. If there are many, calls wait in order to
   * share requests. If absent, no call waits.
   */
  readonly onTheirWay?: () => Promise<number>;
  /**
   * Whether updates may be sent as composite graphs, if a test has shown that the org respects `If-Unmodified-Since` in them. Default true.
   */
  readonly useGraphs?: boolean;
  /**
   * Called with the first test result that shows whether the org respects `If-Unmodified-Since` in composite graphs, and again when the
   * result changes.
   */
  readonly onGraphConditions?: (doCount: boolean) => void;
  readonly onRequest?: (info: CrmRequestInfo) => void;
  /**
   * The address and the channel from which change events are read. Default: the address in Salesforce's documents, and the CRM package's
   * channel.
   */
  readonly pubSub?: {
    /** The address as `host:port`. The connection always uses TLS. */
    readonly endpoint?: string | undefined;
    /** The channel's topic, such as `/data/Lockstep_Changes__chn`. */
    readonly channel?: string | undefined;
    /** PEM certificates that are trusted in place of Node's. */
    readonly certificates?: string | undefined;
    /**
     * A stream without any answer for this long, in ms, counts as broken. It must be longer than the time between the API's keep-alives.
     */
    readonly silenceMs?: number | undefined;
  };
  /** Opens connections; default: undici's own connector. */
  readonly connect?: buildConnector.connector;
  /** Wraps each request, for example to measure it. It must not change, repeat or redirect the request. */
  readonly watch?: Dispatcher.DispatcherComposeInterceptor;
  /** The clock for token expiry and caches, in milliseconds since 1970. */
  readonly now?: () => number;
};

/** A record as the REST API returns it: fields, parent records and sub-query results. */
export type RestRecord = {
  readonly [field: string]: CrmFields[string] | RestRecord | RestQueryResult | undefined;
};

/** One page of a query or of a sub-query. */
export type RestQueryResult = {
  readonly totalSize: number;
  readonly done: boolean;
  readonly nextRecordsUrl?: string;
  readonly records: readonly RestRecord[];
};
