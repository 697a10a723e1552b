import { type RawBuilder, sql, type Updateable } from 'kysely';
import { isSameReported } from '../../domain/decide/reported.ts';
import type { Link } from '../../domain/record/link.ts';
import type { LinksTable } from '../core/database.ts';
import { firstOfEach } from '../core/first-of-each.ts';
import { hex, type Sealer } from '../core/sealer.ts';
import { despiteRaces, type Store } from '../core/store.ts';
import { isRefused } from '../ledger-error.ts';
import { newsInsert } from '../links/deal-news.ts';
import { journalInsert } from '../links/journal.ts';
import { LINK_FACTS, type LinkFacts, type StoredLink, toLink } from '../links/link-row.ts';
import { isSame } from '../links/link-version.ts';
import type { KeyedSettlement } from './plan-ledger.ts';
import { planWithoutValues } from './plans.ts';
import { changes } from './settle.ts';

/**
 * A link as it was read. `row_version`: PostgreSQL's version of the row (`xmin`), which differs after each change of the row. `has_plan`:
 * whether the executed plan belongs to this link.
 */
type Read = LinkFacts & { readonly row_version: string; readonly has_plan: boolean };

/** An outcome to store (`of`), with the link as it was read and the columns of the link to change. */
type Change = { readonly of: KeyedSettlement; readonly read: Read; readonly columns: Updateable<LinksTable> };

/**
 * Stores the outcomes of steps on many links with few statements. One statement reads the links. Then the outcomes that change the same
 * columns are stored with one statement, which skips links that have changed since the read. The result for an outcome is null if it was
 * not stored; the caller then stores it alone. The result is an error if it is unknown whether the outcome was stored.
 */
export async function settleTogether(
  store: Store,
  tenant: string,
  given: readonly KeyedSettlement[],
): Promise<readonly (Link | null | Error)[]> {
  const reads = await readLinks(
    store,
    tenant,
    firstOfEach(given, ({ key }) => key),
  );
  const changed = [...reads].flatMap(([of, read]) => changeOf(store, of, read) ?? []);
  const groups = [...Map.groupBy(changed, ({ columns }) => Object.keys(columns).sort().join()).values()];
  if (groups.length === 0) return given.map(() => null);
  // Everything is encrypted before the first statement runs, and this sealer keeps its data keys for the whole call. If a key were missing
  // after a statement, the call would be repeated as a whole, although that statement was executed.
  const sealer = store.sealer.atHand(tenant);
  const statements = groups.map((group) => ({ group, statement: storing(store, tenant, group) }));
  const settled = new Map<KeyedSettlement, Link | Error>();
  for (const { group, statement } of statements)
    for (const [of, result] of await stored(store, sealer, group, statement)) settled.set(of, result);
  return given.map((of) => settled.get(of) ?? null);
}

async function readLinks(
  { db }: Store,
  tenant: string,
  given: readonly KeyedSettlement[],
): Promise<ReadonlyMap<KeyedSettlement, Read>> {
  const { rows } = await sql<Read>`
    select ${sql.join(LINK_FACTS.map((column) => sql.ref(`l.${column}`)))}, l.xmin::text as row_version, p.id is not null as has_plan
    from unnest(${given.map(({ key }) => key)}::text[], ${given.map(({ settlement }) => settlement.planId ?? null)}::text[])
      as one (key, plan)
    join links l on l.tenant = ${tenant} and l.key = one.key
    left join plans p on p.tenant = ${tenant} and p.id = one.plan and p.key = l.key`.execute(db);
  const readOf = new Map(rows.map((row) => [row.key, row]));
  return new Map(
    given.flatMap((of) => {
      const read = readOf.get(of.key);
      return read === undefined ? [] : [[of, read]];
    }),
  );
}

/**
 * The columns that an outcome changes. Null if the outcome must be stored alone, because another writer has changed the link, or because
 * other links must become due too.
 */
function changeOf(store: Store, of: KeyedSettlement, read: Read): Change | null {
  const { planId, outcome: _, ...settlement } = of.settlement;
  const { expected, reportedBefore = read.reported } = settlement;
  if (read.state === 'superseded') return null;
  if (expected !== undefined && !(isSame(read, expected) && isSameReported(read.reported, reportedBefore))) return null;
  if (planId !== undefined && !(read.has_plan && read.newest_plan === planId)) return null;
  const columns = changes(store, read, settlement);
  const { candidates: now = read.candidates } = columns;
  return read.candidates.every((crmId) => now.includes(crmId)) ? { of, read, columns } : null;
}

