import { schemaFor } from '../../src/observe/mapping/judge-mapping.ts';
import { afterLook, type OrgWatch } from '../../src/observe/mapping/org-watch.ts';
import type { StreamSource } from './stream.ts';

/** Stores how the org's description of mapped fields changed, and its mismatches with the mapping, as the stream's cursor. */
export const watchedOrg: StreamSource<'watchOrg'> = ({ name, deps, runtime: { crm, tenant } }) => ({
  cursors: [name],
  read: async (_, [before = null]) => {
    const now = deps.now();
    const after = afterLook(before as OrgWatch | null, await schemaFor(crm, tenant.mapping), tenant, now);
    await deps.ledger.saveCursor(tenant.tenant, name, after, now);
    return { found: after.changes.filter(({ at }) => at === now).length, more: false };
  },
});
