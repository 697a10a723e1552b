import { stringify } from 'yaml';
import type { Endpoints } from '../../src/cli/running/endpoints.ts';
import type { SecretFiles } from '../../src/cli/running/secrets.ts';
import { DEMO_PARTNER_ID, DEMO_VALUES } from '../../src/cli/running/simulator-defaults.ts';
import type { ChangesBy } from '../../src/platform/tenant.ts';

const HEADING = `# Made by "lockstep up" for its two simulators, and made again at every start.
# For a file of your own, run: npm start -- --tenant your-file.yaml
# A section that it leaves out, vendor or salesforce, stays simulated; one that it has names a system that is there already.
`;

/** The demo tenant's file. Its short intervals make a change visible within seconds. */
export function demoTenantFile(
  tenant: string,
  endpoints: Endpoints,
  secrets: SecretFiles & { readonly clientSecret: string },
  changes: ChangesBy = 'outbound',
): string {
  const { vendor, salesforce } = endpoints;
  return `${HEADING}${stringify({
    tenant,
    vendor: {
      baseUrl: vendor?.baseUrl,
      apiKey: `file:${secrets.vendorApiKey}`,
      partnerId: DEMO_PARTNER_ID,
      poll: { every: '5s', overlap: '2m' },
      ordersEvery: '5s',
      // The price list in the org's currency.
      catalog: { currencies: ['EUR'] },
      ratePerSecond: 20,
      values: DEMO_VALUES,
    },
    salesforce: {
      loginUrl: salesforce?.loginUrl,
      apiVersion: '67.0',
      organizationId: salesforce?.organizationId,
      auth: {
        flow: 'client-credentials',
        clientId: salesforce?.integration.clientId,
        clientSecret: `file:${secrets.clientSecret}`,
      },
      sweep: { every: '15s', overlap: '15m' },
      ...(changes === 'outbound' ? {} : { changes, pubSub: { endpoint: salesforce?.pubSubEndpoint } }),
    },
    webhooks: { path: `file:${secrets.webhookPath}`, keys: [`file:${secrets.webhookKey}`] },
    currency: 'EUR',
    leads: {},
  })}`;
}
