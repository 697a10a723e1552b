import type { Link } from '../../domain/record/link.ts';
import type { Look, LookPorts } from '../../observe/look.ts';
import { unseenLink } from '../../observe/unseen-link.ts';

/** The ledger as it would be once what was planned so far is done: pairs that would be linked, and records that would wait. */
export type ForeseenLinks = {
  readonly ledger: LookPorts['ledger'];
  /** Takes in what was planned for one deal; ids alone are kept of it. */
  readonly note: (look: Look) => void;
};

/** Nothing is foreseen yet; `now` is an ISO instant. */
export function foreseenLinks(ledger: LookPorts['ledger'], now: () => string): ForeseenLinks {
  const pairs = new Map<string, string>();
  const waiting = new Map<string, readonly string[]>();
  return {
    note: ({ link, plan, proof }) => {
      const { crmId, vendorId } = link;
      if (vendorId === null) return;
      if (crmId !== null && proof !== null) pairs.set(crmId, vendorId);
      if (crmId !== null) return;
      for (const candidate of plan.issues.flatMap(({ candidates = [] }) => candidates))
        waiting.set(candidate, [...(waiting.get(candidate) ?? []), vendorId]);
    },
    ledger: {
      findLinkByIds: async (tenant, ids) => {
        const known = await ledger.findLinkByIds(tenant, ids);
        const vendorId = ids.crmId === undefined ? undefined : pairs.get(ids.crmId);
        if (ids.crmId === undefined || vendorId === undefined || known?.vendorId) return known;
        return paired(known ?? unseenLink(tenant, { crmId: ids.crmId, vendorId }, now()), vendorId);
      },
      barredFrom: (tenant, side) => ledger.barredFrom(tenant, side),
      waitingFor: async (tenant, crmIds) => {
        const known = new Map(await ledger.waitingFor(tenant, crmIds));
        for (const crmId of crmIds) {
          const all = [...(known.get(crmId) ?? []), ...(waiting.get(crmId) ?? [])];
          if (all.length > 0) known.set(crmId, [...new Set(all)]);
        }
        return known;
      },
    },
  };
}

function paired(link: Link, vendorId: string): Link {
  return { ...link, vendorId };
}
