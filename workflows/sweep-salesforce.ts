import type { TenantInput } from './messages.ts';
import { reads } from './proxies.ts';

/** Looks through the CRM's changes since the cursor, stream by stream, and pokes what a lost webhook left behind. */
export async function sweepSalesforce({ tenant }: TenantInput): Promise<{ pages: number; found: number }> {
  let pages = 0;
  let found = 0;
  for (const stream of [
    'Opportunity',
    'OpportunityLineItem',
    'OpportunityContactRole',
    'Account',
    'Contact',
  ] as const) {
    let more = true;
    while (more) {
      const page = await reads.sweepStream.executeWithOptions({ summary: `changes of ${stream}` }, [
        { tenant, stream },
      ]);
      pages += 1;
      found += page.found;
      more = page.more;
    }
  }
  return { pages, found };
}
