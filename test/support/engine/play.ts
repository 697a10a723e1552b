import { MANUAL_RULES } from './conflicts.ts';
import type { Deal } from './deal.ts';
import { forgetSettled } from './entered.ts';
import { fieldNamed, MISFIT } from './fields.ts';
import { type FollowedEvents, followEvents } from './followed-events.ts';
import type { Raw } from './http.ts';
import { OVERLAP_MS } from './lagging-search.ts';
import { forgetOverwritten } from './late-arrivals.ts';
import { judge } from './oracle.ts';
import { createPeople, type People } from './people.ts';
import { endFaults, readBeforeLeaps, settle } from './settle.ts';
import type { Happening, Story } from './story.ts';
import { leavesWorkersAlone, shortestWaitMs, unheeded } from './sync-requests.ts';
import { type Truth, watchTruth } from './truth.ts';
import { openWorld, type TestBed, type World } from './world.ts';

/** The time between two user actions. */
const PEOPLE_MS = 150;

/** Limit for a hanging request; short, because no invariant depends on a slow answer. */
const GIVE_UP_MS = 700;

/** Plays a story to its end and judges it. Throws with every broken invariant and the trail of events. */
export async function play(testBed: TestBed, told: Story): Promise<void> {
  const story = withOneOrg(told);
  const rules = story.manual === true ? MANUAL_RULES : {};
  const { overlapMs = OVERLAP_MS } = story;
  const searchLagMs = Math.min(story.searchLagMs ?? 0, overlapMs);
  const usual = { ...story, rules, giveUpMs: GIVE_UP_MS };
  const world = await openWorld(testBed, { ...usual, searchLagMs });
  const stage: Stage = { casts: [castOf(world, story)], overlapMs, events: await followEvents(world) };
  try {
    if (story.neighbour === true) {
      const arrays = story.arrays === 'merge' ? 'replace' : 'merge';
      const { leads: _, ...opportunitiesOnly } = usual;
      const calm = { ...opportunitiesOnly, arrays, searchLagMs: 0, changes: 'outbound' } as const;
      const beside = await openWorld(testBed, calm, world);
      stage.casts.push(castOf(beside, { ...story, arrays, personAccounts: false }, true));
    }
    await begin(stage, story);
    for (const item of story.happenings) {
      await happen(stage, item);
      await stage.events.catchUp();
    }
    await settleAndJudge(stage);
  } finally {
    for (const cast of stage.casts) await cast.world.close();
  }
}

/** The org with change events has no person accounts. */
function withOneOrg(story: Story): Story {
  const isFollowed = (story.changes ?? 'outbound') !== 'outbound';
  return isFollowed ? { ...story, personAccounts: false } : story;
}

async function begin(stage: Stage, story: Story): Promise<void> {
  const [{ people }, neighbour] = stage.casts;
  for (const side of story.deals) {
    if (side === 'crm') await people.makeInCrm(1, 'now');
    else if (side === 'lead') await people.makeLead('now');
    else await people.makeAtVendor();
  }
  await neighbour?.people.makeInCrm(1, 'now');
  if (story.settled) await settleAndJudge(stage);
}

type Cast = {
  readonly world: World;
  readonly people: People;
  readonly truth: Truth;
  readonly isSteady: boolean;
  /** How many requests leave at once. */
  readonly width: number;
  /** How long the tenant's records send nothing after a 429, in milliseconds. */
  readonly leastWaitMs: number;
};

/** The tenants of a story; the first is the story's main tenant. */
type Stage = { readonly casts: [Cast, ...Cast[]]; readonly overlapMs: number; readonly events: FollowedEvents };

function castOf(world: World, story: Story, isCalm = false): Cast {
  const people = createPeople(world, story);
  const truth = watchTruth(world, people, { arrays: story.arrays, isCalm });
  const isSteady = leavesWorkersAlone(story);
  return { world, people, truth, isSteady, width: story.lane?.width ?? 1, leastWaitMs: shortestWaitMs(story) };
}

async function settleAndJudge({ casts, events }: Stage): Promise<void> {
  const broken: string[] = [];
  await events.happen('go on');
  for (const { world } of casts) broken.push(...(await parkedForPassing(world)));
  // All faults end before anything is judged.
  for (const { world } of casts) await endFaults(world);
  await readBeforeLeaps(casts.map(({ world }) => world));
  for (const cast of casts) broken.push(...(await judged(cast, events)));
  if (broken.length === 0) return;
  const [{ world }] = casts;
  throw new Error(`${broken.join('\n')}\n\n${world.scheduler.trail.slice(-60).join('\n')}`);
}

