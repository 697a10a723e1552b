import type { Addresses } from '../operator/explain/explain-record.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { CliContext } from './context.ts';
import { readEndpoints } from './running/endpoints.ts';
import { ownTemporal } from './runtime.ts';

/**
 * The path of a lead-opportunity in the vendor's API (sales spec 4). Lockstep shows it as the record's address, because the vendor
 * documents no web page of a record.
 */
const VENDOR_RECORDS = '/sales/api4partners/v1/leads-opportunities';
const CLOUD_UI = 'https://cloud.temporal.io';
const OF_CLOUD = /\.(tmprl\.cloud|api\.temporal\.io)(:\d+)?$/;

/**
 * The beginnings of the web addresses at which an operator can view a tenant's records. At Salesforce, the login address with a record id
 * leads to the record's page.
 */
export function addressesOf(
  context: CliContext,
  { salesforce, vendor }: Tenant,
  temporal: string | null = temporalUi(context),
): Addresses {
  const crm = withoutSlash(salesforce.loginUrl);
  return { crm, vendor: `${withoutSlash(vendor.salesBaseUrl)}${VENDOR_RECORDS}`, temporal };
}

/** The web address of the Temporal UI; null if unknown. Reads settings and files. */
export function temporalUi(context: CliContext): string | null {
  const settings = context.settings();
  const { address, namespace } = ownTemporal(context);
  const running = readEndpoints(settings.home)?.temporal;
  const local = running?.address === address ? running.ui : null;
  const ui = settings.temporalUi ?? local ?? (OF_CLOUD.test(address) ? CLOUD_UI : null);
  return ui === null ? null : `${ui}/namespaces/${encodeURIComponent(namespace)}`;
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '');
}
