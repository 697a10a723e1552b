import type { Link } from '../../src/domain/record/link.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Fence, LinkLedger, LinkVersion } from '../../src/ledger/links/link-ledger.ts';
import type { PlanLedger } from '../../src/ledger/plans/plan-ledger.ts';
import { asStale, staleWriter } from './stale-writer.ts';

/**
 * The record that a writer (one activity, or the lane) works on. `laneGeneration`: set if the writer is the lane, the workflow for many
 * records.
 */
export type WriterRecord = { readonly key: string; readonly laneGeneration?: number };

/**
 * A ledger that fences one writer (an activity or a lane) on one record. If another writer has changed the link since the first read, each
 * call fails as STALE, so a stalled writer can do no harm. Only the outcome of a write that was already sent is always stored.
 */
export function fencedLedger(ledger: Ledger, record: WriterRecord): Ledger {
  const writer = new Writer(record);
  return { ...ledger, ...linkCalls(ledger, writer), ...workCalls(ledger, writer) };
}

/** One writer on a record. `known`: the version of the link that the writer last read or wrote. */
class Writer {
  readonly key: string;
  readonly laneGeneration: number | undefined;
  known: LinkVersion | null = null;
  /** Whether the write of the record was sent. Then its outcome is stored even if another writer intervened. */
  hasLeft = false;

  constructor({ key, laneGeneration }: WriterRecord) {
    this.key = key;
    this.laneGeneration = laneGeneration;
  }

  /** The version of the link that the next write requires. Absent before the first read. */
  get fence(): Fence | undefined {
    return this.known === null ? undefined : { ...this.known, key: this.key };
  }

  /** Remembers the version of the returned link, if it is the writer's own link. Returns the link unchanged. */
  left<T extends Link | null>(link: T): T {
    if (link?.key === this.key) this.known = versionOf(link);
    return link;
  }
}

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
