import type { buildConnector, Dispatcher } from 'undici';
import type { CrmFields } from '../domain/record/crm-graph.ts';
import type { ImportAssignment } from '../domain/record/import-assignment.ts';
import type { CrmNames } from '../domain/record/mapping-config.ts';

/** How the integration user signs in. Both are flows of an External Client App; neither has refresh tokens. */
export type CrmAuth =
  | {
      readonly flow: 'jwt';
      readonly clientId: string;
      readonly username: string;
      /** RSA private key, PEM (PKCS#8 or PKCS#1). */
      readonly privateKey: string;
      /** The `aud` claim; the login URL's origin when absent. */
      readonly audience?: string | undefined;
    }
  | { readonly flow: 'client-credentials'; readonly clientId: string; readonly clientSecret: string };

/** Usage of the org's daily API requests, as `Sforce-Limit-Info` tells it. */
export type CrmLimitInfo = { readonly used: number; readonly limit: number };

/** One HTTP request that was answered, or not (`status` null). For metrics: holds no values and no addresses. */
export type CrmRequestInfo = {
  readonly operation: string;
  readonly status: number | null;
  readonly limitInfo: CrmLimitInfo | null;
  /** How long it took. */
  readonly ms: number;
};

export type CrmOptions = {
  /** Origin of the sign-in; the My Domain address for client credentials. https, or http on loopback. */
  readonly loginUrl: string;
  /** Such as `67.0`. Always explicit: the library's own default is years old. */
  readonly apiVersion: string;
  readonly auth: CrmAuth;
  /** When given, a session of any other org is refused. 15 or 18 characters. */
  readonly organizationId?: string;
  /** So many rows of an object one request holds at most, by object; 200 where none is named. */
  readonly maxRows?: Readonly<Record<string, number>> | undefined;
  /** Whether the org has `CurrencyIsoCode` fields. */
  readonly multiCurrency?: boolean;
  /** Whether writes pass the org's duplicate rules that only alert; those that block refuse all the same. */
  readonly allowDuplicates?: boolean;
  /** Which fields of the org hold ours: what each of these mappings names is read. The usual one when absent. */
  readonly mappings?: readonly CrmNames[];
  /** What a vendor-created deal gets that the vendor cannot know; nothing by default. */
  readonly imports?: ImportAssignment;
  /** For one whole request, body included. Default 30,000. */
  readonly timeoutMs?: number;
  /**
   * How many of the tenant's records that were told of together are being brought from one side to the other, in all processes:
   * where they are many, their calls wait for each other. Absent: none does.
   */
  readonly onTheirWay?: () => Promise<number>;
  /** False: many updates never go as composite graphs; else they do where the org shows that conditions count in them. */
  readonly useGraphs?: boolean;
  /** Told where the org shows, anew or for the first time, whether conditions count in its graphs. */
  readonly onGraphConditions?: (doCount: boolean) => void;
  readonly onRequest?: (info: CrmRequestInfo) => void;
  /** Opens connections; undici's own way when absent. */
  readonly connect?: buildConnector.connector;
  /** Goes around each request; it must not change one, repeat or redirect it. */
  readonly watch?: Dispatcher.DispatcherComposeInterceptor;
  /** Milliseconds since 1970; for token expiry and caches. */
  readonly now?: () => number;
};

/** A record as the REST API shows it: fields, parent records and sub-query results. */
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