/** Refusals that are temporary or undocumented. */
const PASSING = /MAINTENANCE|ENTITY_IS_LOCKED|TOO_MANY_APEX|LIMIT_EXCEEDED|GOVERNOR|HTTP[ _](406|409|423|425)\b/;

/** Checks that no temporary refusal asks for a user. */
async function parkedForPassing({ ledger, tenant }: World): Promise<readonly string[]> {
  const links = await ledger.listLinks(tenant, { limit: 100 });
  return links.flatMap(({ key, issues }) =>
    issues
      .filter(({ code, message }) => REFUSED.has(code) && PASSING.test(message))
      .map(({ message }) => `LIV: ${key} waits for a person: ${message}`),
  );
}

const REFUSED: ReadonlySet<string> = new Set(['vendor-refused', 'crm-refused']);

async function judged(cast: Cast, events: FollowedEvents): Promise<readonly string[]> {
  const { world, people, truth, isSteady, width, leastWaitMs } = cast;
  if (await people.showAll()) for (const deal of people.deals) truth.edited(deal, 'crm');
  const broken = [
    ...(await settle(world, events.catchUp)),
    ...(await judge(world, people, isSteady)),
    ...truth.lies,
    ...(await world.violations()),
    ...events.missed(),
    ...(isSteady ? await unheeded(world, width, leastWaitMs) : []),
  ];
  await forgetSettled(world, people);
  people.conflicts.picked.clear();
  people.contests.forget();
  return broken;
}

async function happen(stage: Stage, item: Happening): Promise<void> {
  const [{ world }] = stage.casts;
  const { scheduler, clock, interruptions } = world;
  clock.advance(PEOPLE_MS);
  switch (item.kind) {
    case 'poll':
      for (const cast of stage.casts) cast.world.startStream('pollVendor');
      return;
    case 'sweep':
      for (const cast of stage.casts) cast.world.startStream('sweepSalesforce');
      return;
    case 'vendor fault':
      return void (await world.vendor.fault(item.fault));
    case 'crm fault':
      return void (await world.crm.fault(item.fault));
    case 'crm limits':
      return void (await world.crm.limit(item.limits));
    case 'crm versions':
      return void (await world.crm.apiVersions(item.served));
    case 'events':
      return stage.events.happen(item.what);
    case 'sign out':
      if (item.fault !== null) await world.crm.fault(item.fault);
      return void (await world.crm.endSessions());
    case 'late update':
      return world.planLateUpdate(item.ms, (vendorId, executeCommand) => arrive(stage, vendorId, executeCommand));
    case 'lose':
      return interruptions.plan(item.after, item.what, item.place);
    case 'pause':
      return interruptions.plan(item.after, {
        park: (goOn) => scheduler.at(clock.readMs() + item.ms, goOn),
      });
    case 'meanwhile':
      return interruptions.plan(item.after, () => happen(stage, item.what));
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
      return settleAndJudge(stage);
    default:
      return edit(stage, item);
  }
}

/** A late update has changed a vendor record, and nothing signals it before the next poll. */
async function arrive(
  { casts: [{ world, people, truth }] }: Stage,
  vendorId: string,
  executeCommand: () => Promise<boolean>,
): Promise<void> {
  const before = new Map<Deal, Raw>();
  for (const deal of people.deals) {
    const lead = await people.leadOf(deal);
    if (lead?.['id'] === vendorId) before.set(deal, lead);
  }
  if (!(await executeCommand())) return;
  for (const [deal, lead] of before) {
    truth.arrived(deal);
    await forgetOverwritten(world, people, deal, lead);
  }
}

/** Runs as many events as are due within moments. */
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
      | 'crm limits'
      | 'crm versions'
      | 'sign out'
      | 'events'
      | 'late update'
      | 'lose'
      | 'pause'
      | 'meanwhile'
      | 'overlap'
      | 'steps'
      | 'time'
      | 'settle';
  }
>;

