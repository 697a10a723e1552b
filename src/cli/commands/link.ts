import { Option } from 'commander';
import { linkRecords, type RecordsLinked } from '../../operator/records/link-records.ts';
import { operatorVerb, tenantOption } from '../operator-verb.ts';
import { readOpportunityId, readVendorId } from '../record-ids.ts';

type Options = { readonly tenant?: string; readonly prefer?: 'crm' | 'vendor' };

/** `lockstep link <crm> <vendor>`: links an opportunity and a vendor record as one deal. */
export const addLink = operatorVerb({
  name: 'link',
  example: `Example:
  lockstep link 006Hs00001ABCDEIA5 LO-00000005

Use it for a possible duplicate, several candidates, or two separated records (lockstep status). Both records must exist, and
neither may be linked to another record. If both have different values in a field, the field's rule or --prefer decides.
Lockstep syncs nothing while the opportunity is not shared.`,
  takes: (command) =>
    tenantOption(command)
      .argument('<crm>', 'Salesforce opportunity id of 15 or 18 characters', readOpportunityId)
      .argument('<vendor>', 'vendor id, or the key of its link', readVendorId)
      .addOption(new Option('--prefer <side>', 'the side whose differing values stay').choices(['crm', 'vendor'])),
  run: async (tools, crmId: string, vendorId: string, options: Options) => {
    const { tenant } = await tools.tenant(options.tenant);
    const [remote, intake, ledger] = [await tools.remote(options.tenant), await tools.intake(), await tools.ledger()];
    const ids = { crmId, vendorId };
    const ports = { intake, ledger, remote };
    const linked = await linkRecords(ports, tenant, ids, options.prefer ?? null, tools.now());
    return { shape: 'link/1', ...linked } as const;
  },
  effect: (crmId, vendorId, { tenant, prefer }) => ({
    tenant: { given: tenant },
    details: { crmId, vendorId, ...(prefer === undefined ? {} : { prefer }) },
  }),
  lines: (linked) => linkLines(linked),
  needsAttention: ({ waitsFor }) => waitsFor !== null,
});

export function linkLines({ crmId, vendorId, workflowId, waitsFor }: RecordsLinked): readonly string[] {
  return [
    `${crmId} and ${vendorId} are one deal; on its way: ${workflowId}`,
    ...(waitsFor === null ? [] : [`Nothing travels yet: ${waitsFor}.`]),
  ];
}
