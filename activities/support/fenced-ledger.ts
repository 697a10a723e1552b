import type { Link } from '../../src/domain/record/link.ts';
import type { Fence, Ledger, LinkVersion } from '../../src/ledger/ledger.ts';
import { anotherHand, asStale } from './late-hand.ts';

/** The record that a hand works at; `laneSeq` where the lane carries it. */
export type HandRecord = { readonly key: string; readonly laneSeq?: number };

/**
 * A ledger for one hand, which works at one record: an activity of the record's own workflow, or the lane, which carries it from its
 * first look to its last step. From that look on nobody else may have settled or planned anything of the link, or the step fails as
 * STALE before anything is decided, sent or taken back: a worker that stood still in the middle, and was taken for dead, goes on with
 * what it has read. The outcome of a write that has left is noted in any case.
 */
export function fencedLedger(ledger: Ledger, record: HandRecord): Ledger {
  const hand = new Hand(record);
  return { ...ledger, ...linkCalls(ledger, hand), ...workCalls(ledger, hand) };
}

/** How the link was when its hand saw it last, or left it. */
class Hand {
  readonly key: string;
  readonly laneSeq: number | undefined;
  known: LinkVersion | null = null;
  /** A write is on its way: what it led to is noted whoever came meanwhile. */
  hasLeft = false;

  constructor({ key, laneSeq }: HandRecord) {
    this.key = key;
    this.laneSeq = laneSeq;
  }

  /** Absent before the first look. */
  get fence(): Fence | undefined {
    return this.known === null ? undefined : { ...this.known, key: this.key };
  }

  /** What this hand made of a link: it is known so from now on, where it is its own. */
  left<T extends Link | null>(link: T): T {
    if (link?.key === this.key) this.known = versionOf(link);
    return link;
  }
}

/** What finds the link, or finds out which other one is the same deal. */
function linkCalls(ledger: Ledger, hand: Hand): Pick<Ledger, 'findLink' | 'resolveLink' | 'adopt'> {
  const fence = (): Fence | undefined => (hand.hasLeft ? undefined : hand.fence);
  return {
    findLink: async (tenant, asked) => {
      const link = await ledger.findLink(tenant, asked);
      if (link === null || asked !== hand.key || link.key !== hand.key) return link;
      if (hand.known !== null && !isSame(link, hand.known)) throw anotherHand();
      return hand.left(link);
    },
    resolveLink: async (tenant, ids, at) => {
      const resolved = await ledger.resolveLink(tenant, ids, at, fence()).catch(asStale);
      hand.left(resolved.link);
      return resolved;
    },
    adopt: async (tenant, ids, entry, by) =>
      hand.left(await ledger.adopt(tenant, ids, entry, { ...by, fence: fence() }).catch(asStale)),
  };
}

function workCalls(ledger: Ledger, hand: Hand): Pick<Ledger, 'savePlan' | 'settle' | 'markSent'> {
  return {
    savePlan: async (tenant, plan) => {
      const id = await ledger.savePlan(tenant, plan, hand.known ?? undefined).catch(asStale);
      if (hand.known !== null) hand.known = { ...hand.known, newestPlan: id };
      return id;
    },
    settle: async (tenant, settled, settlement) => {
      const isOutcome = settlement.planId !== undefined;
      const isOwn = settled === hand.key;
      const expected = isOwn && !isOutcome ? hand.known : null;
      const { laneSeq } = hand;
      const carried = isOwn && laneSeq !== undefined ? { ...settlement, laneSeq } : settlement;
      const fenced = expected === null ? carried : { ...carried, expected };
      const link = await ledger.settle(tenant, settled, fenced).catch(asStale);
      if (isOutcome) hand.hasLeft = false;
      return isOwn ? hand.left(link) : link;
    },
    markSent: async (tenant, planId, sending) => {
      const mayLeave = await ledger.markSent(tenant, planId, sending);
      hand.hasLeft ||= mayLeave;
      if (mayLeave && hand.known !== null) hand.known = { ...hand.known, updatedAt: sending.at };
      return mayLeave;
    },
  };
}

function versionOf({ updatedAt, newestPlan }: LinkVersion): LinkVersion {
  return newestPlan === undefined ? { updatedAt } : { updatedAt, newestPlan };
}

function isSame(one: LinkVersion, other: LinkVersion): boolean {
  return one.updatedAt === other.updatedAt && one.newestPlan === other.newestPlan;
}
