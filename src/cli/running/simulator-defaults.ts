import { generatedSecret, resolveSecret } from '../../platform/secret.ts';
import type { SimulatorDefaults } from '../../platform/tenant-file.ts';
import type { Endpoints } from './endpoints.ts';
import type { SecretFiles } from './secrets.ts';

/** Partner id of the demo tenant at the vendor simulator. */
export const DEMO_PARTNER_ID = 'P000123';

/** Codes for values that the vendor's documents leave open. The vendor simulator accepts exactly these. */
export const DEMO_VALUES = {
  status: { VALIDATED: 'VALIDATED', ESTABLISHED: 'ESTABLISHED', LOST: 'LOST' },
  reasonLost: { NO_PROJECT: 'NO_PROJECT' },
} as const;

const POLL_EVERY_MS = 5000;
const ORDERS_EVERY_MS = 5000;
const SWEEP_EVERY_MS = 15_000;

/**
 * The addresses and credentials of the running simulators. They are used for a tenant file that has no `vendor` or `salesforce` section.
 */
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
