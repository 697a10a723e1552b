import { needsAttention, readStatus, type TenantStatus } from '../../operator/status.ts';
import { operatorVerb } from '../operator-verb.ts';

/** `lockstep status`: how many records are in which state, and which need somebody. */
export const addStatus = operatorVerb({
  name: 'status',
  description: 'count the records by state, and list those that need somebody',
  example: `Example:
  lockstep status --json

Exits with 2 when a record is parked, in conflict or missing at the vendor, or when a tenant is paused.`,
  run: async (tools) => {
    const tenants = tools.tenants().map(({ tenant }) => tenant);
    return readStatus(await tools.ledger(), tenants);
  },
  lines: ({ tenants }) => tenants.flatMap(linesOf),
  needsAttention,
});

function linesOf(status: TenantStatus): readonly string[] {
  const counts = Object.entries(status.records).map(([state, count]) => `${count} ${state}`);
  return [
    `${status.tenant}: ${counts.length === 0 ? 'no records yet' : counts.join(', ')}`,
    ...status.paused.map(({ group, reason, since }) => `  paused: ${group} since ${since} (${reason})`),
    ...status.attention.flatMap((record) => [
      `  ${record.state}: ${record.crmId ?? record.vendorId ?? record.key}`,
      ...record.issues.map((issue) => `    ${issue.message}`),
    ]),
  ];
}
