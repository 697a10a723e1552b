import type { PartnerApi } from '../../../src/partner-api/index.ts';
import type { Admin } from './http.ts';

/** How late a change may become visible at the vendor of a story: the overlap of its tenant. */
export const OVERLAP_MS = 300_000;

/**
 * A vendor whose search shows a change only so long after its stamp, as an index that lags does; reads show it at once.
 * Zero is a search that shows all.
 */
export function withLaggingSearch(
  api: PartnerApi,
  vendor: Admin,
  { lagMs, readMs }: { readonly lagMs: number; readonly readMs: () => number },
): PartnerApi {
  if (lagMs === 0) return api;
  const searchLeadOpportunities: PartnerApi['searchLeadOpportunities'] = async (input, options) => {
    const answer = await api.searchLeadOpportunities(input, options);
    const isByPeriod = input.data.some((criterion) => 'modifiedDate' in criterion);
    const rows = await vendor.list('leadOpportunity');
    const young = new Set(
      rows
        .filter(
          (row) => Date.parse(String(row[isByPeriod ? 'modifiedDate' : 'createdDate'])) > readMs() - lagMs,
        )
        .map((row) => row['id']),
    );
    const data = answer.data.map((found) => ({
      ...found,
      dsLeadOpportunityId: found.dsLeadOpportunityId.filter((id) => !young.has(id)),
    }));
    return { ...answer, data };
  };
  return { ...api, searchLeadOpportunities };
}
