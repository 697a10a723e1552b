import { isOpen } from '../../domain/record/issue.ts';
import type { LinkState } from '../../domain/record/link-state.ts';
import type { LinkIds, LinkLedger } from '../../ledger/links/link-ledger.ts';
import type { PauseLedger } from '../../ledger/quota/quota-ledger.ts';

/**
 * The state of a record after a command waited for its sync. If the sync has ended, `waitsFor` contains the messages of the record's open
 * issues. If it has not ended, `waitsFor` contains the tenant's pauses, which may be the reason.
 */
export type RecordOutcome =
  | { readonly ended: true; readonly state: LinkState; readonly waitsFor: readonly string[] }
  | { readonly ended: false; readonly waitsFor: readonly string[] };

type Ports = {
  readonly ledger: Pick<LinkLedger, 'findLinkByIds'> & Pick<PauseLedger, 'pauses'>;
  readonly pause: (ms: number) => Promise<void>;
};

const POLL_EVERY_MS = 250;

/**
 * Waits until all records in `wanted` are synced, or until `waitMs` have passed. Returns the records' states, by the key that each record
 * has in `wanted`; empty if `waitMs` is 0.
 */
export async function whenSettled(
  ports: Ports,
  tenant: string,
  wanted: ReadonlyMap<string, LinkIds>,
  waitMs: number,
): Promise<ReadonlyMap<string, RecordOutcome>> {
  const outcomes = new Map<string, RecordOutcome>();
  for (let waitedMs = 0; waitedMs < waitMs && outcomes.size < wanted.size; waitedMs += POLL_EVERY_MS) {
    await ports.pause(POLL_EVERY_MS);
    for (const [id, ids] of wanted) {
      const outcome = outcomes.has(id) ? null : await ended(ports, tenant, ids);
      if (outcome !== null) outcomes.set(id, outcome);
    }
  }
  if (waitMs === 0 || outcomes.size === wanted.size) return outcomes;
  const pauses = await ports.ledger.pauses(tenant);
  const waitsFor = pauses.map(({ group, reason }) => `${group} is paused: ${reason}`);
  for (const id of wanted.keys()) if (!outcomes.has(id)) outcomes.set(id, { ended: false, waitsFor });
  return outcomes;
}

async function ended({ ledger }: Ports, tenant: string, ids: LinkIds): Promise<RecordOutcome | null> {
  const link = await ledger.findLinkByIds(tenant, ids);
  if (link === null || link.observedGeneration !== link.generation) return null;
  const waitsFor = link.issues.filter(isOpen).map(({ message }) => message);
  return { ended: true, state: link.state, waitsFor };
}
