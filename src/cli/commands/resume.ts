import type { Command } from 'commander';
import { MASS_CHANGE_STREAM, type MassChangeAllowed } from '../../domain/decide/mass-change.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Tenant } from '../../platform/tenant.ts';
import type { CliContext } from '../context.ts';
import { chooseTenant, openOwnLedger, ownTenants } from '../runtime.ts';

const EXAMPLE = `
Example:
  lockstep resume acme

Look first: lockstep status says how many records would be detached. Until the guard's window (guards.window of the
tenant file) has passed once more, as many as there are may leave. What waited is taken up within minutes. A pause
because of a refused key or sign-in is none of this command's: it ends by itself.`;

/** `lockstep resume <tenant>`: lets a tenant go on that paused because too many of its records would leave. */
export function addResume(program: Command, context: CliContext): void {
  program
    .command('resume')
    .description('let a tenant go on that paused because too many records would be detached')
    .argument('<tenant>', 'the name of the tenant')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', EXAMPLE)
    .action(async (name: string, options: { json?: boolean }) => {
      const tenant = chooseTenant(ownTenants(context), name);
      const ledger = await openOwnLedger(context.settings());
      try {
        const allowed = await liftPause(ledger, tenant, new Date().toISOString());
        context.print(
          options.json === true
            ? JSON.stringify({ tenant: name, resumed: allowed !== null, allowedUntil: allowed })
            : sentence(name, allowed),
        );
      } finally {
        await ledger.close();
      }
    });
}

/** Lifts a tenant's pause; until when the guard lets everything pass, or null when there was no pause. */
export async function liftPause(
  ledger: Pick<Ledger, 'pauses' | 'resume' | 'saveCursor'>,
  { tenant, guards }: Pick<Tenant, 'tenant' | 'guards'>,
  at: string,
): Promise<string | null> {
  const paused = (await ledger.pauses(tenant)).some(({ group }) => group === 'whole-tenant');
  if (!paused) return null;
  const until = new Date(Date.parse(at) + guards.windowMs).toISOString();
  // First, so that no record finds the tenant going and the guard still up.
  await ledger.saveCursor(tenant, MASS_CHANGE_STREAM, { until } satisfies MassChangeAllowed, at);
  await ledger.resume(tenant, 'whole-tenant', at);
  return until;
}

function sentence(tenant: string, allowed: string | null): string {
  if (allowed === null) return `${tenant} is not paused.`;
  return `${tenant} goes on; until ${allowed} any number of its records may leave.`;
}
