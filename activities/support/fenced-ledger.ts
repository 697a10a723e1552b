import { randomUUID } from 'node:crypto';
import type { Link } from '../../src/domain/record/link.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Fence, LinkLedger, LinkVersion } from '../../src/ledger/links/link-ledger.ts';
import type { NewPlan, PlanLedger, StoredPlan } from '../../src/ledger/plans/plan-ledger.ts';
import { asStale, staleWriter } from './stale-writer.ts';

/**
 * The record that a writer (one activity, or the lane) works on. `laneGeneration`: set only if the writer is the lane, the workflow for
 * many records. `spentPlan`: the id of the record's newest plan (stored decision) if its outcome was known when the lane began, otherwise
 * null. Without a known outcome, another writer may still send that plan.
 */
export type WriterRecord = {
  readonly key: string;
  readonly laneGeneration?: number;
  readonly spentPlan?: string | null;
};

/**
 * Gives one writer (an activity, or the lane, the workflow for many records) access to the ledger (Lockstep's database) for its work on one
 * record. If another writer has changed the record's link (its row in the ledger) since this writer's first read, each call about the
 * record fails as STALE, so a stalled writer does no harm. The outcome of a write that was already sent is stored in any case.
 *
 * The lane runs all steps of a record in one process. The plan (decision) of an update can therefore stay in memory between the decision
 * and the write. The lane stores the plan when it sends the update, and the ledger then checks the link too.
 */
export function fencedLedger(ledger: Ledger, record: WriterRecord): Ledger {
  const writer = new Writer(record);
  return { ...ledger, ...linkCalls(ledger, writer), ...workCalls(ledger, writer) };
}

/**
 * A plan (a decision with the values to send) in the form in which the ledger (Lockstep's database) will store it. It is not stored yet.
 */
type HeldPlan = Omit<StoredPlan, 'plan'> & Pick<NewPlan, 'plan'>;

/**
 * One writer (an activity or a lane) of a record. `known`: the version of the record's link (its row in Lockstep's database) that the
 * writer last read or wrote.
 */
class Writer {
  readonly key: string;
  readonly laneGeneration: number | undefined;
  known: LinkVersion | null = null;
  /**
   * Whether the writer has sent a write of the record whose outcome is not stored yet. The outcome is then stored even if another writer
   * has changed the record's link (its row in Lockstep's database) since.
   */
  hasLeft = false;
  /**
   * The record's newest plan (a decision with the values to send) while only the writer's memory has it; otherwise null. A lane stores such
   * a plan only when it sends the plan's write, because one statement can store both facts.
   */
  heldPlan: HeldPlan | null = null;
  /**
   * The id of a plan (stored decision) of the record whose outcome is known; null if there is none. Such a plan is never sent again, and
   * the ledger (Lockstep's database) lets only a record's newest plan be sent. So if this plan is the newest in the ledger, no other writer
   * can send a plan. The lane then need not store its next plan at once, but may keep it in memory.
   */
  spentPlan: string | null;

  constructor({ key, laneGeneration, spentPlan = null }: WriterRecord) {
    this.key = key;
    this.laneGeneration = laneGeneration;
    this.spentPlan = spentPlan;
  }

  /**
   * The version that the record's link (its row in the ledger, Lockstep's database) must still have at the next write; otherwise the ledger
   * refuses the write. Absent before the first read.
   */
  get fence(): Fence | undefined {
    return this.known === null ? undefined : { ...this.known, key: this.key };
  }

  /**
   * Remembers the version of a link (a record's row in Lockstep's database) that was read or written, if it is the link of the writer's
   * record. Returns the link. If the writer keeps a plan (a decision) in memory, the returned link names this plan as its newest.
   */
  left(link: Link): Link {
    if (link.key !== this.key) return link;
    this.known = versionOf(link);
    return this.heldPlan === null ? link : { ...link, newestPlan: this.heldPlan.id };
  }

