import fc from 'fast-check';
import type { Deals } from './deals.ts';
import type { Raw } from './http.ts';
import { settle } from './settle.ts';
import type { World } from './world.ts';

/** Fields that users of both sides edit while the vendor is unavailable, by the names on both sides. */
const FIELDS = { Description: 'description', Vendor_Next_Milestone__c: 'nextMilestone' } as const;

type Field = keyof typeof FIELDS;
type Side = 'crm' | 'vendor';

export type OutageEdit = { readonly side: Side; readonly field: Field; readonly pauseMs: number };

/** The edits during an outage, in order; `history`: whether the CRM's field history is readable. */
export type Outage = { readonly history: boolean; readonly edits: readonly OutageEdit[] };

export const outages: fc.Arbitrary<Outage> = fc.record({
  history: fc.boolean(),
  edits: fc.array(
    fc.record({
      side: fc.constantFrom<Side>('crm', 'vendor'),
      field: fc.constantFrom<Field>(...(Object.keys(FIELDS) as Field[])),
      // The CRM's stamps are whole seconds.
      pauseMs: fc.constantFrom(2_000, 61_000),
    }),
    { minLength: 2, maxLength: 6, size: 'max' },
  ),
});

type Made = OutageEdit & { readonly atMs: number; readonly value: string };

/** Plays an outage for a settled deal of a tenant with `prefer: later`; returns the broken rules. */
export async function playOutage(world: World, deals: Deals, outage: Outage): Promise<readonly string[]> {
  const deal = await deals.opportunity(await deals.account());
  await deals.line(deal, 500);
  await deals.sweep();
  await deals.poll();
  const before = await settle(world);
  const lead = String((await deals.leadNamed(deal))?.['id']);
  if (!outage.history)
    await world.crm.access({ user: 'integration', object: 'OpportunityFieldHistory', access: 'none' });
  await world.vendor.fault({ status: 503 });
  const made: Made[] = [];
  for (const [place, edit] of outage.edits.entries()) {
    const value = `${edit.side} ${place}`;
    await deals.time(edit.pauseMs);
    made.push({ ...edit, value, atMs: world.clock.readMs() });
    if (edit.side === 'crm') await world.crm.edit(deal, { [edit.field]: value });
    else await world.vendor.edit(lead, { [FIELDS[edit.field]]: value });
  }
  await deals.sweep();
  const broken = [...before, ...(await settle(world))];
  const [crm, vendor] = [await deals.row('Opportunity', deal), (await deals.leadNamed(deal)) ?? {}];
  const values = await valuesOf(world, deal);
  const fields = Object.keys(FIELDS) as Field[];
  return [...broken, ...fields.flatMap((field) => judge(field, made, outage, { crm, vendor, values }))];
}

type Seen = { readonly crm: Raw; readonly vendor: Raw; readonly values: string };

function judge(field: Field, made: readonly Made[], { history }: Outage, seen: Seen): readonly string[] {
  const last = (side: Side, one?: Field): Made | undefined =>
    made.findLast((edit) => edit.side === side && (one === undefined || edit.field === one));
  const [crm, vendor] = [last('crm', field), last('vendor', field)];
  const [inCrm, atVendor] = [seen.crm[field] ?? '', seen.vendor[FIELDS[field]] ?? ''];
  const name = `${field}: CRM ${String(inCrm)}, vendor ${String(atVendor)}`;
  if (inCrm !== atVendor) return [`CON: ${name}`];
  const edits = [crm, vendor].filter((edit) => edit !== undefined);
  if (edits.length > 0 && !edits.some(({ value }) => value === inCrm)) return [`NLU: ${name}`];
  if (crm === undefined || vendor === undefined) return [];
  const broken = [crm, vendor].every(({ value }) => seen.values.includes(`"${value}"`))
    ? []
    : [`${name}: nobody is told what lost: ${seen.values}`];
  // A record's stamp is the time of an edit only if nothing in the record was edited later.
  const isCrmTold = history || crm === last('crm');
  const isVendorTold = vendor === last('vendor');
  const crmMs = isCrmTold ? crm.atMs : (last('crm')?.atMs ?? 0);
  const vendorMs = last('vendor')?.atMs ?? 0;
  const isTold = crmMs > vendorMs ? isCrmTold : isVendorTold;
  const later = crm.atMs > vendor.atMs ? crm : vendor;
  if (isTold && later.value !== inCrm) return [...broken, `NLU: ${name}, and ${later.value} was the later`];
  return broken;
}

async function valuesOf(world: World, deal: string): Promise<string> {
  const rows = await world.crm.list('Lockstep_Sync__c');
  return String(rows.find((row) => row['Opportunity__c'] === deal)?.['Conflict_Values__c'] ?? '');
}
