/** A webhook receiver on a free port, an intake that records its calls, and messages as their senders write them. */
import { Webhook } from 'standardwebhooks';
import { DEFAULT_STAGES } from '../../../src/domain/mapping/stages.ts';
import { DEFAULT_RETENTION } from '../../../src/domain/record/retention.ts';
import type { DeliveryIntake } from '../../../src/intake/delivery.ts';
import { silentLogger } from '../../../src/platform/logger.ts';
import { generatedSecret } from '../../../src/platform/secret.ts';
import type { Tenant } from '../../../src/platform/tenant.ts';
import { startWebhookServer, type WebhookOptions } from '../../../src/webhooks/server.ts';

export const PATH = 'a'.repeat(64);
export const NEXT_PATH = 'b'.repeat(64);
export const KEY = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
export const NEXT_KEY = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
export const ORGANIZATION = '00D000000000001EAA';
export const NOW = new Date('2026-03-04T05:06:07.000Z');

const RARE = {
  audit: { everyMs: 86_400_000 },
  retention: DEFAULT_RETENTION,
  guards: { maxDetachShare: 1, minimum: 1, windowMs: 3_600_000 },
};

export function aTenant(overrides: Partial<Tenant['webhooks']> & { tenant?: string } = {}): Tenant {
  const { tenant = 'acme', ...webhooks } = overrides;
  return {
    tenant,
    vendor: {
      ...{ salesBaseUrl: 'http://127.0.0.1:1', orderBaseUrl: 'http://127.0.0.1:1' },
      apiKey: generatedSecret('key'),
      keyHeader: 'X-API-Key',
      partnerId: 'P1',
      poll: { everyMs: 60_000, overlapMs: 300_000 },
      ordersEveryMs: 300_000,
      ordersSince: null,
      catalog: { everyMs: 21_600_000, currencies: null, revenueTypes: [] },
      ratePerSecond: 5,
    },
    salesforce: {
      loginUrl: 'http://127.0.0.1:1',
      apiVersion: '67.0',
      organizationId: ORGANIZATION,
      auth: { flow: 'client-credentials', clientId: 'id', clientSecret: generatedSecret('secret') },
      sweep: { everyMs: 300_000, overlapMs: 900_000 },
      ...{ maxRows: {}, multiCurrency: false, allowDuplicates: false },
      apiShare: 0.25,
    },
    webhooks: {
      paths: [generatedSecret(PATH), generatedSecret(NEXT_PATH)],
      keys: [generatedSecret(KEY), generatedSecret(NEXT_KEY)],
      actionIds: [],
      ...webhooks,
    },
    mapping: {
      partnerId: 'P1',
      currency: 'EUR',
      zone: 'UTC',
      stages: DEFAULT_STAGES,
      values: { status: {}, forecastCategory: {}, reasonWon: {}, reasonLost: {}, revenueType: {} },
      closeFromVendor: false,
      prefer: 'crm',
    },
    importFromVendor: true,
    imports: { owner: null, recordType: null },
    matching: { keys: [] },
    notify: { owner: 'none' },
    orders: { accounts: { soldTo: ['site-id'], billTo: ['site-id'] }, notifyOwner: 'none' },
    ...RARE,
  };
}

type Recorded = { tenant: string; id: string; source: string; crmIds: readonly string[]; at: string };

