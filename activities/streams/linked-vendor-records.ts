import { toDealId } from '../../src/domain/record/salesforce-id.ts';
import type { RowOf } from '../../src/domain/streams/streams.ts';
import { foundIds } from '../../src/partner-api/index.ts';
import { askVendor } from './ask-vendor.ts';
import { type ChangedOpportunity, dueOpportunities } from './due-opportunities.ts';
import { type ChangeStream, readInto, type StreamOf, type StreamSource } from './stream.ts';

/**
 * The position in a pass through all linked records. `after`: the key of the record that was searched last; empty at the start of a pass.
 */
type RoundCursor = { readonly after: string };

/** How many records one search names. The vendor's documents show no limit, so the number is small (sales spec 8). */
const PAGE_RECORDS = 100;

/**
 * Searches the vendor for all linked records, page by page, again and again. Finds records that have disappeared at the vendor, and
 * disappeared records that are there again. The searches for changes show neither. Marks these records as due (to be synced), then syncs
 * them in this activity or wakes (signals or starts) their workflows.
 */
export const linkedVendorRecords: StreamSource<'checkVendorRecords'> = (stream) => {
  const { deps, runtime } = stream;
  const { tenant } = runtime.tenant;
  const round: ChangeStream<RoundCursor, ChangedOpportunity> = {
    first: () => ({ after: '' }),
    readPage: async ({ after }) => {
      const links = await deps.ledger.linkedPairs(tenant, after, PAGE_RECORDS);
      // A record without a reference cannot be searched. Its next read shows whether it exists.
      const named = links.flatMap((link) => (link.reference ? [{ ...link, reference: link.reference }] : []));
      const found = named.length === 0 ? new Set() : await search(stream, named);
      const otherwise = named.filter(({ vendorId, state }) => found.has(vendorId) === (state === 'vendor-missing'));
      const isLast = links.length < PAGE_RECORDS;
      return {
        items: otherwise.map(({ vendorId }) => ({ opportunity: { vendorId } })),
        cursor: { after: isLast ? '' : (links.at(-1)?.key ?? '') },
        // The next run reads the next page.
        more: false,
      };
    },
  };
  return readInto(stream, [round], dueOpportunities(deps, tenant, 'vendor'));
};

/**
 * Ids of the given records that a vendor search finds. Searches each partner reference in both forms of a Salesforce id (18 and 15
 * characters), because vendor users may have entered either.
 */
async function search(
  stream: StreamOf<RowOf<'checkVendorRecords'>>,
  records: readonly { readonly reference: string }[],
): Promise<ReadonlySet<string>> {
  const partnerLeadOpportunityId = [...new Set(records.flatMap(({ reference }) => spellings(reference)))];
  const answer = await askVendor(stream, (vendor, options) =>
    vendor.searchLeadOpportunities({ data: [{ partnerLeadOpportunityId }] }, options),
  );
  return new Set(foundIds(answer.data));
}

function spellings(reference: string): readonly string[] {
  return toDealId(reference) !== null ? [reference, reference.slice(0, 15)] : [reference];
}
