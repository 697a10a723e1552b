import type { Endpoints } from '../../src/cli/running/endpoints.ts';
import type { Home } from '../home/home.ts';

const COLUMN = 22;

/** The Temporal UI, filtered to the records of one tenant, or unfiltered if there are several. */
export function tenantUiLink(ui: string, tenants: readonly string[]): string {
  const only = tenants.length === 1 ? `LockstepTenant="${tenants[0]}" AND ` : '';
  const query = encodeURIComponent(`${only}WorkflowType="syncOpportunity"`);
  return `${ui}/namespaces/default/workflows?query=${query}`;
}

/** All addresses, one a line. Secrets are only in the endpoints file. */
export function addressTable(endpoints: Endpoints, tenants: readonly string[], home: Home): readonly string[] {
  const rows: (readonly [string, string])[] = [
    ['Temporal UI', tenantUiLink(endpoints.temporal.ui, tenants)],
    // Temporal's development server has no setting for this.
    ['', 'for development: it answers any Host, so a page of another site can read it while this runs'],
    ['Temporal server', endpoints.temporal.address],
    [
      'Vendor',
      endpoints.vendor === null
        ? 'as named in the tenant files'
        : simulator(endpoints.vendor.baseUrl, endpoints.salesforce?.loginUrl),
    ],
    [
      'Salesforce',
      endpoints.salesforce === null
        ? 'as named in the tenant files'
        : simulator(endpoints.salesforce.loginUrl, endpoints.vendor?.baseUrl),
    ],
    ['Webhooks', endpoints.webhooks.baseUrl],
    ['Receiver health', `${endpoints.webhooks.ops}/readyz`],
    ['Console', endpoints.console.baseUrl],
    ['Worker health', `${endpoints.worker.baseUrl}/readyz`],
    ['PostgreSQL', new URL(endpoints.postgres.url).host],
    ...endpoints.tenants.map((file, at): [string, string] => [at === 0 ? 'Tenant files' : '', file]),
    ['Keys and sign-ins', `${home.dir}/endpoints.json`],
    ['Logs', home.logs],
  ];
  return rows.map(([name, value]) => `  ${name.padEnd(COLUMN)}${value}`);
}

/** The page of a simulator, and its page of deals with the other simulator's records beside. */
function simulator(url: string, other: string | undefined): string {
  const beside = other === undefined ? '' : `?beside=${encodeURIComponent(new URL(other).origin)}`;
  return `${url} (simulator; both sides of each deal: ${url}/__admin${beside})`;
}
