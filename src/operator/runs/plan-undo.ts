import type { UndoCounts } from '../../domain/backfill/undo-run.ts';
import type { UndoScope } from '../../domain/decide/past-writes.ts';
import { LEFT_MEANINGS, type LeftBecause, NEEDS_PERSON, type RecordUndo, undoOf } from '../../domain/decide/undo.ts';
import { mappingOf } from '../../domain/mapping/leads/lead-mapping.ts';
import type { FieldName } from '../../domain/record/canonical.ts';
import type { JournalEntry } from '../../domain/record/journal.ts';
import type { Link } from '../../domain/record/link.ts';
import type { MappingConfig } from '../../domain/record/mapping-config.ts';
import type { JournalLine, JournalPlace, LinkLedger } from '../../ledger/links/link-ledger.ts';
import type { QuotaLedger } from '../../ledger/quota/quota-ledger.ts';
import { costOf, type PlanCost } from '../plan/plan-cost.ts';
import { findLinkOf } from '../records/find-link.ts';
import { UnknownRecord } from '../records/remote-records.ts';

/** The past writes that an operator wants to undo: in which records, which writes, and which fields. */
export type UndoWish = {
  /** The only record to undo, by any of its ids; null for all records with writes in `scope`. */
  readonly id: string | null;
  readonly scope: UndoScope;
  /** The only fields to undo; all fields if absent. */
  readonly fields?: readonly FieldName[];
};

export type PlannedUndo = Pick<Link, 'key' | 'crmId' | 'vendorId'> & {
  readonly fields: readonly {
    readonly field: FieldName;
    readonly sides: readonly ('crm' | 'vendor')[];
    /** Whether the undo gives CRM and vendor different values of the field, because they had different values before the write. */
    readonly differs: boolean;
  }[];
  readonly left: RecordUndo['left'];
  /** The sides (CRM or vendor) on which Lockstep created the record. An undo does not delete created records. */
  readonly created: RecordUndo['created'];
};

/** What an undo would change, computed from the ledger (Lockstep's database) alone, without reading CRM or vendor. */
export type UndoPlan = {
  readonly shape: 'undo-plan/1';
  readonly tenant: string;
  readonly scope: UndoScope;
  /** How many records have at least one value to restore. */
  readonly records: number;
  readonly values: UndoCounts['values'];
  /** In how many fields CRM and vendor would have different values after the undo, because they had different values before the write. */
  readonly differing: number;
  /**
   * How many records were created by the writes that are to be undone, by the side (CRM or vendor) of the created record. An undo does not
   * delete created records.
   */
  readonly created: { readonly crm: number; readonly vendor: number };
  readonly left: readonly { readonly why: LeftBecause; readonly meaning: string; readonly values: number }[];
  readonly cost: Omit<PlanCost, 'changeEvents'>;
  readonly listed: readonly PlannedUndo[];
  /** True if the undo concerns more records than the plan lists. */
  readonly isCut: boolean;
};

export type UndoPlanLedger = Pick<LinkLedger, 'journalPage' | 'journal' | 'findLink' | 'findLinkByIds'> &
  Pick<QuotaLedger, 'quotas'>;

type PlanTenant = {
  readonly tenant: string;
  readonly mapping: MappingConfig;
  readonly vendor: { readonly ratePerSecond: number };
};

const PAGE = 500;
const MOST_LINES = 10_000;
const EVER = '1970-01-01T00:00:00.000Z';

/**
 * Plans an undo from the ledger and its journal, without reading the CRM or the vendor. The undo itself reads both before it writes, and
 * keeps a value that was edited meanwhile. Throws UnknownRecord.
 */
export async function planUndo(
  ledger: UndoPlanLedger,
  tenant: PlanTenant,
  wish: UndoWish,
  { limit, now }: { readonly limit: number; readonly now: string },
): Promise<UndoPlan> {
  const sum = new Sum(limit);
  for await (const { link, lines } of recordsOf(ledger, tenant.tenant, wish))
    sum.add(link, undoOf(link, lines, wish, mappingOf(tenant.mapping, link.crmId)));
  const quota = (await ledger.quotas(tenant.tenant)).find(({ quota: name }) => name === 'vendor-sales') ?? null;
  const { changeEvents: _, ...cost } = costOf({ actions: sum.actions }, quota, { ...tenant.vendor, now });
  return { shape: 'undo-plan/1', tenant: tenant.tenant, scope: wish.scope, ...sum.result(), cost };
}

