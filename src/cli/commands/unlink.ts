import { type RecordsUnlinked, unlinkRecord } from '../../operator/records/unlink-record.ts';
import { operatorVerb, tenantOption } from '../operator-verb.ts';
import { ID_HELP, readId } from '../record-ids.ts';

/** `lockstep unlink <id>`: separates an opportunity from its vendor record. */
export const addUnlink = operatorVerb({
  name: 'unlink',
  example: `Example:
  lockstep unlink 006Hs00001ABCDEIA5

Takes the id of either record, or the link's key. The command deletes neither record and changes only one field: it empties
Vendor_Id__c of the opportunity. Lockstep never links the two again on its own, nor creates a second record for either: each
waits until lockstep link links it.`,
  takes: (command) => tenantOption(command).argument('<id>', ID_HELP, readId),
  run: async (tools, id: string, options: { readonly tenant?: string }) => {
    const { tenant } = await tools.tenant(options.tenant);
    const [intake, ledger] = [await tools.intake(), await tools.ledger()];
    const unlinked = await unlinkRecord({ intake, ledger }, tenant, id, tools.now());
    return { shape: 'unlink/1', ...unlinked } as const;
  },
  effect: (id, { tenant }) => ({ tenant: { given: tenant }, details: { id } }),
  lines: (unlinked) => unlinkLines(unlinked),
});

export function unlinkLines({ tenant, crmId, vendorId }: RecordsUnlinked): readonly string[] {
  return [
    `${crmId} and ${vendorId} are two, and stay so until: lockstep link ${crmId} ${vendorId} --tenant ${tenant}`,
    `${crmId} waits while it is shared, and ${vendorId} is not made in the CRM: see: lockstep inbox --code unlinked --tenant ${tenant}`,
  ];
}
