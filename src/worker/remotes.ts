import { Agent, type Dispatcher } from 'undici';
import type { TenantRuntime } from '../../activities/support/deps.ts';
import { createPartnerApi } from '../partner-api/index.ts';
import type { Tenant } from '../platform/tenant.ts';
import { createCrm } from '../salesforce/create-crm.ts';
import type { CrmOptions } from '../salesforce/options.ts';
import { boundedConnector, fewInterims } from './bounded-reading.ts';
import { createKeyScope, type KeyScope } from './key-scope.ts';

export type RemotesOptions = {
  /** Which key goes along; absent: that of the tenant file. */
  readonly keys?: Pick<KeyScope, 'apiKey'>;
  /** Goes around each request. */
  readonly watch?: Dispatcher.DispatcherComposeInterceptor;
  readonly onCrmRequest?: CrmOptions['onRequest'];
  readonly onTheirWay?: CrmOptions['onTheirWay'];
  /** Mappings besides the tenant's own whose fields are read. */
  readonly alsoMapped?: NonNullable<CrmOptions['mappings']>;
};

/** One tenant's two remote systems, by its file. Nothing is asked of them yet. */
export function connectRemotes(
  tenant: Tenant,
  { keys = createKeyScope(), watch, onCrmRequest, onTheirWay, alsoMapped = [] }: RemotesOptions = {},
): TenantRuntime {
  const { vendor, salesforce } = tenant;
  const connect = boundedConnector();
  const around: Dispatcher.DispatcherComposeInterceptor =
    watch === undefined ? fewInterims : (dispatch) => watch(fewInterims(dispatch));
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
      dispatcher: new Agent({ connect }).compose(around),
    }),
    crm: createCrm({
      loginUrl: salesforce.loginUrl,
      apiVersion: salesforce.apiVersion,
      ...(salesforce.organizationId === null ? {} : { organizationId: salesforce.organizationId }),
      multiCurrency: salesforce.multiCurrency,
      allowDuplicates: salesforce.allowDuplicates,
      imports: tenant.imports,
      mappings: [tenant.mapping, ...alsoMapped],
      connect,
      watch: around,
      ...(onCrmRequest === undefined ? {} : { onRequest: onCrmRequest }),
      ...(onTheirWay === undefined ? {} : { onTheirWay }),
      auth:
        salesforce.auth.flow === 'jwt'
          ? { ...salesforce.auth, privateKey: salesforce.auth.privateKey.reveal() }
          : { ...salesforce.auth, clientSecret: salesforce.auth.clientSecret.reveal() },
    }),
  };
}
