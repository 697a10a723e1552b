import { schemaFor } from '../../src/observe/mapping/judge-mapping.ts';
import { afterLook, type OrgWatch } from '../../src/observe/mapping/org-watch.ts';
import type { StreamSource } from './stream.ts';

/**
 * Looks at how the org describes what the mapping touches, and keeps what changed since the last look and what does not go with
 * the mapping: it is told before a write fails on it. What is kept is the stream's cursor.
 */
export const watchedOrg: StreamSource<'watchOrg'> =
  ({ name, deps, runtime: { crm, tenant } }) =>
  async () => {
    const before = (await deps.ledger.cursor(tenant.tenant, name)) as OrgWatch | null;
    const now = deps.now();
    const after = afterLook(before, await schemaFor(crm, tenant.mapping), tenant, now);
    await deps.ledger.saveCursor(tenant.tenant, name, after, now);
    return { found: after.changes.filter(({ at }) => at === now).length, more: false };
  };
