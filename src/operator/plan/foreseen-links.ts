import type { Link } from '../../domain/record/link.ts';
import type { WaitingRecord } from '../../ledger/links/link-ledger.ts';
import type { ObservedDeal, ObservePorts } from '../../observe/observe-deal.ts';
import { unseenLink } from '../../observe/unseen-link.ts';

/**
 * A view of the ledger (Lockstep's database) in which all records planned so far count as synced: it knows which pairs would be linked, and
 * which vendor records would wait. Later records of the plan are decided on this view. Nothing is stored.
 */
export type ForeseenLinks = {
  readonly ledger: ObservePorts['ledger'];
  /**
   * Adds one planned deal to this view. If an id proves that its two records belong together, they count as linked from then on. If the
   * opportunity is uncertain, the vendor record counts as waiting for each opportunity that may be its partner. A match only by the
   * tenant's matching keys (such as customer and name) also counts as waiting, until `claimed` decides about it. Keeps only ids.
   */
  readonly note: (deal: ObservedDeal) => void;
  /**
   * Links a vendor record with an opportunity in this view, unless another vendor record may belong to the opportunity. The two match only
   * by the tenant's matching keys (such as customer and name), so the result depends on all other vendor records. `alone`: no other vendor
   * record matches, and the pair counts as linked from then on. `contested`: other vendor records match too. `taken`: the opportunity
   * already counts as linked with another vendor record, for example by an id that one of the two contains. The last two change nothing in
   * the view.
   */
  readonly claimed: (crmId: string, vendorId: string) => 'alone' | 'contested' | 'taken';
};

/**
 * Makes a view of the ledger, at first without planned deals. The plan adds each deal that it has decided, so that later decisions treat
 * the deal as synced. `now`: returns the present instant, ISO.
 */
export function foreseenLinks(ledger: ObservePorts['ledger'], now: () => string): ForeseenLinks {
  const pairs = new Map<string, string>();
  const waiting = new Map<string, readonly WaitingRecord[]>();
  const wait = (candidate: string, record: WaitingRecord): void =>
    void waiting.set(candidate, [...(waiting.get(candidate) ?? []), record]);
  return {
    note: ({ link, plan, proof }) => {
      const { crmId, vendorId } = link;
      if (vendorId === null) return;
      // A match by keys is only noted as possible, because a later record of the plan may have equal keys.
      if (crmId !== null && proof === 'keys') wait(crmId, { vendorId, rivals: [] });
      else if (crmId !== null && proof !== null) pairs.set(crmId, vendorId);
      if (crmId !== null) return;
      for (const { code, candidates = [] } of plan.issues) {
        const rivals = code === 'several-candidates' ? candidates : [];
        const isClaimed = code === 'unproven-claim' ? ({ isClaimed: true } as const) : {};
        const record = { vendorId, rivals, ...isClaimed };
        for (const candidate of candidates) wait(candidate, record);
      }
    },
    claimed: (crmId, vendorId) => {
      const owner = pairs.get(crmId);
      if (owner !== undefined && owner !== vendorId) return 'taken';
      if ((waiting.get(crmId) ?? []).some((other) => other.vendorId !== vendorId)) return 'contested';
      waiting.delete(crmId);
      pairs.set(crmId, vendorId);
      return 'alone';
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
          const each = new Map(all.map((record) => [record.vendorId, record]));
          if (all.length > 0) known.set(crmId, [...each.values()]);
        }
        return known;
      },
    },
  };
}

function paired(link: Link, vendorId: string): Link {
  return { ...link, vendorId };
}
