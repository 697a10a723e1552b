import type { FieldName } from '../../domain/record/canonical.ts';
import type { FieldVerdict } from '../../domain/record/field-decision.ts';
import type { JournalEntry } from '../../domain/record/journal.ts';
import type { LinkState } from '../../domain/record/link-state.ts';
import type { LinkedBy } from '../../domain/record/linked-by.ts';
import type { LinkLedger } from '../../ledger/links/link-ledger.ts';
import type { FieldValues } from '../explain/explanation.ts';
import { findLinkOf } from './find-link.ts';
import { UnknownRecord } from './remote-records.ts';

export type HistoryDecision = {
  readonly field: FieldName;
  readonly verdict: FieldVerdict;
  /** The rule that led to the verdict about the field. */
  readonly rule: string;
  /**
   * The values of CRM and vendor at the time of the decision, and the values on which they had last agreed. Present only if the operator
   * asked for values.
   */
  readonly values?: FieldValues;
};

export type HistoryLine = Pick<JournalEntry, 'at' | 'kind' | 'summary'> & {
  /** The decisions about fields in this journal line. Decisions that leave a field unchanged are left out. */
  readonly decisions: readonly HistoryDecision[];
};

/** The journal of one record, newest line first. */
export type RecordHistory = {
  readonly shape: 'history/1';
  readonly tenant: string;
  readonly key: string;
  readonly crmId: string | null;
  readonly vendorId: string | null;
  readonly state: LinkState;
  /** How the pair came to be linked; null for an unlinked record, and for a pair that an earlier release linked. */
  readonly linkedBy: LinkedBy | null;
  readonly lines: readonly HistoryLine[];
  /** Whether older lines are missing here because of `limit`. */
  readonly isCut: boolean;
};

export type HistoryOrder = {
  /** An opportunity's or lead's 18-character id, a vendor id, or the key of a link (stored pair of CRM record and vendor record). */
  readonly id: string;
  /** The oldest instant to show, ISO; null for the whole journal. */
  readonly since: string | null;
  readonly limit: number;
  /** Whether to show values of fields. If so, the record's journal first gets a line about it, because views of values are logged. */
  readonly withValues: boolean;
};

export type HistoryLedger = Pick<LinkLedger, 'findLink' | 'findLinkByIds' | 'journal' | 'addToJournal'>;

/**
 * Reads from the journal what happened to a record. Sends no request to the CRM or the vendor. Throws UnknownRecord. `at`: the present
 * instant, ISO.
 */
export async function readHistory(
  ledger: HistoryLedger,
  tenant: string,
  { id, since, limit, withValues }: HistoryOrder,
  at: string,
): Promise<RecordHistory> {
  const link = await findLinkOf(ledger, tenant, id);
  if (link === null) throw new UnknownRecord(`${id} is no record that Lockstep knows.`);
  const { key, crmId, vendorId, state, linkedBy = null } = link;
  if (withValues) {
    const summary = { verb: 'history', fields: 'all' };
    await ledger.addToJournal(tenant, key, { at, kind: 'view', summary, decisions: [] });
  }
  const read = await ledger.journal(tenant, key, limit + 1);
  const lines = read.filter((line) => since === null || line.at >= since);
  return {
    ...{ shape: 'history/1', tenant, key, crmId, vendorId, state, linkedBy, isCut: lines.length > limit },
    lines: lines.slice(0, limit).map((line) => lineOf(line, withValues)),
  };
}

function lineOf({ at, kind, summary, decisions }: JournalEntry, withValues: boolean): HistoryLine {
  const shown = decisions.filter(({ verdict }) => verdict !== 'unchanged');
  return {
    ...{ at, kind, summary },
    decisions: shown.map(({ field, verdict, rule, base, crm, vendor }) => ({
      ...{ field, verdict, rule },
      ...(withValues ? { values: { base, crm, vendor } } : {}),
    })),
  };
}
