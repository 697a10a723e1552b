import { counted } from '../../domain/values/counted.ts';
import { retryStreams } from '../../operator/status/stopped-streams.ts';
import { resumeTenant } from '../../operator/tenants/resume-tenant.ts';
import { operatorVerb, tenantArgument } from '../operator-verb.ts';

/**
 * `lockstep resume <tenant>`: ends all pauses of a tenant's work, whatever their reason, except an operator's pause of the first load of
 * orders.
 */
export const addResume = operatorVerb({
  name: 'resume',
  example: `Example:
  lockstep resume acme

First see in lockstep status what is paused and why. After a pause because too many records would be detached, the present
number of records may be detached until the guard's window (guards.window of the tenant file) has passed again. Waiting
records are synced at once, a bounded number a second. A pause because of a refused key or sign-in ends on its own once the
credentials work; if you lift it earlier, the next refusal pauses the tenant again.`,
  takes: (command) =>
    tenantArgument(command).option(
      '--now',
      'also end automatic waits: for the reset of a quota, and for the next try after a temporary refusal',
    ),
  run: async (tools, name: string | undefined, options: { readonly tenant?: string; readonly now?: true }) => {
    const tenant = await tools.tenant(name ?? options.tenant);
    const ledger = await tools.ledger();
    const retried = await retryStreams(ledger, tenant.tenant, tools.now());
    const resumed = await resumeTenant(ledger, tenant, tools.now(), tools.guards, options.now === true);
    return { shape: 'resume/1', ...resumed, ...retried } as const;
  },
  effect: (name, { tenant, now = false }) => ({ tenant: { given: name ?? tenant }, details: { now } }),
  lines: ({ tenant, resumed, groups, allowedUntil, loadPausedSince, streams, refusedRows, waitsEnded }) => [
    ...(streams.length === 0 ? [] : [`${tenant} tries again: ${streams.join(', ')}.`]),
    ...(refusedRows === 0 ? [] : [`${tenant} tries ${counted(refusedRows, 'refused row')} again.`]),
    resumed ? `${tenant} goes on: ${groups.join(', ')}.` : `${tenant} is not paused.`,
    ...(waitsEnded === undefined ? [] : [`${waitsEnded} of its waits are over.`]),
    ...(allowedUntil === null ? [] : [`Until ${allowedUntil} any number of its records may leave.`]),
    ...(loadPausedSince === null
      ? []
      : [
          `Its first load of orders stays paused, by an operator since ${loadPausedSince}; to let it go on: lockstep load-orders resume ${tenant}`,
        ]),
  ],
});
