import type { Deal } from './deal.ts';
import { judge } from './oracle.ts';
import { createPeople, fieldNamed, type People } from './people.ts';
import { settle } from './settle.ts';
import type { Happening, Story } from './story.ts';
import { type Truth, watchTruth } from './truth.ts';
import { openWorld, type TestBed, type World } from './world.ts';

/** Between two things that people do. */
const PEOPLE_MS = 150;

/** Plays a story to its end and judges it. Throws with every broken invariant and the trail of what was done. */
export async function play(testBed: TestBed, story: Story): Promise<void> {
  const world = await openWorld(testBed, story);
  const people = createPeople(world, story.arrays);
  const cast: Cast = { world, people, truth: watchTruth(world, people, story.arrays) };
  try {
    for (const side of story.deals) {
      if (side === 'crm') await people.makeInCrm(1, 'now');
      else await people.makeAtVendor();
    }
    if (story.settled) await settleAndJudge(cast);
    for (const item of story.happenings) await happen(cast, item);
    await settleAndJudge(cast);
  } finally {
    await world.close();
  }
}

type Cast = { readonly world: World; readonly people: People; readonly truth: Truth };

async function settleAndJudge({ world, people, truth }: Cast): Promise<void> {
  if (await people.showContacts()) for (const deal of people.deals) truth.edited(deal, 'crm');
  const broken = [
    ...(await settle(world)),
    ...(await judge(world, people)),
    ...truth.lies,
    ...(await world.violations()),
  ];
  people.entered.clear();
  if (broken.length === 0) return;
  throw new Error(`${broken.join('\n')}\n\n${world.scheduler.trail.slice(-60).join('\n')}`);
}

async function happen(cast: Cast, item: Happening): Promise<void> {
  const { world } = cast;
  const { scheduler, clock, interruptions } = world;
  clock.advance(PEOPLE_MS);
  switch (item.kind) {
    case 'poll':
      world.startStream('pollVendor');
      return;
    case 'sweep':
      world.startStream('sweepSalesforce');
      return;
    case 'vendor fault':
      return void (await world.vendor.fault(item.fault));
    case 'crm fault':
      return void (await world.crm.fault(item.fault));
    case 'lose':
      return interruptions.plan(item.after, item.what);
    case 'pause':
      return interruptions.plan(item.after, {
        park: (goOn) => scheduler.at(clock.readMs() + item.ms, goOn),
      });
    case 'meanwhile':
      return interruptions.plan(item.after, () => happen(cast, item.what));
    case 'overlap':
      return interruptions.plan(item.after, () => steps(world, item.steps));
    case 'steps':
      return steps(world, item.count);
    case 'time': {
      const untilMs = clock.readMs() + item.ms;
      while (await scheduler.step(untilMs)) {}
      return clock.advanceTo(untilMs);
    }
    case 'settle':
      return settleAndJudge(cast);
    default:
      return edit(cast, item);
  }
}

/** As many things as are due within moments. */
async function steps(world: World, count: number): Promise<void> {
  for (let step = 0; step < count; step += 1) {
    if (!(await world.scheduler.step(world.clock.readMs() + 1_000))) return;
  }
}

type Edit = Exclude<
  Happening,
  {
    kind:
      | 'poll'
      | 'sweep'
      | 'vendor fault'
      | 'crm fault'
      | 'lose'
      | 'pause'
      | 'meanwhile'
      | 'overlap'
      | 'steps'
      | 'time'
      | 'settle';
  }
>;

/** Who edits; what is not here is the CRM's users'. */
const SIDES: Readonly<Partial<Record<Edit['kind'], readonly ('crm' | 'vendor')[]>>> = {
  'both edit': ['crm', 'vendor'],
  'vendor edit': ['vendor'],
  'vendor status': ['vendor'],
  'vendor currency': ['vendor'],
  'vendor line': ['vendor'],
  'vendor contact': ['vendor'],
  'vendor company': ['vendor'],
  'vendor note': ['vendor'],
  'vendor copy': ['vendor'],
  'vendor delete': ['vendor'],
};

async function edit({ people, truth }: Cast, item: Edit): Promise<void> {
  if (item.kind === 'crm deal') return people.makeInCrm(item.lines, item.notice);
  if (item.kind === 'vendor deal') return people.makeAtVendor();
  const deal = people.deals[item.deal % people.deals.length] as Deal;
  for (const side of SIDES[item.kind] ?? ['crm']) truth.edited(deal, side);
  return carryOut(people, deal, item);
}

type EditOfDeal = Extract<Edit, { readonly deal: number }>;

async function carryOut(people: People, deal: Deal, item: EditOfDeal): Promise<void> {
  switch (item.kind) {
    case 'crm edit':
      return people.editInCrm(deal, fieldNamed(item.field), item.value, item.notice, item.lateMs);
    case 'vendor edit':
      return people.editAtVendor(deal, fieldNamed(item.field), item.value, item.lateMs);
    case 'both edit':
      await people.editInCrm(deal, fieldNamed(item.field), item.value, item.notice);
      return people.editAtVendor(deal, fieldNamed(item.field), item.other);
    case 'crm stage':
      return people.moveStage(deal, item.stage, item.notice);
    case 'vendor status':
      return people.moveStatus(deal, item.status);
    case 'vendor currency':
      return people.changeCurrencyAtVendor(deal, item.currency);
    case 'crm line':
      return people.changeLineInCrm(deal, item.change, item.notice);
    case 'vendor line':
      return people.changeLineAtVendor(deal, item.change);
    case 'account':
      return people.editAccount(deal, item.city);
    case 'contact':
      return people.editContact(deal, item.lastName);
    case 'vendor contact':
      return people.addContactAtVendor(deal);
    case 'vendor company':
      return people.fillCompanyAtVendor(deal, item.vat);
    case 'vendor note':
      return people.writeNoteAtVendor(deal, 'n'.repeat(item.length));
    case 'vendor copy':
      return people.copyToVendor(deal);
    case 'hidden contact':
      return people.hideContact(deal);
    case 'lost id':
      return people.emptyVendorId(deal, item.notice);
    case 'role':
      return item.what === 'add' ? people.addRole(deal) : people.removeRole(deal);
    case 'account merge':
      return people.mergeAccount(deal, item.city);
    case 'contact merge':
      return people.mergeContact(deal);
    case 'share':
      return people.share(deal, item.shared, item.notice);
    case 'crm delete':
      return people.deleteInCrm(deal);
    case 'crm undelete':
      return people.undeleteInCrm(deal);
    case 'vendor delete':
      return people.deleteAtVendor(deal);
  }
}
