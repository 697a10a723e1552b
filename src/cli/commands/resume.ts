import { counted } from '../../domain/values/counted.ts';
import { retryStreams } from '../../operator/status/stopped-streams.ts';
import { resumeTenant } from '../../operator/tenants/resume-tenant.ts';
import { operatorVerb, tenantArgument } from '../operator-verb.ts';

/** `lockstep resume <tenant>`: lifts all pauses of a tenant, whatever their reason. */
export const addResume = operatorVerb({
  name: 'resume',
  description: 'lift every pause of a tenant, and try again its stopped streams and refused rows',
  example: `Example:
  lockstep resume acme

Look first: lockstep status says what is paused and why. Where too many records would be detached, as many as there are
may leave until the guard's window (guards.window of the tenant file) has passed once more. What waited is taken up
at once, a bounded number a second. A pause because of a refused key or sign-in ends by itself once that works; lifted before, it comes back
with the next refusal.`,
  takes: (command) =>
    tenantArgument(command).option(
      '--now',
      'end what it waits for by itself too: the reset of a quota, and the next try of what a side refused for now',
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
