import { Agent, type Dispatcher } from 'undici';
import { createPartnerApi } from '../partner-api/index.ts';
import type { Tenant } from '../platform/tenant.ts';
import { createCrm } from '../salesforce/create-crm.ts';
import type { CrmOptions } from '../salesforce/options.ts';
import { boundedConnector, fewInterims } from './bounded-reading.ts';
import { createKeyScope, type KeyScope } from './key-scope.ts';
import type { Remotes } from './runtimes.ts';

export type RemotesOptions = {
  /** Which key goes along; absent: that of the tenant file. */
  readonly keys?: Pick<KeyScope, 'apiKey'>;
  /** Goes around each request. */
  readonly watch?: Dispatcher.DispatcherComposeInterceptor;
  readonly onCrmRequest?: CrmOptions['onRequest'];
  readonly onTheirWay?: CrmOptions['onTheirWay'];
  readonly onGraphConditions?: CrmOptions['onGraphConditions'];
  /** Mappings besides the tenant's own whose fields are read. */
  readonly alsoMapped?: NonNullable<CrmOptions['mappings']>;
};

/** One tenant's two remote systems, by its file. Nothing is asked of them yet. */
export function connectRemotes(tenant: Tenant, options: RemotesOptions = {}): Remotes {
  const { keys = createKeyScope(), watch } = options;
  const { vendor } = tenant;
  const connect = boundedConnector();
  const around: Dispatcher.DispatcherComposeInterceptor =
    watch === undefined ? fewInterims : (dispatch) => watch(fewInterims(dispatch));
  const agent = new Agent({ connect });
  const crm = createCrm({ ...crmOptions(tenant, options), connect, watch: around });
  return {
    tenant,
    vendor: createPartnerApi({
      salesBaseUrl: vendor.salesBaseUrl,
      orderBaseUrl: vendor.orderBaseUrl,
      apiKey: () => keys.apiKey(vendor.apiKey),
      keyHeader: vendor.keyHeader,
      // A tenant file names one header: both domains are behind one gateway.
      orderKeyHeader: vendor.keyHeader,
      timeoutMs: 30_000,
      // Temporal is the only owner of retries.
      repeatReads: false,
      dispatcher: agent.compose(around),
    }),
    crm,
    close: async () => {
      await Promise.all([crm.close(), agent.close()]);
    },
  };
}

function crmOptions(
  { salesforce, imports, mapping }: Tenant,
  { onCrmRequest, onTheirWay, onGraphConditions, alsoMapped = [] }: RemotesOptions,
): CrmOptions {
  return {
    loginUrl: salesforce.loginUrl,
    apiVersion: salesforce.apiVersion,
    ...(salesforce.organizationId === null ? {} : { organizationId: salesforce.organizationId }),
    maxRows: salesforce.maxRows,
    multiCurrency: salesforce.multiCurrency,
    allowDuplicates: salesforce.allowDuplicates,
    imports,
    mappings: [mapping, ...alsoMapped],
    ...(onCrmRequest === undefined ? {} : { onRequest: onCrmRequest }),
    ...(onTheirWay === undefined ? {} : { onTheirWay }),
    ...(onGraphConditions === undefined ? {} : { onGraphConditions }),
    auth:
      salesforce.auth.flow === 'jwt'
        ? { ...salesforce.auth, privateKey: salesforce.auth.privateKey.reveal() }
        : { ...salesforce.auth, clientSecret: salesforce.auth.clientSecret.reveal() },
  };
}
