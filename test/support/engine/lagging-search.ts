import type { PartnerApi } from '../../../src/partner-api/index.ts';
import type { Admin } from './http.ts';

/** The longest delay until a change at a story's vendor becomes visible: the overlap of its tenant. */
export const OVERLAP_MS = 300_000;

type Period = { readonly fromDate: string; readonly toDate: string };

/**
 * A vendor whose search shows a change only this long after its stamp, as a lagging index does; until then a search finds the record by its
 * former stamp. Reads show changes at once. Zero: no delay.
 */
export function withLaggingSearch(
  api: PartnerApi,
  vendor: Admin,
  { lagMs, readMs }: { readonly lagMs: number; readonly readMs: () => number },
): { readonly api: PartnerApi; readonly vendor: Admin } {
  if (lagMs === 0) return { api, vendor };
  const stamps = new Map<string, Set<string>>();

  /** Notes every change for the index. */
  async function note() {
    const rows = await vendor.list('leadOpportunity');
    for (const row of rows) {
      const id = String(row['id']);
      stamps.set(id, (stamps.get(id) ?? new Set()).add(String(row['modifiedDate'])));
    }
    return rows;
  }
  const isYoung = (stamp: unknown): boolean => Date.parse(String(stamp)) > readMs() - lagMs;
  const stampBefore = (id: string): string | undefined =>
    [...(stamps.get(id) ?? [])].filter((stamp) => !isYoung(stamp)).at(-1);

  const searchLeadOpportunities: PartnerApi['searchLeadOpportunities'] = async (input, options) => {
    const answer = await api.searchLeadOpportunities(input, options);
    const rows = await note();
    const [period] = input.data.flatMap((criterion) => ('modifiedDate' in criterion ? [criterion] : []));
    const [named] = input.data.flatMap((one) => ('partnerLeadOpportunityId' in one ? [one] : []));
    const stamp = period === undefined ? 'createdDate' : 'modifiedDate';
    const young = rows.filter((row) => isYoung(row[stamp]));
    const hidden = new Set(young.map((row) => row['id']));
    const isNamed = (reference: unknown): boolean =>
      named === undefined || [named.partnerLeadOpportunityId].flat().includes(String(reference));
    const stillThere = young
      .filter((row) => !isYoung(row['createdDate']) && isNamed(row['partnerLeadOpportunityId']))
      .map((row) => String(row['id']))
      .filter((id) => isWithin(stampBefore(id), period?.modifiedDate as Period | undefined));
    const [first, ...others] = answer.data.map((found) => ({
      ...found,
      dsLeadOpportunityId: found.dsLeadOpportunityId.filter((id) => !hidden.has(id)),
    }));
    const shown = { ...first, dsLeadOpportunityId: [...(first?.dsLeadOpportunityId ?? []), ...stillThere] };
    return { ...answer, data: [shown, ...others] };
  };
  const updateLeadOpportunity: PartnerApi['updateLeadOpportunity'] = async (...args) => {
    try {
      return await api.updateLeadOpportunity(...args);
    } finally {
      await note();
    }
  };
  const edit: Admin['edit'] = async (...args) => {
    const edited = await vendor.edit(...args);
    await note();
    return edited;
  };
  return {
    api: { ...api, searchLeadOpportunities, updateLeadOpportunity },
    vendor: { ...vendor, edit },
  };
}

function isWithin(stamp: string | undefined, period: Period | undefined): boolean {
  if (period === undefined) return false;
  const { fromDate, toDate } = period;
  const ms = Date.parse(String(stamp));
  return ms >= Date.parse(fromDate) && ms <= Date.parse(toDate);
}
