import { InvalidArgumentError } from 'commander';
import { toId18 } from '../../domain/record/salesforce-id.ts';
import { syncRecord } from '../../operator/sync-record.ts';
import { operatorVerb, tenantOption } from '../operator-verb.ts';

/** `lockstep sync <crm id>`: looks at one record again. */
export const addSync = operatorVerb({
  name: 'sync',
  description: 'look at one opportunity again, now',
  example: `Example:
  lockstep sync 006Hs00001ABCDEIA5

Returns as soon as the work is on its way; it goes on in Temporal when this command ends.`,
  takes: (command) =>
    tenantOption(command).argument(
      '<crm id>',
      'the 15 or 18 characters of the Salesforce opportunity',
      parseCrmId,
    ),
  run: async (tools, crmId: string, options: { readonly tenant?: string }) => {
    const { tenant } = tools.tenant(options.tenant);
    return syncRecord(await tools.intake(), { tenant, crmId, at: tools.now() });
  },
  lines: ({ workflowId }) => [
    `On its way: ${workflowId} (see it in the Temporal UI under this workflow id).`,
  ],
});

/** A Salesforce id in its 18-character form, from the command line. */
function parseCrmId(text: string): string {
  const crmId = toId18(text);
  if (crmId === null) throw new InvalidArgumentError('It is no Salesforce id: give its 15 or 18 characters.');
  return crmId;
}
