import { randomUUID } from 'node:crypto';
import type { ActionLedger } from '../ledger/actions/action-ledger.ts';
import { LedgerError } from '../ledger/ledger-error.ts';
import { type ActionOutcome, recorded } from '../operator/actions/record-action.ts';
import { osUser } from '../platform/os-user.ts';
import { SealingError } from '../platform/sealing.ts';
import type { VerbAction } from './verb-effect.ts';

/** The tools that `runRecorded` needs to record an action in the audit log. */
type RecordingTools = {
  readonly context: { readonly tell: (line: string) => void };
  tenant(name: string | undefined): Promise<{ readonly tenant: string }>;
  ledger(): Promise<Pick<ActionLedger, 'recordAction'>>;
  now(): string;
};

type RecordedRun<T> = {
  readonly reason: string | null;
  readonly work: () => Promise<T>;
  readonly outcomeOf: (answer: T) => ActionOutcome;
};

/** Runs a command that changes something, and records the action in the audit log before and after. */
export async function runRecorded<T>(
  tools: RecordingTools,
  verb: string,
  { word, tenant, named = [], details = {}, beforeMigration }: VerbAction,
  { reason, work, outcomeOf }: RecordedRun<T>,
): Promise<T> {
  const tenants = tenant === undefined ? named : [(await tools.tenant(tenant.given)).tenant];
  const log = async () => {
    try {
      return await tools.ledger();
    } catch (error) {
      const isNew = error instanceof SealingError || (error instanceof LedgerError && error.code === 'NOT_MIGRATED');
      if (beforeMigration === true && isNew) return null;
      throw error;
    }
  };
  const ports = {
    ...{ log, actor: osUser(), newId: randomUUID, now: tools.now },
    warn: (line: string) => tools.context.tell(line),
  };
  const action = { verb: word === undefined ? verb : `${verb} ${word}`, tenants, details, reason };
  return recorded(ports, action, work, outcomeOf);
}
