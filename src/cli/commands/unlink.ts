import { type RecordsUnlinked, unlinkRecord } from '../../operator/records/unlink-record.ts';
import { operatorVerb, tenantOption } from '../operator-verb.ts';
import { readId } from '../record-ids.ts';

/** `lockstep unlink <id>`: separates an opportunity from its vendor record. */
export const addUnlink = operatorVerb({
  name: 'unlink',
  description: 'separate an opportunity from its vendor record, for good',
  example: `Example:
  lockstep unlink 006Hs00001ABCDEIA5

Takes the id of either, or the link's key. Neither record is changed or deleted; Vendor_Id__c of the opportunity is emptied.
The two are never linked by themselves again, nor made a second time on the other side: each waits until lockstep link
says what it is.`,
  takes: (command) =>
    tenantOption(command).argument(
      '<id>',
      'Salesforce opportunity id of 15 or 18 characters, vendor id, or key of a link',
      readId,
    ),
  run: async (tools, id: string, options: { readonly tenant?: string }) => {
    const { tenant } = await tools.tenant(options.tenant);
    const [intake, ledger] = [await tools.intake(), await tools.ledger()];
    const unlinked = await unlinkRecord({ intake, ledger }, tenant, id, tools.now());
    return { shape: 'unlink/1', ...unlinked } as const;
  },
  effect: (id, { tenant }) => ({ tenant: { given: tenant }, details: { id } }),
  lines: (unlinked) => unlinkLines(unlinked),
});

/** The separated records as lines of text. */
export function unlinkLines({ tenant, crmId, vendorId }: RecordsUnlinked): readonly string[] {
  return [
    `${crmId} and ${vendorId} are two, and stay so until: lockstep link ${crmId} ${vendorId} --tenant ${tenant}`,
    `${crmId} waits while it is shared, and ${vendorId} is not made in the CRM: see: lockstep inbox --code unlinked --tenant ${tenant}`,
  ];
}
