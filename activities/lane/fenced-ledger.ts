import type { Ledger, LinkVersion, Settlement } from '../../src/ledger/ledger.ts';
import { LedgerError } from '../../src/ledger/ledger-error.ts';
import { failure } from '../support/to-failure.ts';

type Calls = Pick<Ledger, 'findLink' | 'savePlan' | 'settle' | 'markSent'>;

/**
 * A ledger for one hand that carries one record from its first look to its last step: from that look on nobody else may have settled
 * or planned anything of the link, or the step fails as STALE before anything is decided or sent. A worker that stood still in the
 * middle, and was taken for dead, goes on with what it has read; its own workflow would never hear of what came of that, but the
 * lane goes on by itself. The outcome of a write that has left is noted in any case.
 */
export function fencedLedger(ledger: Ledger, key: string): Ledger {
  let known: LinkVersion | null = null;
  const isMine = (other: string): boolean => other === key;
  const calls: Calls = {
    findLink: async (tenant, asked) => {
      const link = await ledger.findLink(tenant, asked);
      if (link === null || !isMine(asked) || !isMine(link.key)) return link;
      if (known !== null && !isSame(link, known)) throw another();
      known = link;
      return link;
    },
    savePlan: async (tenant, plan) => {
      const id = await ledger.savePlan(tenant, plan, known ?? undefined).catch(asStale);
      if (known !== null) known = { ...known, newestPlan: id };
      return id;
    },
    settle: async (tenant, settled, settlement) => {
      const isFenced = isMine(settled) && known !== null && settlement.planId === undefined;
      const fenced: Settlement = isFenced ? { ...settlement, expected: known as LinkVersion } : settlement;
      const link = await ledger.settle(tenant, settled, fenced).catch(asStale);
      if (isMine(settled) && isMine(link.key)) known = link;
      return link;
    },
    markSent: async (tenant, planId, sending) => {
      const mayLeave = await ledger.markSent(tenant, planId, sending);
      if (mayLeave && known !== null && sending.uncertain !== null)
        known = { ...known, updatedAt: sending.at };
      return mayLeave;
    },
  };
  return { ...ledger, ...calls };
}

function isSame(one: LinkVersion, other: LinkVersion): boolean {
  return one.updatedAt === other.updatedAt && one.newestPlan === other.newestPlan;
}

function another(): Error {
  return failure('STALE', 'another hand has looked at the record meanwhile');
}

function asStale(error: unknown): never {
  throw error instanceof LedgerError && error.code === 'CHANGED' ? another() : error;
}
