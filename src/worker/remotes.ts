import { Agent, type Dispatcher } from 'undici';
import { createPartnerApi, type PartnerApi } from '../partner-api/index.ts';
import { isPrivateAddress } from '../platform/private-address.ts';
import type { Tenant, VendorConnection } from '../platform/tenant.ts';
import { createCrm } from '../salesforce/create-crm.ts';
import type { CrmOptions } from '../salesforce/options.ts';
import { boundedReading } from './bounded-reading.ts';
import { createKeyScope, type KeyScope } from './key-scope.ts';
import type { Remotes } from './runtimes.ts';

export type RemotesOptions = {
  /** Decides which API key each request contains. If absent, requests contain the key in the tenant file. */
  readonly keys?: Pick<KeyScope, 'apiKey'>;
  readonly watch?: Dispatcher.DispatcherComposeInterceptor;
  readonly onCrmRequest?: CrmOptions['onRequest'];
  readonly admitOrg?: CrmOptions['admitOrg'];
  readonly onTheirWay?: CrmOptions['onTheirWay'];
  readonly onGraphConditions?: CrmOptions['onGraphConditions'];
  /** Further mappings, such as a draft that is not published, whose fields the CRM client must read as well. */
  readonly alsoMapped?: NonNullable<CrmOptions['mappings']>;
};

/** Creates the clients for a tenant's two remote systems, with the settings in the tenant's file. Sends no request yet. */
export function connectRemotes(tenant: Tenant, options: RemotesOptions = {}): Remotes {
  const { keys = createKeyScope(), watch } = options;
  const { vendor } = tenant;
  const reading = boundedReading(tenant.publicOnly === true ? (address) => !isPrivateAddress(address) : undefined);
  const { connect } = reading;
  const around: Dispatcher.DispatcherComposeInterceptor =
    watch === undefined ? reading.watch : (dispatch) => watch(reading.watch(dispatch));
  const agent = new Agent({ connect });
  const crm = createCrm({ ...crmOptions(tenant, options), connect, watch: around });
  return {
    tenant,
    vendor: ofVersion(
      vendor.apiVersion,
      createPartnerApi({
        salesBaseUrl: vendor.salesBaseUrl,
        orderBaseUrl: vendor.orderBaseUrl,
        apiKey: () => keys.apiKey(vendor.apiKey),
        keyHeader: vendor.keyHeader,
        // The tenant file names one header for the key, because both vendor domains are behind one gateway.
        orderKeyHeader: vendor.keyHeader,
        timeoutMs: 30_000,
        // The clients never repeat a request, because Temporal retries activities.
        repeatReads: false,
        dispatcher: agent.compose(around),
      }),
    ),
    crm,
    close: async () => {
      await Promise.all([crm.close(), agent.close()]);
    },
  };
}

/**
 * The vendor's API, changed for the API version that the tenant uses: requests that create, update or read leads and opportunities go to
 * that version.
 */
export function ofVersion(apiVersion: VendorConnection['apiVersion'], api: PartnerApi): PartnerApi {
  if (apiVersion !== 'v0') return api;
  return {
    ...api,
    createLeadOpportunity: (input, options) => api.createLeadOpportunity(input, { ...options, apiVersion }),
    updateLeadOpportunity: (input, options) => api.updateLeadOpportunity(input, { ...options, apiVersion }),
    readLeadOpportunity: (input, options) => api.readLeadOpportunity(input, { ...options, apiVersion }),
  };
}

function crmOptions(
  { salesforce, imports, mapping }: Tenant,
  { admitOrg, onCrmRequest, onTheirWay, onGraphConditions, alsoMapped = [] }: RemotesOptions,
): CrmOptions {
  return {
    loginUrl: salesforce.loginUrl,
    apiVersion: salesforce.apiVersion,
    ...(salesforce.organizationId === null ? {} : { organizationId: salesforce.organizationId }),
    ...(salesforce.pubSub === undefined ? {} : { pubSub: salesforce.pubSub }),
    maxRows: salesforce.maxRows,
    multiCurrency: salesforce.multiCurrency,
    allowDuplicates: salesforce.allowDuplicates,
    imports,
    mappings: [mapping, ...alsoMapped],
    ...(onCrmRequest === undefined ? {} : { onRequest: onCrmRequest }),
    ...(admitOrg === undefined ? {} : { admitOrg }),
    ...(onTheirWay === undefined ? {} : { onTheirWay }),
    ...(onGraphConditions === undefined ? {} : { onGraphConditions }),
    auth: authOf(salesforce.auth),
  };
}

/** How to sign in to Salesforce. Each sign-in reads the secret, so that a changed file takes effect without a restart. */
function authOf(auth: Tenant['salesforce']['auth']): CrmOptions['auth'] {
  if (auth.flow === 'jwt')
    return {
      ...auth,
      get privateKey() {
        return auth.privateKey.reveal();
      },
    };
  return {
    ...auth,
    get clientSecret() {
      return auth.clientSecret.reveal();
    },
  };
}
