import type { TenantInput } from './messages.ts';
import { outageReported } from './outage.ts';
import { sweeps } from './proxies.ts';

/** Looks through the CRM's changes since the cursor, and wakes what a lost webhook left behind. */
export async function sweepSalesforce({ tenant }: TenantInput): Promise<{ found: number } | null> {
  return outageReported(tenant, async () => {
    let found = 0;
    let more = true;
    while (more) {
      const part = await sweeps.sweepChanges.executeWithOptions({ summary: 'changes since the cursor' }, [
        { tenant },
      ]);
      found += part.found;
      more = part.more;
    }
    return { found };
  });
}