type Found = { readonly link: Link; readonly lines: readonly JournalEntry[] };

async function* recordsOf(ledger: UndoPlanLedger, tenant: string, { id, scope }: UndoWish): AsyncGenerator<Found> {
  if (id !== null) {
    const link = await findLinkOf(ledger, tenant, id);
    if (link === null) throw new UnknownRecord(`${id} is no record that Lockstep knows.`);
    yield { link, lines: (await ledger.journal(tenant, link.key, MOST_LINES)).toReversed() };
    return;
  }
  const since = scope.of === 'since' ? scope.since : EVER;
  for await (const { key, lines } of byRecord(ledger, tenant, since)) {
    const link = await ledger.findLink(tenant, key);
    if (link !== null) yield { link, lines };
  }
}

/** Yields, for each record, its key and its journal lines since the instant `since`, oldest first. */
async function* byRecord(ledger: UndoPlanLedger, tenant: string, since: string) {
  let key: string | null = null;
  let lines: JournalEntry[] = [];
  for await (const line of allLines(ledger, tenant, since)) {
    if (key !== null && line.place.key !== key) yield { key, lines };
    if (line.place.key !== key) lines = [];
    key = line.place.key;
    lines.push(line.entry);
  }
  if (key !== null) yield { key, lines };
}

async function* allLines(ledger: UndoPlanLedger, tenant: string, since: string): AsyncGenerator<JournalLine> {
  let after: JournalPlace | null = null;
  for (;;) {
    const page: readonly JournalLine[] = await ledger.journalPage(tenant, { since, after, limit: PAGE });
    yield* page;
    if (page.length < PAGE) return;
    after = (page.at(-1) as JournalLine).place;
  }
}

/** Adds up the planned undos of records, and keeps the first `limit` records for the list. */
class Sum {
  readonly #limit: number;
  readonly #listed: PlannedUndo[] = [];
  readonly #left = new Map<LeftBecause, number>();
  readonly #actions = { 'update-at-vendor': 0, 'update-in-crm': 0, 'update-both': 0 };
  readonly #created = { crm: 0, vendor: 0 };
  #concerned = 0;
  #back = 0;
  #differing = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get actions() {
    return this.#actions;
  }

  add({ key, crmId, vendorId }: Link, { fields, left, created }: RecordUndo): void {
    if (fields.length + left.length + created.length === 0) return;
    this.#concerned += 1;
    this.#back += fields.length;
    this.#differing += fields.filter(({ differs }) => differs).length;
    for (const side of new Set(created)) this.#created[side] += 1;
    for (const { why } of left) this.#left.set(why, (this.#left.get(why) ?? 0) + 1);
    const sides = new Set(fields.flatMap(({ back }) => Object.keys(back)));
    if (sides.size === 2) this.#actions['update-both'] += 1;
    else if (sides.size === 1) this.#actions[sides.has('vendor') ? 'update-at-vendor' : 'update-in-crm'] += 1;
    if (this.#listed.length < this.#limit)
      this.#listed.push({
        ...{ key, crmId, vendorId, left, created },
        fields: fields.map(({ field, back, differs }) => ({ field, sides: sidesOf(back), differs })),
      });
  }

  result() {
    const left = [...this.#left].map(([why, values]) => ({ why, meaning: LEFT_MEANINGS[why], values }));
    const count = (isCounted: (why: LeftBecause) => boolean): number =>
      left.reduce((sum, { why, values }) => sum + (isCounted(why) ? values : 0), 0);
    const waits = count((why) => NEEDS_PERSON.has(why));
    return {
      records: Object.values(this.#actions).reduce((sum, n) => sum + n, 0),
      values: { back: this.#back, left: count(() => true) - waits, waits },
      differing: this.#differing,
      created: { ...this.#created },
      left,
      listed: this.#listed,
      isCut: this.#concerned > this.#listed.length,
    };
  }
}

function sidesOf(back: object): readonly ('crm' | 'vendor')[] {
  return (['crm', 'vendor'] as const).filter((side) => side in back);
}
