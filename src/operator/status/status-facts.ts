import { AUDIT_CURSOR, type AuditResult } from '../../domain/audit/audit-result.ts';
import type { CrmUse } from '../../domain/loop/crm-budget.ts';
import { WAITING_STATES } from '../../domain/record/link-state.ts';
import { CATALOG_STREAMS, seenOf } from '../../domain/streams/catalog-refresh.ts';
import { LOAD_PAUSE } from '../../domain/streams/orders-load.ts';
import { failureOf } from '../../domain/streams/stream-failure.ts';
import { stopOf } from '../../domain/streams/stream-stop.ts';
import { cursorOf, STREAM_NAMES } from '../../domain/streams/streams.ts';
import type { IssueCount, LinkRow } from '../../ledger/links/link-ledger.ts';
import type { MirrorCounts } from '../../ledger/mirror/mirror-ledger.ts';
import type { RefusedNotices } from '../../ledger/mirror/news-ledger.ts';
import type { NoticeLedger, Undelivered } from '../../ledger/notices/notice-ledger.ts';
import type { WaitingCount } from '../../ledger/queue/waiting-ledger.ts';
import type { BudgetLedger, Pause, QuotaKnown } from '../../ledger/quota/quota-ledger.ts';
import type { CursorPart, FleetLedger, StatusLedger } from '../../ledger/stats/stats-ledger.ts';
import type { NotedCode, StreamRead } from '../../ledger/streams/stream-ledger.ts';
import { CHANGES_PART } from './followed-changes.ts';

/** The data in the ledger (Lockstep's database) from which the status of one tenant is made. Instants are ISO. */
export type TenantFacts = {
  readonly records: Readonly<Record<string, number>>;
  readonly reads: readonly StreamRead[];
  readonly pauses: readonly Pause[];
  readonly quotas: readonly QuotaKnown[];
  readonly issues: readonly IssueCount[];
  /**
   * How many links (stored pairs of CRM record and vendor record) have a change that waits to be synced, by reason. `atAll`: all such
   * links. `long`: those that have waited for more than five seconds.
   */
  readonly waiting: { readonly atAll: readonly WaitingCount[]; readonly long: readonly WaitingCount[] };
  readonly refusedNotices: readonly RefusedNotices[];
  readonly mirrored: MirrorCounts;
  readonly codes: readonly NotedCode[];
  readonly crmUse: CrmUse | undefined;
  readonly undelivered: readonly Undelivered[];
  /** At most `MOST_RECORDS` records in each of the states that need a user or operator, the most recently changed first. */
  readonly attention: readonly LinkRow[];
  readonly kept: Kept;
};

export type FactsLedger = StatusLedger &
  Pick<FleetLedger, 'cursorParts' | 'notedCodesOf'> &
  Pick<BudgetLedger, 'crmUse'> &
  Pick<NoticeLedger, 'undeliveredOf'>;

/** The maximum number of records that the status lists for each state. */
const MOST_RECORDS = 20;
/** A record that has waited for at most this many ms is normal and not listed. */
const MOMENTS_MS = 5_000;

/** The maximum number of tenants for which one SQL statement reads records. With more tenants, a statement could reach its timeout. */
const TENANTS_AT_ONCE = 100;
/**
 * How many SQL statements run in parallel. The number is small, so that most connections of the process stay free and other work does not
 * time out.
 */
const STATEMENTS_AT_ONCE = 3;

const LAST_AUDIT = ['differing', 'repaired', 'startedAt'] as const satisfies readonly (keyof AuditResult)[];

/**
 * The properties of cursors that the status needs. A cursor is a value that the ledger stores for a tenant by name, such as the result of
 * the last check of the org. Other properties are not read, because they can be long, such as the org's schema.
 */
const PARTS: readonly CursorPart[] = [
  ...STREAM_NAMES.flatMap((stream) => [failureOf(stream), stopOf(stream)]).map(whole),
  ...[['since'], ['at', 'until']].map((path) => ({ stream: cursorOf('loadOrders'), path })),
  { stream: LOAD_PAUSE, path: ['since'] },
  CHANGES_PART,
  ...LAST_AUDIT.map((name) => ({ stream: AUDIT_CURSOR, path: ['last', name] })),
  ...['problems', 'changes'].map((name) => ({ stream: cursorOf('watchOrg'), path: [name] })),
  ...CATALOG_STREAMS.map((stream) => ({ stream: seenOf(stream), path: ['changes'] })),
];

function whole(stream: string): CursorPart {
  return { stream, path: [] };
}

