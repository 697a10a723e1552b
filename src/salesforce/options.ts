import type { buildConnector, Dispatcher } from 'undici';
import type { CrmFields } from '../domain/record/crm-graph.ts';
import type { ImportAssignment } from '../domain/record/import-assignment.ts';
import type { OrgRefusal, SignedInOrg } from '../domain/record/known-org.ts';
import type { CrmNames } from '../domain/record/mapping-config.ts';

/** How the integration user signs in: one of two flows of an External Client App. Neither has refresh tokens. */
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
  /** Origin of the sign-in; for client credentials the My Domain address. https, or http on loopback. */
  readonly loginUrl: string;
  /** The API version, such as `67.0`. Always explicit, because jsforce's own default is years old. */
  readonly apiVersion: string;
  readonly auth: CrmAuth;
  /** If given, a session of any other org than the one with this id is refused. 15 or 18 characters. */
  readonly organizationId?: string;
  /**
   * Decides at each sign-in whether the org may be used; a returned code refuses the sign-in as `systemic`. `read` reads facts about the
   * org. If absent, every org is accepted.
   */
  readonly admitOrg?: (read: () => Promise<SignedInOrg>) => Promise<OrgRefusal | null>;
  /** The largest number of rows in one request, by object; 200 for other objects. */
  readonly maxRows?: Readonly<Record<string, number>> | undefined;
  /** Whether the org has `CurrencyIsoCode` fields. */
  readonly multiCurrency?: boolean;
  /** Whether a write may save a record on which the org's duplicate rules only alert. A rule that blocks still refuses it. */
  readonly allowDuplicates?: boolean;
  /** The mappings whose fields are read; default: the default mapping. */
  readonly mappings?: readonly CrmNames[];
  /** Fields of a vendor-created deal that the vendor cannot know, such as its owner; none by default. */
  readonly imports?: ImportAssignment;
  /** Time limit of one whole request, body included, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number;
  /**
   * Returns how many records of bursts (many records that are reported at the same time) are being synced now. If the number is large,
   * calls wait in order to share requests. If absent, no call waits.
   */
  readonly onTheirWay?: () => Promise<number>;
  /** Whether updates may be sent as composite graphs once the org has shown that it honours conditions in them. Default true. */
  readonly useGraphs?: boolean;
  /** Called with the first test result that shows whether the org honours conditions in composite graphs, and again when it changes. */
  readonly onGraphConditions?: (doCount: boolean) => void;
  readonly onRequest?: (info: CrmRequestInfo) => void;
  /** Where change events are read; default: the documented address and the CRM package's channel. */
  readonly pubSub?: {
    /** The address as `host:port`. The connection always uses TLS. */
    readonly endpoint?: string | undefined;
    /** The channel's topic, such as `/data/Lockstep_Changes__chn`. */
    readonly channel?: string | undefined;
    /** Certificates to trust in place of Node's, PEM. */
    readonly certificates?: string | undefined;
    /**
     * The time in milliseconds after which a stream without any answer counts as broken. It must be longer than the time between the
     * API's keep-alives.
     */
    readonly silenceMs?: number | undefined;
  };
  /** Opens connections; default: undici's own connector. */
  readonly connect?: buildConnector.connector;
  /** Wraps each request. It must not change, repeat or redirect the request. */
  readonly watch?: Dispatcher.DispatcherComposeInterceptor;
  /** The clock for token expiry and caches, in milliseconds since 1970. */
  readonly now?: () => number;
};

/** A record in the REST API's form: fields, parent records and sub-query results. */
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
