import { InvalidArgumentError } from 'commander';
import { toOpportunityId } from '../../domain/record/salesforce-id.ts';
import { syncRecords, UnknownRecord } from '../../operator/sync-record.ts';
import { CliError, EXIT } from '../exit.ts';
import { operatorVerb, tenantOption } from '../operator-verb.ts';

/** `lockstep sync <ids>`: looks at records again, and sends again what was refused. */
export const addSync = operatorVerb({
  name: 'sync',
  description: 'look at records again, now, and send again what was refused',
  example: `Example:
  lockstep sync 006Hs00001ABCDEIA5 LO-00000005
  lockstep sync --all-parked

Returns as soon as the work is on its way; it goes on in Temporal when this command ends.`,
  takes: (command) =>
    tenantOption(command)
      .argument(
        '[ids...]',
        'Salesforce opportunity ids of 15 or 18 characters, vendor ids, or keys of links',
        collectId,
      )
      .option('--all-parked', 'every record that waits for somebody'),
  run: async (
    tools,
    ids: readonly string[] | undefined,
    options: { readonly tenant?: string; readonly allParked?: true },
  ) => {
    const given = ids ?? [];
    const allParked = options.allParked === true;
    if (given.length === 0 && !allParked) throw new CliError('Give ids, or --all-parked.', EXIT.usage);
    const { tenant } = tools.tenant(options.tenant);
    const order = {
      crmIds: given.filter(isOpportunity),
      others: given.filter((id) => !isOpportunity(id)),
      allParked,
    };
    const [intake, ledger] = [await tools.intake(), await tools.ledger()];
    return syncRecords({ intake, ledger }, tenant, order, tools.now()).catch((error: unknown) => {
      throw error instanceof UnknownRecord ? new CliError(error.message) : error;
    });
  },
  lines: ({ records }) => [
    ...records.map(({ workflowId }) => `On its way: ${workflowId}`),
    `${records.length} on their way; see each in the Temporal UI under its workflow id.`,
  ],
});

function isOpportunity(id: string): boolean {
  return toOpportunityId(id) === id;
}

/** An id as it is looked up, an opportunity's in its 18-character form. */
function collectId(text: string, before: readonly string[] = []): readonly string[] {
  if (!/^[A-Za-z0-9_.:-]{1,128}$/.test(text)) throw new InvalidArgumentError('It is no id.');
  const opportunityId = toOpportunityId(text);
  if (opportunityId === null && /^006[A-Za-z0-9]{15}$/.test(text)) {
    throw new InvalidArgumentError('It is no id: its last three characters do not fit the others.');
  }
  return [...before, opportunityId ?? text];
}
