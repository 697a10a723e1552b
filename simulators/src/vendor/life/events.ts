import type { Random } from '../../core/random.ts';
import type { LeadOpportunityFields } from '../admin-fields.ts';
import { nextModifiedDate } from '../dates.ts';
import type { LeadOpportunity } from '../lead-opportunity.ts';
import type { VendorBehaviour } from '../options.ts';
import type { Store } from '../store.ts';
import { editAsVendorUser } from '../vendor-user.ts';
import type { World } from '../world/world.ts';
import { BOOKED_STATUS, consentAfter, NEXT_STATUSES } from './transitions.ts';

/** The data that events change. */
export type EventContext = {
  readonly store: Store;
  readonly world: World;
  readonly behaviour: VendorBehaviour;
};

const DAY_MS = 86_400_000;
const ORDER_SHARE = 0.45;
const RENEWAL_SHARE = 0.15;
/** The number of orders that are tried to find one that can change its status. */
const TRIES = 20;
const STAGES: Readonly<Record<string, string>> = {
  LEAD_OPEN: 'QUALIFIED',
  QUALIFIED: 'ACCEPTED',
  ACCEPTED: 'OPPY_OPEN',
};
const FORECASTS = ['UPSIDE', 'COMMIT', 'SAFE'] as const;
const COMMENTS = [
  'Customer confirmed the budget.',
  'Waiting for the technical review.',
  'Decision moved to the next steering committee.',
] as const;

/**
 * One random event at the vendor at the instant `at`: an order moves to its next status, a renewal appears, or a vendor user edits a
 * lead-opportunity. Without a suitable record nothing happens.
 */
export function happen(context: EventContext, random: Random, at: Date): void {
  const drawn = random.next();
  if (drawn < ORDER_SHARE) moveOrder(context, random, at);
  else if (drawn < ORDER_SHARE + RENEWAL_SHARE) addRenewal(context, at);
  else editLead(context, random, at);
}

function moveOrder({ world }: EventContext, random: Random, at: Date): void {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const head = world.orders.pick(random.next());
    const choices = NEXT_STATUSES[head?.status ?? ''];
    if (head === undefined || choices === undefined || head.creationMs > at.getTime()) continue;
    const order = head.order();
    const status = random.pick(choices);
    const { transaction, onlineConsentStatus } = order;
    world.putOrder({
      ...order,
      transaction: { ...transaction, status },
      onlineConsentStatus: consentAfter(transaction.status, status, onlineConsentStatus),
      ...(status === BOOKED_STATUS && { bookingDateTime: at.toISOString() }),
      lastUpdateDateTime: nextModifiedDate(order.lastUpdateDateTime, at),
    });
    return;
  }
}

function addRenewal({ world }: EventContext, at: Date): void {
  if (world.catalog().products.length > 0) world.putOrder(world.draft(at, { type: 'RN', status: 'FRST' }));
}

function editLead({ store, behaviour }: EventContext, random: Random, at: Date): void {
  const open = store
    .leadOpportunities()
    .filter(({ core }) => core.status !== 'WON' && core.status !== behaviour.lostStatus);
  if (open.length === 0) return;
  const record = random.pick(open);
  store.put(editAsVendorUser(record, drawEdit(random, record), { at: undefined, now: at, behaviour }));
}

function drawEdit(random: Random, { core }: LeadOpportunity): LeadOpportunityFields {
  const drawn = random.next();
  const nextStage = STAGES[core.status ?? ''];
  if (drawn < 0.3 && nextStage !== undefined) return { status: nextStage };
  if (drawn < 0.5 && nextStage === undefined) {
    return { forecastCategory: random.pick(FORECASTS.filter((value) => value !== core.forecastCategory)) };
  }
  if (drawn < 0.7 && core.closeDate !== null) {
    return { closeDate: new Date(Date.parse(core.closeDate) + 14 * DAY_MS).toISOString() };
  }
  return { dsComment: random.pick(COMMENTS) };
}
