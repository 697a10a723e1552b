import type { RoundTrip } from '../operator/doctor/judge-receiver.ts';
import type { Tenant } from '../platform/tenant.ts';

const PATIENCE_MS = 5_000;
/**
 * The digits that follow the three-character key prefix in the ids of the test message. No org assigns this number, so the ids name no
 * record.
 */
const NUMBER = '000000000000';

/**
 * Sends a test message to each of the tenant's secret webhook addresses. Returns the first answer that does not acknowledge the message, or
 * `acknowledged` if all answers do.
 */
export async function sendProbe(baseUrl: string | undefined, tenant: Tenant): Promise<RoundTrip> {
  if (baseUrl === undefined) return { kind: 'no-address' };
  const { paths } = tenant.webhooks;
  if (paths.length === 0) return { kind: 'no-path' };
  for (const path of paths) {
    const trip = await sendOne(`${baseUrl}/hooks/salesforce/${encodeURIComponent(path.reveal())}`, tenant);
    if (trip.kind !== 'acknowledged') return trip;
  }
  return { kind: 'acknowledged' };
}

async function sendOne(url: string, tenant: Tenant): Promise<RoundTrip> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: '""' },
    body: message(tenant),
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(() => null);
  if (answer === null) return { kind: 'unreachable' };
  const text = await answer.text().catch(() => '');
  if (answer.status === 200 && text.includes('<Ack>true</Ack>')) return { kind: 'acknowledged' };
  return { kind: 'refused', status: answer.status, code: codeIn(text) };
}

/** The error code in the receiver's answer; null if another server, such as a proxy, sent the answer. */
function codeIn(text: string): string | null {
  try {
    const { code } = JSON.parse(text) as { readonly code?: unknown };
    return typeof code === 'string' && /^[a-z-]{1,40}$/.test(code) ? code : null;
  } catch {
    return null;
  }
}

function message({ salesforce, webhooks }: Tenant): string {
  const organizationId = salesforce.organizationId ?? `00D${NUMBER}`;
  const actionId = webhooks.actionIds[0] ?? `04k${NUMBER}`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
 <soapenv:Body>
  <notifications xmlns="http://soap.sforce.com/2005/09/outbound">
   <OrganizationId>${organizationId}</OrganizationId>
   <ActionId>${actionId}</ActionId>
   <SessionId xsi:nil="true"/>
   <EnterpriseUrl></EnterpriseUrl>
   <PartnerUrl></PartnerUrl>
   <Notification>
    <Id>04l${NUMBER}</Id>
    <sObject xsi:type="sf:Organization" xmlns:sf="urn:sobject.enterprise.soap.sforce.com">
     <sf:Id>${organizationId}</sf:Id>
    </sObject>
   </Notification>
  </notifications>
 </soapenv:Body>
</soapenv:Envelope>`;
}
