import { AUDIT_CURSOR, type AuditResult, type KeptAudit } from '../../domain/audit/audit-result.ts';
import type { Audits } from '../../intake/audits.ts';
import type { StreamLedger } from '../../ledger/streams/stream-ledger.ts';

export type AuditPorts = {
  readonly audits: Audits;
  readonly ledger: Pick<StreamLedger, 'cursor'>;
  /** Waits `ms` milliseconds. Returns false if the operator stops waiting (Ctrl-C). */
  readonly pause: (ms: number) => Promise<boolean>;
  /** Called with a message about the progress, each time the audit's state was read. */
  readonly progress: (text: string) => void;
};

export type AuditOrder = {
  readonly repairs: boolean;
  /** The maximum number of differing records that the audit queues for a sync; null for the default. */
  readonly cap: number | null;
};

/**
 * The answer of an audit command: the result of an audit, or why there is none. `under-way`: the operator stopped waiting. `stopped`: the
 * command ended the audit. `idle`: no audit was running. `none`: no audit has ended yet. `cut-short`: the audit ended early, for the given
 * reason.
 */
export type AuditAnswer =
  | AuditResult
  | {
      readonly shape: 'audit-state/1';
      readonly tenant: string;
      readonly state: 'under-way' | 'stopped' | 'idle' | 'none';
    }
  | {
      readonly shape: 'audit-state/1';
      readonly tenant: string;
      readonly state: 'cut-short';
      readonly reason: string;
    };

export class AuditUnderWay extends Error {
  override readonly name = 'AuditUnderWay';
}

const POLL_EVERY_MS = 1_000;

/** Audits all linked records of a tenant and waits for the result. Throws AuditUnderWay if an audit of the tenant is running. */
export async function runAudit(ports: AuditPorts, tenant: string, { repairs, cap }: AuditOrder): Promise<AuditAnswer> {
  const before = await lastAudit(ports.ledger, tenant);
  if (!(await ports.audits.start({ tenant, repairs, ...(cap === null ? {} : { cap }) })))
    throw new AuditUnderWay(
      `An audit of ${tenant} is under way. What it came to: lockstep audit --last --tenant ${tenant}; to end it: lockstep audit --stop --tenant ${tenant}`,
    );
  while (await ports.pause(POLL_EVERY_MS)) {
    const status = await ports.audits.status(tenant);
    if (status?.state === 'RUNNING') {
      if (status.progress !== null) ports.progress(progressText(status.progress));
      continue;
    }
    const result = await lastAudit(ports.ledger, tenant);
    if (result !== null && result.startedAt !== before?.startedAt) return result;
    const reason = CUT_SHORT[status?.state ?? ''] ?? 'see it in the Temporal UI';
    return { shape: 'audit-state/1', tenant, state: 'cut-short', reason };
  }
  return { shape: 'audit-state/1', tenant, state: 'under-way' };
}

const CUT_SHORT: Readonly<Record<string, string>> = {
  COMPLETED: 'the vendor or Salesforce is paused: lockstep status says which, and why',
  CANCELLED: 'it was stopped',
};

function progressText({
  phase,
  pairs,
  totals,
}: NonNullable<Awaited<ReturnType<Audits['status']>>>['progress'] & object): string {
  const { differing, asked } = totals;
  const calls = asked.vendorSearches + asked.vendorReads + asked.crmReads;
  return `audit: ${pairs} pairs, ${phase}, ${calls} calls, ${differing} differ so far`;
}

/** The result of a tenant's last complete audit; null if no audit was ever completed. */
export async function lastAudit(ledger: Pick<StreamLedger, 'cursor'>, tenant: string): Promise<AuditResult | null> {
  return ((await ledger.cursor(tenant, AUDIT_CURSOR)) as KeptAudit | null)?.last ?? null;
}

/** The result of the tenant's last complete audit; the state `none` if no audit was ever completed. */
export async function showLastAudit(ledger: Pick<StreamLedger, 'cursor'>, tenant: string): Promise<AuditAnswer> {
  return (await lastAudit(ledger, tenant)) ?? { shape: 'audit-state/1', tenant, state: 'none' };
}

export async function stopAudit(audits: Pick<Audits, 'stop'>, tenant: string): Promise<AuditAnswer> {
  return { shape: 'audit-state/1', tenant, state: (await audits.stop(tenant)) ? 'stopped' : 'idle' };
}

/** Whether an audit of the tenant is running, and the result of the last complete one (null if no audit was ever completed). */
export type AuditState = {
  readonly shape: 'audit-run/1';
  readonly tenant: string;
  readonly isRunning: boolean;
  /** The progress of the running audit; null if none runs, or if no worker answers. */
  readonly progress: {
    readonly phase: string;
    readonly startedAt: string;
    readonly pairs: number;
    readonly seen: number;
    readonly differing: number;
  } | null;
  readonly last: AuditResult | null;
};

export async function auditState(
  { audits, ledger }: Pick<AuditPorts, 'audits' | 'ledger'>,
  tenant: string,
): Promise<AuditState> {
  const [status, last] = await Promise.all([audits.status(tenant), lastAudit(ledger, tenant)]);
  const isRunning = status?.state === 'RUNNING';
  const found = isRunning ? (status?.progress ?? null) : null;
  return {
    ...{ shape: 'audit-run/1', tenant, isRunning, last },
    progress:
      found === null
        ? null
        : {
            ...{ phase: found.phase, startedAt: found.startedAt, pairs: found.pairs, seen: found.seen },
            differing: found.totals.differing,
          },
  };
}
