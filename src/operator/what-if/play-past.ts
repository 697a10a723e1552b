import {
  differingFields,
  type Ending,
  type Replayed,
  repeats,
  replay,
  UNKNOWN_MEANINGS,
  type Unknown,
} from '../../domain/decide/replay.ts';
import type { FieldName } from '../../domain/record/canonical.ts';
import type { FieldDecision, FieldVerdict } from '../../domain/record/field-decision.ts';
import { FIELD_NAMES } from '../../domain/record/fields.ts';
import type { MappingConfig } from '../../domain/record/mapping-config.ts';
import type { JournalLine, JournalPlace, LinkLedger } from '../../ledger/links/link-ledger.ts';
import type { FieldValues } from '../explain/explanation.ts';

export type WhatIfOrder = {
  /** The instant from which decisions are replayed, ISO. */
  readonly since: string;
  /** The mapping to try: past decisions are made again (replayed) under it. */
  readonly mapping: MappingConfig;
  /**
   * Fields to replay even if the present mapping and the mapping to try treat them in the same way. Fields that they treat differently are
   * always replayed.
   */
  readonly fields: readonly FieldName[];
  /** The maximum number of records to list, among those with a decision that would have ended differently. */
  readonly limit: number;
  /**
   * Whether to show values of fields. If so, the journal of each listed record gets a line about it, because views of values are logged.
   */
  readonly withValues: boolean;
};

/**
 * A past decision about a field that would have ended differently under the mapping to try. `was`: how it ended. `would`: how it would have
 * ended.
 */
export type ChangedDecision = {
  readonly at: string;
  readonly field: FieldName;
  readonly was: Ending;
  readonly would: Ending;
  /**
   * The values of CRM and vendor at the time of the decision, and the values on which they had last agreed. Present only if the operator
   * asked for values.
   */
  readonly values?: FieldValues;
};

export type ChangedRecord = {
  readonly key: string;
  readonly crmId: string | null;
  readonly vendorId: string | null;
  readonly decisions: readonly ChangedDecision[];
};

export type WhatIf = {
  readonly shape: 'what-if/1';
  readonly tenant: string;
  readonly since: string;
  readonly until: string;
  /**
   * The fields whose decisions were replayed: those that the present mapping and the mapping to try treat differently, and those that the
   * operator named.
   */
  readonly fields: readonly FieldName[];
  /** How many lines of the tenant's journal (log of decisions) were read. */
  readonly lines: number;
  /** The numbers of decisions by the result of their replay: `same` as in the past, `otherwise` (different), or `unknown`. */
  readonly decisions: { readonly same: number; readonly otherwise: number; readonly unknown: number };
  /** How many records have at least one decision that would have ended differently under the mapping to try. */
  readonly changedRecords: number;
  readonly ways: readonly {
    readonly field: FieldName;
    readonly was: FieldVerdict;
    readonly would: FieldVerdict;
    readonly decisions: number;
  }[];
  /** The reasons why decisions could not be replayed, each with the number of decisions. */
  readonly unknown: readonly { readonly why: Unknown; readonly meaning: string; readonly decisions: number }[];
  readonly records: readonly ChangedRecord[];
  /** Whether `records` is incomplete, because more records than `limit` have a decision that would have ended differently. */
  readonly isCut: boolean;
};

export type WhatIfLedger = Pick<LinkLedger, 'journalPage' | 'addToJournal'>;

/** How many journal lines are in memory at once. */
const PAGE = 500;

/**
 * Replays a tenant's past decisions under the mapping to try, and reports which would have ended differently. Each decision is replayed
 * alone, with the values that were found at the time. These values stay the same even if the replay of an earlier decision ends differently
 * and would have changed them. Reads only the journal (log of decisions). If values are shown, adds a line about this view to the journal
 * of each listed record.
 */
export async function playPast(
  ledger: WhatIfLedger,
  tenant: { readonly tenant: string; readonly mapping: MappingConfig },
  order: WhatIfOrder,
  now: string,
): Promise<WhatIf> {
  const mappings = { today: tenant.mapping, other: order.mapping };
  const fields = [...new Set([...differingFields(mappings, FIELD_NAMES), ...order.fields])];
  const tally = new Tally(order.limit);
  let lines = 0;
  if (fields.length > 0)
    for await (const page of pages(ledger, tenant.tenant, order.since)) {
      lines += page.length;
      for (const line of page)
        for (const decision of line.entry.decisions) {
          if (!fields.includes(decision.field) || tally.knows(line, decision, tenant.mapping)) continue;
          tally.add(line, decision, replay(decision, mappings));
        }
    }
  const result = tally.result(order.withValues);
  if (order.withValues) await noteViews(ledger, tenant.tenant, result.records, { fields, now });
  return {
    ...{ shape: 'what-if/1', tenant: tenant.tenant, since: order.since, until: now, fields, lines },
    ...result,
  };
}