  /**
   * Keeps the plan (decision) of an update or a vendor read in memory if the writer is a lane, and returns the plan's id. Null if the plan
   * must be stored at once. For example, another writer may have an older plan that it can still send. Storing the new plan stops that
   * writer, because the ledger (Lockstep's database) lets only a record's newest plan be sent.
   */
  hold(tenant: string, plan: NewPlan): string | null {
    this.heldPlan = null;
    if (this.laneGeneration === undefined || this.known === null || !HELD.has(plan.plan.next)) return null;
    if (this.known.newestPlan !== undefined && this.known.newestPlan !== this.spentPlan) return null;
    this.heldPlan = { ...plan, id: randomUUID(), tenant, sentAt: null, outcome: null };
    return this.heldPlan.id;
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
      return { ...resolved, link: writer.left(resolved.link) };
    },
    adopt: async (tenant, ids, entry, by) => {
      const link = await ledger.adopt(tenant, ids, entry, { ...by, fence: fence() }).catch(asStale);
      return link === null ? null : writer.left(link);
    },
  };
}

/**
 * The kinds of plans (decisions) that a lane, the workflow for many records, keeps in memory at first: vendor reads, and updates of the
 * vendor's or the CRM's record. This is safe, because the ledger (Lockstep's database) lets an update be sent only if no other writer has
 * changed the record's link. The plan of a create is stored at once. Besides, two writers cannot create two records: a create carries the
 * record id of the other side, and a second record with that id is refused.
 */
const HELD: ReadonlySet<string> = new Set(['read-vendor', 'update-at-vendor', 'write-crm']);

function workCalls(ledger: Ledger, writer: Writer): Pick<PlanLedger, 'savePlan' | 'loadPlan' | 'settle' | 'markSent'> {
  return {
    savePlan: async (tenant, plan) => {
      const held = writer.hold(tenant, plan);
      if (held !== null) return held;
      const id = await ledger.savePlan(tenant, plan, writer.known ?? undefined).catch(asStale);
      if (writer.known !== null) writer.known = { ...writer.known, newestPlan: id };
      return id;
    },
    loadPlan: async (tenant, planId) =>
      writer.heldPlan?.id === planId ? writer.heldPlan : ledger.loadPlan(tenant, planId),
    settle: async (tenant, settled, settlement) => {
      if (settled === writer.key && settlement.plansNothing === true) writer.heldPlan = null;
      const isOutcome = settlement.planId !== undefined;
      const isOwn = settled === writer.key;
      const expected = isOwn && !isOutcome ? writer.known : null;
      const { laneGeneration } = writer;
      const carried = isOwn && laneGeneration !== undefined ? { ...settlement, laneGeneration } : settlement;
      const fenced = expected === null ? carried : { ...carried, expected };
      const link = await ledger.settle(tenant, settled, fenced).catch(asStale);
      if (isOutcome) writer.hasLeft = false;
      if (isOutcome && isOwn) writer.spentPlan = settlement.planId;
      return isOwn ? writer.left(link) : link;
    },
    markSent: async (tenant, planId, sending) => {
      const { heldPlan, known } = writer;
      const isHeld = heldPlan !== null && heldPlan.id === planId && known !== null;
      const mayLeave = isHeld
        ? await ledger.sendPlan(tenant, { id: planId, plan: heldPlan, sending, expected: known })
        : await ledger.markSent(tenant, planId, known === null ? sending : { ...sending, version: known.version });
      if (isHeld) writer.heldPlan = null;
      writer.hasLeft ||= mayLeave;
      if (mayLeave && known !== null)
        writer.known = { ...known, version: known.version + 1, ...(isHeld && { newestPlan: planId }) };
      return mayLeave;
    },
  };
}

function versionOf({ version, newestPlan }: LinkVersion): LinkVersion {
  return newestPlan === undefined ? { version } : { version, newestPlan };
}

function isSame(one: LinkVersion, other: LinkVersion): boolean {
  return one.version === other.version && one.newestPlan === other.newestPlan;
}