/** Reads the ledger's data about tenants, by tenant name. Sends six SQL statements, plus eight for each hundred tenants. `now`: ISO. */
export async function statusFacts(
  ledger: FactsLedger,
  tenants: readonly string[],
  now: string,
): Promise<ReadonlyMap<string, TenantFacts>> {
  const long = new Date(Date.parse(now) - MOMENTS_MS).toISOString();
  const ask = asker(tenants);
  const facts = {
    records: ask.inParts((some) => ledger.countByStateOf(some)),
    reads: ask.inParts((some) => ledger.streamReadsOf(some)),
    pauses: ask.ofAll((all) => ledger.pausesOf(all)),
    quotas: ask.ofAll((all) => ledger.quotasOf(all)),
    issues: ask.inParts((some) => ledger.countByIssueOf(some)),
    atAll: ask.inParts((some) => ledger.countWaitingOf(some, now)),
    long: ask.inParts((some) => ledger.countWaitingOf(some, long)),
    refusedNotices: ask.ofAll((all) => ledger.refusedNoticesOf(all)),
    mirrored: ask.inParts((some) => ledger.countMirroredOf(some)),
    codes: ask.ofAll((all) => ledger.notedCodesOf(all)),
    crmUse: ask.ofAll((all) => ledger.crmUse(all, now)),
    undelivered: ask.ofAll((all) => ledger.undeliveredOf(all, now)),
    attention: ask.inParts((some) => ledger.listLinksOf(some, { states: WAITING_STATES, limit: MOST_RECORDS })),
    kept: ask.inParts((some) => partsOf(ledger, some)),
  };
  await ask.answered();
  return new Map(
    tenants.map((tenant) => [
      tenant,
      {
        records: facts.records.get(tenant) ?? {},
        reads: facts.reads.get(tenant) ?? [],
        pauses: facts.pauses.get(tenant) ?? [],
        quotas: facts.quotas.get(tenant) ?? [],
        issues: facts.issues.get(tenant) ?? [],
        waiting: { atAll: facts.atAll.get(tenant) ?? [], long: facts.long.get(tenant) ?? [] },
        refusedNotices: facts.refusedNotices.get(tenant) ?? [],
        mirrored: facts.mirrored.get(tenant) ?? { shown: 0, toRead: 0, toLoad: 0, toWrite: 0 },
        codes: facts.codes.get(tenant) ?? [],
        crmUse: facts.crmUse.get(tenant),
        undelivered: facts.undelivered.get(tenant) ?? [],
        attention: facts.attention.get(tenant) ?? [],
        kept: keptIn(facts.kept.get(tenant)),
      },
    ]),
  );
}

type Question<T> = (tenants: readonly string[]) => Promise<ReadonlyMap<string, T>>;

/**
 * Collects queries about tenants, and later runs them together. `ofAll` registers a query that asks about all tenants in one SQL statement.
 * `inParts` registers a query that could reach its timeout with all tenants. Such a query is sent once for each hundred tenants. Both
 * return an empty map at once. `answered` runs all registered queries, a few at a time, and fills the maps with their results.
 */
function asker(tenants: readonly string[]) {
  const questions: (() => Promise<void>)[] = [];
  const askOf = <T>(question: Question<T>, sets: readonly (readonly string[])[]): ReadonlyMap<string, T> => {
    const found = new Map<string, T>();
    for (const some of sets)
      questions.push(async () => {
        for (const [tenant, answer] of await question(some)) found.set(tenant, answer);
      });
    return found;
  };
  const parts = Array.from({ length: Math.ceil(tenants.length / TENANTS_AT_ONCE) }, (_, n) =>
    tenants.slice(n * TENANTS_AT_ONCE, (n + 1) * TENANTS_AT_ONCE),
  );
  return {
    ofAll: <T>(question: Question<T>) => askOf(question, [tenants]),
    inParts: <T>(question: Question<T>) => askOf(question, parts),
    answered: async (): Promise<void> => {
      const left = questions.values();
      const askSome = async (): Promise<void> => {
        for (const ask of left) await ask();
      };
      await Promise.all(Array.from({ length: STATEMENTS_AT_ONCE }, askSome));
    },
  };
}

/**
 * Returns the value at `path` in the tenant's cursor (value that the ledger stores by name) with the name `stream`; undefined if there is
 * no such value.
 */
export type Kept = (stream: string, ...path: readonly string[]) => unknown;

/** Reads the parts of tenants' cursors (values that the ledger stores by name) that the status shows. Sends one SQL statement. */
export async function readKept(
  ledger: Pick<FleetLedger, 'cursorParts'>,
  tenants: readonly string[],
): Promise<(tenant: string) => Kept> {
  const found = await partsOf(ledger, tenants);
  return (tenant) => keptIn(found.get(tenant));
}

function keptIn(parts: ReadonlyMap<string, unknown> | undefined): Kept {
  return (stream, ...path) => parts?.get(placeOf({ stream, path }));
}

async function partsOf(
  ledger: Pick<FleetLedger, 'cursorParts'>,
  tenants: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, unknown>>> {
  const found = Map.groupBy(await ledger.cursorParts(tenants, PARTS), ({ tenant }) => tenant);
  return new Map([...found].map(([tenant, own]) => [tenant, new Map(own.map((part) => [placeOf(part), part.value]))]));
}

function placeOf({ stream, path }: CursorPart): string {
  return [stream, ...path].join('/');
}
