import { referenceKind } from '../../src/domain/record/reference.ts';
import type { RowOf } from '../../src/domain/streams/streams.ts';
import { foundIds } from '../../src/partner-api/index.ts';
import { askVendor } from './ask-vendor.ts';
import { type ChangedOpportunity, dueOpportunities } from './due-opportunities.ts';
import { type ChangeStream, readInto, type StreamOf, type StreamSource } from './stream.ts';

/** Where the round stands: after this key; empty at its begin. */
type RoundCursor = { readonly after: string };

/** Records of one search; the vendor's documents show no limit of a request, so it stays small (sales spec 8). */
const PAGE_RECORDS = 100;

/**
 * Goes through the linked records, again and again, by one search a page: no search for changes tells that a record is
 * gone. What is not found is looked at as a change of the vendor's, and so is what is found again.
 */
export const linkedVendorRecords: StreamSource<'checkVendorRecords'> = (stream) => {
  const { deps, runtime } = stream;
  const { tenant } = runtime.tenant;
  const round: ChangeStream<RoundCursor, ChangedOpportunity> = {
    first: () => ({ after: '' }),
    readPage: async ({ after }) => {
      const links = await deps.ledger.linkedPairs(tenant, after, PAGE_RECORDS);
      // One that carries no reference cannot be searched: it shows at its next look.
      const named = links.flatMap((link) => (link.reference ? [{ ...link, reference: link.reference }] : []));
      const found = named.length === 0 ? new Set() : await search(stream, named);
      const otherwise = named.filter(
        ({ vendorId, state }) => found.has(vendorId) === (state === 'vendor-missing'),
      );
      const isLast = links.length < PAGE_RECORDS;
      return {
        items: otherwise.map(({ vendorId }) => ({ opportunity: { vendorId } })),
        cursor: { after: isLast ? '' : (links.at(-1)?.key ?? '') },
        // The next page is the next run's.
        more: false,
      };
    },
  };
  return readInto(stream, [round], dueOpportunities(deps, tenant, 'vendor'));
};

/** Which of the records the vendor shows; an opportunity's id stands there in one of the two forms in which people write it. */
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
  return referenceKind(reference) === 'ours' ? [reference, reference.slice(0, 15)] : [reference];
}
