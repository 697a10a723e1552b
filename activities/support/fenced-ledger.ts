import type { Link } from '../../src/domain/record/link.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Fence, LinkLedger, LinkVersion } from '../../src/ledger/links/link-ledger.ts';
import type { PlanLedger } from '../../src/ledger/plans/plan-ledger.ts';
import { asStale, staleWriter } from './stale-writer.ts';

/** The record that a hand works at; `laneGeneration` where the lane carries it. */
export type WriterRecord = { readonly key: string; readonly laneGeneration?: number };

/**
 * A ledger for one writer, which works at one record: an activity of the record's own workflow, or the lane, which carries it from its
 * first look to its last step. From that look on nobody else may have settled or planned anything of the link, or the step fails as
 * STALE before anything is decided, sent or taken back: a worker that stood still in the middle, and was taken for dead, goes on with
 * what it has read. The outcome of a write that has left is noted in any case.
 */
export function fencedLedger(ledger: Ledger, record: WriterRecord): Ledger {
  const writer = new Writer(record);
  return { ...ledger, ...linkCalls(ledger, writer), ...workCalls(ledger, writer) };
}

/** How the link was when its writer saw it last, or left it. */
class Writer {
  readonly key: string;
  readonly laneGeneration: number | undefined;
  known: LinkVersion | null = null;
  /** A write is on its way: what it led to is noted whoever came meanwhile. */
  hasLeft = false;

  constructor({ key, laneGeneration }: WriterRecord) {
    this.key = key;
    this.laneGeneration = laneGeneration;
  }

  /** Absent before the first look. */
  get fence(): Fence | undefined {
    return this.known === null ? undefined : { ...this.known, key: this.key };
  }

  /** What this writer made of a link: it is known so from now on, where it is its own. */
  left<T extends Link | null>(link: T): T {
    if (link?.key === this.key) this.known = versionOf(link);
    return link;
  }
}

/** What finds the link, or finds out which other one is the same deal. */
function linkCalls(ledger: Ledger, writer: Writer): Pick<LinkLedger, 'findLink' | 'resolveLink' | 'adopt'> {
  const fence = (): Fence | undefined => (writer.hasLeft ? undefined : writer.fence);
  return {
    findLink: async (tenant, asked) => {
      const link = await ledger.findLink(tenant, asked);
      if (link === null || asked !== writer.key || link.key !== writer.key) return link;
      if (writer.known !== null && !isSame(link, writer.known)) throw staleWriter();
      return writer.left(link);
    },
    resolveLink: async (tenant, ids, at) => {
      const resolved = await ledger.resolveLink(tenant, ids, at, fence()).catch(asStale);
      writer.left(resolved.link);
      return resolved;
    },
    adopt: async (tenant, ids, entry, by) =>
      writer.left(await ledger.adopt(tenant, ids, entry, { ...by, fence: fence() }).catch(asStale)),
  };
}

function workCalls(ledger: Ledger, writer: Writer): Pick<PlanLedger, 'savePlan' | 'settle' | 'markSent'> {
  return {
    savePlan: async (tenant, plan) => {
      const id = await ledger.savePlan(tenant, plan, writer.known ?? undefined).catch(asStale);
      if (writer.known !== null) writer.known = { ...writer.known, newestPlan: id };
      return id;
    },
    settle: async (tenant, settled, settlement) => {
      const isOutcome = settlement.planId !== undefined;
      const isOwn = settled === writer.key;
      const expected = isOwn && !isOutcome ? writer.known : null;
      const { laneGeneration } = writer;
      const carried = isOwn && laneGeneration !== undefined ? { ...settlement, laneGeneration } : settlement;
      const fenced = expected === null ? carried : { ...carried, expected };
      const link = await ledger.settle(tenant, settled, fenced).catch(asStale);
      if (isOutcome) writer.hasLeft = false;
      return isOwn ? writer.left(link) : link;
    },
    markSent: async (tenant, planId, sending) => {
      const mayLeave = await ledger.markSent(tenant, planId, sending);
      writer.hasLeft ||= mayLeave;
      if (mayLeave && writer.known !== null) writer.known = { ...writer.known, updatedAt: sending.at };
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
