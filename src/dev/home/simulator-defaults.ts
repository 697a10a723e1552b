import { generatedSecret, resolveSecret } from '../../platform/secret.ts';
import type { SimulatorDefaults } from '../../platform/tenant-file.ts';
import { DEMO_PARTNER_ID, DEMO_VALUES } from './demo-tenant.ts';
import type { Endpoints } from './endpoints.ts';
import type { SecretFiles } from './secrets.ts';

const POLL_EVERY_MS = 5000;
const ORDERS_EVERY_MS = 5000;
const SWEEP_EVERY_MS = 15_000;

/** The running simulators' connections, for a tenant file without a `vendor` or `salesforce` section. */
export function simulatorDefaults(endpoints: Endpoints, secrets: SecretFiles): SimulatorDefaults {
  const { vendor, salesforce } = endpoints;
  const from = (file: string) => resolveSecret(`file:${file}`, { env: {}, baseDir: '/' });
  return {
    ...(vendor !== null && {
      vendor: {
        baseUrl: vendor.baseUrl,
        apiKey: generatedSecret(vendor.apiKey),
        partnerId: DEMO_PARTNER_ID,
        values: DEMO_VALUES,
        pollEveryMs: POLL_EVERY_MS,
        ordersEveryMs: ORDERS_EVERY_MS,
      },
    }),
    ...(salesforce !== null && {
      salesforce: {
        loginUrl: salesforce.loginUrl,
        organizationId: salesforce.organizationId,
        auth: {
          flow: 'client-credentials' as const,
          clientId: salesforce.integration.clientId,
          clientSecret: generatedSecret(salesforce.integration.clientSecret),
        },
        currency: 'EUR',
        sweepEveryMs: SWEEP_EVERY_MS,
        webhooks: { paths: [from(secrets.webhookPath)], keys: [from(secrets.webhookKey)], actionIds: [] },
      },
    }),
  };
}
