import type { Command } from 'commander';
import { workflowIds } from '../../../temporal.config.ts';
import { toId18 } from '../../platform/salesforce-id.ts';
import type { CliContext } from '../context.ts';
import { CliError, EXIT } from '../exit.ts';
import { chooseTenant, connectTemporal, openOwnLedger, ownTenants } from '../runtime.ts';

const EXAMPLE = `
Example:
  lockstep sync 006Hs00001ABCDEIA5

Returns as soon as the work is on its way; it goes on in Temporal when this command ends.`;

/** `lockstep sync <crm id>`: looks at one record again. */
export function addSync(program: Command, context: CliContext): void {
  program
    .command('sync')
    .description('look at one opportunity again, now')
    .argument('<crm id>', 'the 15 or 18 characters of the Salesforce opportunity')
    .option('--tenant <name>', 'the tenant, where there are several')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', EXAMPLE)
    .action(async (given: string, options: { tenant?: string; json?: boolean }) => {
      const crmId = toId18(given);
      if (crmId === null) {
        throw new CliError(`"${given}" is no Salesforce id: give its 15 or 18 characters.`, EXIT.usage);
      }
      const { tenant } = chooseTenant(ownTenants(context), options.tenant);
      const workflowId = await wake(context, tenant, crmId);
      context.print(
        options.json === true
          ? JSON.stringify({ tenant, crmId, workflowId })
          : `On its way: ${workflowId} (see it in the Temporal UI under this workflow id).`,
      );
    });
}

async function wake(context: CliContext, tenant: string, crmId: string): Promise<string> {
  const { wakeRecords } = await import('../../intake/wake.ts');
  const ledger = await openOwnLedger(context.settings());
  const { client, connection } = await connectTemporal(context).catch(async (thrown) => {
    await ledger.close();
    throw thrown;
  });
  try {
    const [key = crmId] = await ledger.markDue(tenant, [{ crmId }], new Date().toISOString());
    await wakeRecords(client, tenant, [key], 'any');
    return workflowIds.syncOpportunity(tenant, key);
  } finally {
    await connection.close();
    await ledger.close();
  }
}
