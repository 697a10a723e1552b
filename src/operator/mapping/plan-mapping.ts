import type { MappingConfig } from '../../domain/record/mapping-config.ts';
import { checkedReads } from '../plan/checked-reads.ts';
import { makePlan, type PlanPorts } from '../plan/make-plan.ts';
import { counted, NO_RECORDS, type PlanTotals } from '../plan/plan-totals.ts';

/**
 * How a new mapping would change what a sync does with the deals that changed in the CRM or at the vendor since an instant. Contains counts
 * only.
 */
export type MappingPlanned = {
  readonly shape: 'mapping-plan/1';
  readonly tenant: string;
  readonly since: string;
  /**
   * Whether all records were planned. False if the time limit ended the plan early; the command `lockstep plan --mapping` has no time
   * limit.
   */
  readonly isComplete: boolean;
  /** Numbers of the records that a sync would treat differently under the new mapping than under the present one, by action. */
  readonly totals: PlanTotals;
};

/** Ends a plan whose time limit has passed. Thrown before the plan's next read or wait. */
class TimeIsOver extends Error {
  override readonly name = 'TimeIsOver';
}

/**
 * Makes a dry run (plan) with a draft of the mapping, and counts the records that the draft would treat differently from the present
 * mapping. After `longestMs` milliseconds, the plan ends, and the result contains the records planned so far. Throws the errors of the
 * remote systems.
 */
export async function planMapping(
  ports: Omit<PlanPorts, 'emit'>,
  tenant: Parameters<typeof makePlan>[1],
  draft: MappingConfig,
  { since, longestMs }: { readonly since: string; readonly longestMs: number },
): Promise<MappingPlanned> {
  const endsAt = Date.parse(ports.now()) + longestMs;
  const check = (laterMs = 0): void => {
    if (Date.parse(ports.now()) + laterMs >= endsAt) throw new TimeIsOver('The time of the plan is over.');
  };
  let totals: PlanTotals = NO_RECORDS;
  const own: PlanPorts = {
    ...ports,
    remotes: checkedReads(ports.remotes, check),
    emit: (record) => {
      totals = counted(totals, record);
    },
    pause: async (ms) => {
      check(ms);
      await ports.pause(ms);
    },
  };
  const of = { shape: 'mapping-plan/1', tenant: tenant.tenant, since } as const;
  try {
    await makePlan(own, tenant, { since, mapping: draft });
    return { ...of, isComplete: true, totals };
  } catch (error) {
    if (!(error instanceof TimeIsOver)) throw error;
    return { ...of, isComplete: false, totals };
  }
}