/** The side of an edit; kinds that are absent here are edits of CRM users. */
const SIDES: Readonly<Partial<Record<Edit['kind'], readonly ('crm' | 'vendor')[]>>> = {
  'both edit': ['crm', 'vendor'],
  'vendor edit': ['vendor'],
  'vendor status': ['vendor'],
  'vendor currency': ['vendor'],
  'vendor line': ['vendor'],
  'vendor type': ['vendor'],
  'vendor contact': ['vendor'],
  'vendor company': ['vendor'],
  'vendor note': ['vendor'],
  'vendor copy': ['vendor'],
  'vendor delete': ['vendor'],
  'vendor misfit': ['vendor'],
  pick: [],
  lock: [],
};

async function edit({ casts, overlapMs }: Stage, item: Edit): Promise<void> {
  if (isOfCrm(item) && (await casts[0].world.crm.isReadOnly())) return;
  if (item.kind === 'crm deal') return casts[0].people.makeInCrm(item.lines, item.notice);
  if (item.kind === 'crm lead') return casts[0].people.makeLead(item.notice);
  if (item.kind === 'vendor deal') return casts[0].people.makeAtVendor();
  const all = casts.flatMap(({ people, truth }) => people.deals.map((deal) => ({ people, truth, deal })));
  const { people, truth, deal: named } = all[item.deal % all.length] as (typeof all)[number];
  const deal = await actedOn(people, named, item);
  for (const side of SIDES[item.kind] ?? ['crm']) truth.edited(deal, side);
  await people.conflicts.beforeEdit(deal);
  // No vendor change becomes visible later than the tenant file says.
  const soon = item.kind === 'vendor edit' ? { ...item, lateMs: Math.min(item.lateMs ?? 0, overlapMs) } : item;
  await executeCommand(people, deal, soon);
  // A lead that became another deal's opportunity has changed that deal too.
  const heir = people.heirOf(deal);
  if (heir !== deal) truth.edited(heir, 'crm');
}

/** A lead that went on as another deal's opportunity is that deal, but for the vendor users of its own record. */
async function actedOn(people: People, named: Deal, item: Edit): Promise<Deal> {
  const heir = people.heirOf(named);
  return heir !== named && !isOfCrm(item) && (await people.hasRival(named)) ? named : heir;
}

/** Whether a CRM user saves something, which read-only mode forbids. */
function isOfCrm({ kind }: Edit): boolean {
  const [side = kind === 'pick' ? 'crm' : null] = SIDES[kind] ?? ['crm'];
  return side === 'crm' && kind !== 'vendor deal';
}

type EditOfDeal = Extract<Edit, { readonly deal: number }>;

async function executeCommand(people: People, deal: Deal, item: EditOfDeal): Promise<void> {
  switch (item.kind) {
    case 'crm edit':
      return people.editInCrm(deal, fieldNamed(item.field), item.value, item.notice, item.lateMs);
    case 'vendor edit':
      return people.editAtVendor(deal, fieldNamed(item.field), item.value, item.lateMs);
    case 'both edit':
      return people.editBoth(deal, fieldNamed(item.field), item);
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
    case 'crm type':
      return people.revenue.typeInCrm(deal);
    case 'vendor type':
      return people.revenue.typeAtVendor(deal);
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
    case 'hidden account':
      return people.hideAccount(deal);
    case 'hidden field':
      return people.hideField();
    case 'vendor misfit':
      return people.editAtVendor(deal, fieldNamed(item.field), MISFIT);
    case 'pick':
      return people.conflicts.pick(deal, item.side);
    case 'lock':
      return people.lock(deal, item.locked);
    case 'lost id':
      return people.emptyVendorId(deal, item.notice);
    case 'role':
      if (item.what === 'repeat') return people.repeatContact(deal);
      return item.what === 'add' ? people.addRole(deal) : people.removeRole(deal);
    case 'account merge':
      return people.mergeAccount(deal, item.city);
    case 'account move':
      return people.moveAccount(deal, item.city);
    case 'contact merge':
      return people.mergeContact(deal);
    case 'share':
      return people.share(deal, item.shared, item.notice);
    case 'convert':
      return people.convertLead(deal, item.into, item.notice);
    case 'lead merge':
      return people.mergeLead(deal, item.notice);
    case 'crm delete':
      return people.deleteInCrm(deal);
    case 'crm undelete':
      return people.undeleteInCrm(deal);
    case 'vendor delete':
      return people.deleteAtVendor(deal);
  }
}