/** The statement that stores a group of outcomes, which all change the same columns. It returns the changed rows of `links`. */
function storing(store: Store, tenant: string, group: readonly Change[]): RawBuilder<StoredLink> {
  const keys = group.map(({ read }) => read.key);
  const columns = Object.keys(group[0]?.columns ?? {});
  const rows = group.map(({ read, columns: values }) => ({ ...jsonRow(values), key: read.key }));
  const lines = group.flatMap(({ of }) => (of.settlement.journal ?? []).map((entry) => ({ key: of.key, entry })));
  const news = group.flatMap(({ of: { key, settlement } }) =>
    settlement.news === undefined ? [] : [{ key, news: settlement.news, at: settlement.at }],
  );
  const plans = group.flatMap(({ of: { settlement } }) =>
    settlement.planId === undefined ? [] : [{ id: settlement.planId, outcome: settlement.outcome ?? 'settled' }],
  );
  const parts = [
    ...(plans.length === 0 ? [] : [sql`, plan as (${settlingPlans(store, tenant, plans)})`]),
    ...(lines.length === 0 ? [] : [sql`, lines as (${journalInsert(store, tenant, lines, AMONG_CHOSEN)})`]),
    ...(news.length === 0 ? [] : [sql`, news as (${newsInsert(store, tenant, news, AMONG_CHOSEN)})`]),
  ];
  return sql<StoredLink>`
    with chosen as (
      select l.key from links l
      join unnest(${keys}::text[], ${group.map(({ read }) => read.row_version)}::text[]) as read (key, row_version) on read.key = l.key
      where l.tenant = ${tenant} and l.key = any(${keys}::text[]) and l.xmin::text = read.row_version
      order by l.key for no key update of l
    ), given as (
      select * from json_populate_recordset(null::links, ${JSON.stringify(rows)}::json)
    ) ${sql.join(parts, sql` `)}
    update links l set ${sql.join(columns.map((column) => sql`${sql.ref(column)} = given.${sql.ref(column)}`))}
    from chosen join given using (key) where l.tenant = ${tenant} and l.key = chosen.key
    returning l.*`;
}

const AMONG_CHOSEN = sql`join chosen using (key)`;

function settlingPlans(
  store: Store,
  tenant: string,
  plans: readonly { readonly id: string; readonly outcome: string }[],
) {
  const contents = plans.map(({ id }) => planWithoutValues(store, tenant, id));
  return sql`update plans p set outcome = one.outcome, graph = null, plan = one.plan
    from unnest(${plans.map(({ id }) => id)}::text[], ${plans.map(({ outcome }) => outcome)}::text[], ${contents}::bytea[])
      as one (id, outcome, plan), chosen
    where p.tenant = ${tenant} and p.id = one.id and p.key = chosen.key`;
}

/** Columns of `links` whose values are JSON texts. */
const JSON_COLUMNS: ReadonlySet<string> = new Set(['reported', 'refused_claim', 'linked_by']);

/** Converts a row's new values to the form in which PostgreSQL reads them from JSON. */
function jsonRow(columns: Updateable<LinksTable>): Readonly<Record<string, unknown>> {
  const values = Object.entries(columns).map(([column, value]) => {
    if (Buffer.isBuffer(value)) return [column, hex(value)];
    return [column, JSON_COLUMNS.has(column) && typeof value === 'string' ? JSON.parse(value) : value];
  });
  return Object.fromEntries(values);
}

/**
 * Runs a statement that stores outcomes. Returns the changed link of each stored outcome, or an error for each outcome that may have been
 * stored.
 */
async function stored(
  store: Store,
  sealer: Sealer,
  group: readonly Change[],
  statement: RawBuilder<StoredLink>,
): Promise<readonly (readonly [KeyedSettlement, Link | Error])[]> {
  const ofKey = new Map(group.map(({ of }) => [of.key, of]));
  try {
    const { rows } = await despiteRaces(() => statement.execute(store.db));
    return rows.map((row) => [ofKey.get(row.key) as KeyedSettlement, opened(row, sealer)]);
  } catch (error) {
    return isRefused(error) ? [] : group.map(({ of }) => [of, error as Error]);
  }
}

function opened(row: StoredLink, sealer: Sealer): Link | Error {
  try {
    return toLink(row, sealer);
  } catch (error) {
    return error as Error;
  }
}
