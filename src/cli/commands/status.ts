import { WAIT_REASONS } from '../../domain/record/wait-reason.ts';
import { STOP_REPAIR } from '../../domain/streams/stream-stop.ts';
import { needsAttention, readStatus, type TenantStatus } from '../../operator/status.ts';
import { operatorVerb } from '../operator-verb.ts';

/** `lockstep status`: how many records are in which state, and which need somebody. */
export const addStatus = operatorVerb({
  name: 'status',
  description: 'count the records by state, and list those that need somebody',
  example: `Example:
  lockstep status --json

Exits with 2 when a record is parked, in conflict or missing at the vendor, when a tenant is paused, and when one of its
streams is stopped, is overdue, or has rows that name no record or that Salesforce refuses.`,
  run: async (tools) => {
    const tenants = tools.tenants();
    return readStatus(await tools.ledger(), tenants, tools.now());
  },
  lines: ({ tenants }) => tenants.flatMap(linesOf),
  needsAttention,
});

function linesOf(status: TenantStatus): readonly string[] {
  const counts = Object.entries(status.records).map(([state, count]) => `${count} ${state}`);
  return [
    `${status.tenant}: ${counts.length === 0 ? 'no records yet' : counts.join(', ')}`,
    ...status.paused.map(({ group, reason, since }) => `  paused: ${group} since ${since} (${reason})`),
    ...status.overdue.map(({ stream, readAt }) => `  overdue: ${stream} was read last at ${readAt}`),
    ...status.stopped.map(
      ({ stream, code, blames, since, retryAt }) =>
        `  stopped: ${stream} since ${since}, Salesforce refuses ${blames.join(', ') || 'it'} (${code}); ${STOP_REPAIR}; tried again at ${retryAt}`,
    ),
    ...Object.entries(status.parkedRows).map(
      ([stream, count]) => `  parked: ${count} rows of ${stream} show no usable id`,
    ),
    ...Object.entries(status.refusedRows).flatMap(([stream, reasons]) =>
      Object.entries(reasons).map(
        ([reason, rows]) =>
          `  parked: ${rows} rows of ${stream} are refused by Salesforce (${reason}); correct the rule or the field, then: lockstep resume; tried again within a day`,
      ),
    ),
    ...status.waiting.map(
      ({ records, since, waitsFor }) =>
        `  pending: ${records} ${records === 1 ? 'waits' : 'wait'} for ${WAIT_REASONS[waitsFor ?? 'turn']}, since ${since}`,
    ),
    ...status.attention.flatMap((record) => [
      `  ${record.state}: ${record.crmId ?? record.vendorId ?? record.key}`,
      ...record.issues.map((issue) => `    ${issue.message}`),
    ]),
  ];
}