/** An intake with the ledger's rule for repeated deliveries; it lists its calls in order. */
export function rememberingIntake(overrides: Partial<DeliveryIntake> = {}) {
  const recorded: Recorded[] = [];
  const wakes: { tenant: string; keys: readonly string[] }[] = [];
  const requested: { tenant: string; stream: string }[] = [];
  const signalled = new Set<string>();
  const order: string[] = [];
  const intake: DeliveryIntake = {
    areRemotesHealthy: async () => true,
    recordDeliveries: async (tenant, deliveries, at) => {
      order.push('record');
      recorded.push(...deliveries.map((delivery) => ({ tenant, ...delivery, at })));
      return deliveries.map(({ id, crmIds }) => ({ fresh: !signalled.has(`${tenant}/${id}`), keys: crmIds }));
    },
    markSignalled: async (tenant, ids) => {
      order.push('mark');
      for (const id of ids) signalled.add(`${tenant}/${id}`);
    },
    wake: async (tenant, keys) => {
      order.push('wake');
      wakes.push({ tenant, keys });
    },
    requestStream: async (tenant, stream) => {
      order.push('request');
      requested.push({ tenant, stream });
    },
    ready: async () => {},
    ...overrides,
  };
  return { intake, recorded, wakes, requested, signalled, order };
}

/** Starts a receiver; the caller closes it. */
export async function aReceiver(options: Partial<WebhookOptions> & { readonly intake: DeliveryIntake }) {
  const server = await startWebhookServer({
    host: '127.0.0.1',
    port: 0,
    ops: { host: '127.0.0.1', port: 0 },
    tenants: () => [aTenant()],
    log: silentLogger,
    now: () => NOW,
    ...options,
  });
  return {
    ...server,
    send: (body: string | Uint8Array<ArrayBuffer>, to: { path?: string; headers?: Record<string, string> } = {}) =>
      fetch(`${server.url}/hooks/salesforce/${to.path ?? PATH}`, {
        method: 'POST',
        headers: { 'content-type': 'text/xml; charset=utf-8', SOAPAction: '""', ...to.headers },
        body,
      }),
    sendEvent: (body: string, headers: Record<string, string>, tenant = 'acme') =>
      fetch(`${server.url}/hooks/events/${tenant}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      }),
  };
}

/** The 15-character id of a notification or record with this number. */
export function numbered(prefix: string, number: number): string {
  return prefix + String(number).padStart(15 - prefix.length, '0');
}

/** An Outbound Message as Salesforce writes it. */
export function outboundMessage(
  parts: { notifications?: readonly string[]; organizationId?: string; actionId?: string } = {},
): string {
  const { notifications = [notification(1)], organizationId = ORGANIZATION, actionId = '04k000000000001AAA' } = parts;
  return `<?xml version="1.0" encoding="UTF-8"?>
<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
 <soapenv:Body>
  <notifications xmlns="http://soap.sforce.com/2005/09/outbound">
   <OrganizationId>${organizationId}</OrganizationId>
   <ActionId>${actionId}</ActionId>
   <SessionId xsi:nil="true"/>
   <EnterpriseUrl>https://example.my.salesforce.com/services/Soap/c/67.0/00D000000000001</EnterpriseUrl>
   <PartnerUrl>https://example.my.salesforce.com/services/Soap/u/67.0/00D000000000001</PartnerUrl>
${notifications.join('\n')}
  </notifications>
 </soapenv:Body>
</soapenv:Envelope>`;
}

export function notification(number: number, record: { type?: string; id?: string; name?: string } = {}): string {
  const { type = 'Opportunity', id = numbered('006', number), name = 'Rolling stock' } = record;
  return `<Notification>
    <Id>${numbered('04l', number)}</Id>
    <sObject xsi:type="sf:${type}" xmlns:sf="urn:sobject.enterprise.soap.sforce.com">
     <sf:Id>${id}</sf:Id>
     <sf:Name>${name}</sf:Name>
    </sObject>
   </Notification>`;
}

export function changedEvent(opportunityIds: readonly string[] = [numbered('006', 1)]): string {
  return JSON.stringify({
    type: 'opportunity.changed',
    timestamp: NOW.toISOString(),
    data: { opportunityIds },
  });
}

/** Headers that sign a body as Standard Webhooks describes. */
export function signed(
  body: string,
  { id = 'msg_1', at = NOW, key = KEY }: { id?: string; at?: Date; key?: string } = {},
): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(key).sign(id, at, body),
  };
}
