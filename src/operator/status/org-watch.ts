import { cursorOf, type StreamName } from '../../domain/streams/streams.ts';
import type { StreamLedger } from '../../ledger/streams/stream-ledger.ts';
import type { OrgWatch } from '../../observe/mapping/org-watch.ts';

const STREAM: StreamName = 'watchOrg';

/**
 * The result of the last check of a tenant's org: changes of the org within the last week, and points in which it does not fit the mapping.
 * Null before the first check.
 */
export async function readOrg(
  ledger: Pick<StreamLedger, 'cursor'>,
  tenant: string,
): Promise<Pick<OrgWatch, 'changes' | 'problems'> | null> {
  const watch = (await ledger.cursor(tenant, cursorOf(STREAM))) as OrgWatch | null;
  return watch === null ? null : { changes: watch.changes, problems: watch.problems };
}