async function* pages(ledger: WhatIfLedger, tenant: string, since: string): AsyncGenerator<readonly JournalLine[]> {
  let after: JournalPlace | null = null;
  for (;;) {
    const page: readonly JournalLine[] = await ledger.journalPage(tenant, { since, after, limit: PAGE });
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    after = (page.at(-1) as JournalLine).place;
  }
}

async function noteViews(
  ledger: WhatIfLedger,
  tenant: string,
  records: readonly ChangedRecord[],
  { fields, now }: { readonly fields: readonly FieldName[]; readonly now: string },
): Promise<void> {
  const summary = { verb: 'what-if', fields: fields.join(' ') };
  for (const { key } of records)
    await ledger.addToJournal(tenant, key, { at: now, kind: 'view', summary, decisions: [] });
}

type Listed = Omit<ChangedRecord, 'decisions'> & { readonly decisions: Required<ChangedDecision>[] };

/**
 * Counts replayed decisions, and keeps at most `limit` records with a decision that would have ended differently. All journal lines of one
 * record must be added before those of the next record.
 */
class Tally {
  readonly #limit: number;
  readonly #counts = { same: 0, otherwise: 0, unknown: 0 };
  readonly #ways = new Map<string, { field: FieldName; was: FieldVerdict; would: FieldVerdict; decisions: number }>();
  readonly #unknown = new Map<Unknown, number>();
  readonly #listed: Listed[] = [];
  #changedRecords = 0;
  #key: string | null = null;
  #isChanged = false;
  /**
   * For the record whose lines are being added: the last decision about each field. A decision that only repeats it is not counted again.
   */
  #last = new Map<FieldName, FieldDecision>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Whether the decision only repeats the record's last decision about the field, so that it must not be counted again. Repetitions in the
   * journal (log of decisions) are normal. For example, if a decision overrules a user's edit, the journal contains this decision twice.
   * The first line is added before Lockstep sends the write, the second with the answer to the write. The decision about an open conflict
   * (which waits for a user) is in the journal again after each sync of the record.
   */
  knows({ place: { key } }: JournalLine, decision: FieldDecision, mapping: MappingConfig): boolean {
    if (key !== this.#key) {
      this.#key = key;
      this.#isChanged = false;
      this.#last = new Map();
    }
    const last = this.#last.get(decision.field);
    this.#last.set(decision.field, decision);
    return last !== undefined && repeats(last, decision, mapping);
  }

  add(line: JournalLine, decision: FieldDecision, replayed: Replayed): void {
    this.#counts[replayed.kind] += 1;
    if (replayed.kind === 'unknown') this.#unknown.set(replayed.why, (this.#unknown.get(replayed.why) ?? 0) + 1);
    if (replayed.kind === 'otherwise') this.#addChanged(line, decision, replayed.would);
  }

  #addChanged({ place: { key }, crmId, vendorId, entry: { at } }: JournalLine, decision: FieldDecision, would: Ending) {
    const { field, verdict, rule, base, crm, vendor } = decision;
    const name = [field, verdict, would.verdict].join(' ');
    const way = this.#ways.get(name) ?? { field, was: verdict, would: would.verdict, decisions: 0 };
    this.#ways.set(name, { ...way, decisions: way.decisions + 1 });
    if (!this.#isChanged) {
      this.#isChanged = true;
      this.#changedRecords += 1;
      if (this.#listed.length < this.#limit) this.#listed.push({ key, crmId, vendorId, decisions: [] });
    }
    const listed = this.#listed.at(-1);
    if (listed?.key !== key) return;
    listed.decisions.push({ at, field, was: { verdict, rule }, would, values: { base, crm, vendor } });
  }

  result(withValues: boolean) {
    return {
      decisions: { ...this.#counts },
      changedRecords: this.#changedRecords,
      ways: [...this.#ways.values()].toSorted((one, other) => other.decisions - one.decisions),
      unknown: [...this.#unknown].map(([why, decisions]) => ({ why, meaning: UNKNOWN_MEANINGS[why], decisions })),
      records: this.#listed.map(({ decisions, ...ids }) => ({
        ...ids,
        decisions: withValues ? decisions : decisions.map(({ values: _, ...rest }) => rest),
      })),
      isCut: this.#changedRecords > this.#listed.length,
    };
  }
}
