import fc from 'fast-check';
import { isConflict } from '../../../src/domain/record/issue.ts';
import type { Deals } from './deals.ts';
import type { Raw } from './http.ts';
import { settle } from './settle.ts';
import type { World, WorldOptions } from './world.ts';

/** Fields that users of both sides edit, by the names on both sides. */
const FIELDS = { Description: 'description', Vendor_Next_Milestone__c: 'nextMilestone' } as const;

type Field = keyof typeof FIELDS;
type Side = 'crm' | 'vendor';

/** Few values, so that the value agreed at the backup is entered again. */
const VALUES = ['one', 'two', 'three'] as const;

type Edit = { readonly side: Side; readonly field: Field; readonly value: string };

/**
 * `agreed`: edits that are each synced before the next; the backup is made after this many of them. `last`: edits after all of those,
 * before the restore.
 */
export type Restore = {
  readonly prefer: WorldOptions['prefer'];
  readonly history: boolean;
  readonly agreed: readonly Edit[];
  readonly backupAfter: number;
  readonly last: readonly Edit[];
};

const edit = fc.record({
  side: fc.constantFrom<Side>('crm', 'vendor'),
  field: fc.constantFrom<Field>(...(Object.keys(FIELDS) as Field[])),
  value: fc.constantFrom(...VALUES),
});

export const restores: fc.Arbitrary<Restore> = fc.record({
  prefer: fc.constantFrom<WorldOptions['prefer']>('later', 'crm', 'vendor'),
  history: fc.boolean(),
  agreed: fc.array(edit, { minLength: 2, maxLength: 4 }),
  backupAfter: fc.nat(3),
  // Each field is edited on one side only, because a rule decides edits of both sides, restored or not.
  last: fc.uniqueArray(edit, { minLength: 1, maxLength: 2, selector: ({ field }) => field }),
});

/**
 * Plays the story with a shared deal and returns the broken rules: each field keeps its newest value on the side where it was entered, and
 * the other side has this value or a conflict names it.
 */
export async function playRestore(world: World, deals: Deals, story: Restore): Promise<readonly string[]> {
  const deal = await deals.opportunity(await deals.account());
  await deals.line(deal, 500);
  const broken = [...(await settle(world))];
  const lead = String((await deals.leadNamed(deal))?.['id']);
  if (!story.history)
    await world.crm.access({ user: 'integration', object: 'OpportunityFieldHistory', access: 'none' });
  const newest = new Map<Field, Edit>();
  const enter = async (one: Edit): Promise<void> => {
    await deals.time(61_000);
    newest.set(one.field, one);
    if (one.side === 'crm') await world.crm.edit(deal, { [one.field]: one.value });
    else await world.vendor.edit(lead, { [FIELDS[one.field]]: one.value });
  };
  const backupAfter = story.backupAfter % story.agreed.length;
  let copy = await world.backUp();
  for (const [place, one] of story.agreed.entries()) {
    await enter(one);
    await deals.sweep();
    await deals.poll();
    if (place < backupAfter) copy = await world.backUp();
  }
  for (const one of story.last) await enter(one);
  await copy.restore();
  await world.ledger.noteRestored(world.clock.now());
  broken.push(...(await settle(world)));
  const [crm, vendor] = [await deals.row('Opportunity', deal), (await deals.leadNamed(deal)) ?? {}];
  const { issues } = await deals.link(deal);
  const result = issues.filter(isConflict).map(({ field }) => String(field));
  for (const one of newest.values()) broken.push(...judge(one, crm, vendor, result));
  return [...broken, ...((await deals.leads()).length === 1 ? [] : ['DUP: another vendor record'])];
}

function judge({ side, field, value }: Edit, crm: Raw, vendor: Raw, result: readonly string[]): readonly string[] {
  const shown = { crm: crm[field] ?? '', vendor: vendor[FIELDS[field]] ?? '' };
  const name = `${field}: CRM ${String(shown.crm)}, vendor ${String(shown.vendor)}, ${value} entered last at ${side}`;
  if (shown[side] !== value) return [`NLU: ${name}`];
  const isOne = shown.crm === shown.vendor;
  return isOne || result.includes(FIELDS[field]) ? [] : [`CON: ${name}, and nobody is told`];
}
