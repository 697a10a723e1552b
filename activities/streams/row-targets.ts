import { cancellationSignal } from '@temporalio/activity';
import type { CrmFields } from '../../src/domain/record/crm-graph.ts';
import { type CrmCursor, firstCrmCursor, pageStart } from '../../src/domain/streams/crm-cursor.ts';
import { cursorOf } from '../../src/domain/streams/streams.ts';
import { LINK_PROBLEMS, type LinkRule, linksOf } from '../../src/mirror/link-rules.ts';
import type { Mirror } from '../../src/mirror/mirror.ts';
import { OPPORTUNITY } from '../../src/mirror/orders/order-links.ts';
import type { ChangedRow } from '../../src/salesforce/crm.ts';
import type { TenantRuntime } from '../support/deps.ts';
import { foundOf, linkRulesOf } from './row-links.ts';
import type { ChangeStream, Reading } from './stream.ts';
import { emptyWhereAbsent, sweptPage } from './swept-page.ts';

/** The number of records in a page. It is small, because one product may be on thousands of lines. */
const PAGE_ROWS = 100;

/**
 * A mirrored row (a CRM row copied from the vendor) with corrected lookups. `isMoved`: whether the row now belongs to another opportunity,
 * which the ledger (Lockstep's database) must store.
 */
export type Relink = { readonly mirror: Mirror; readonly row: CrmFields; readonly isMoved: boolean };

/** Names of the CRM objects to which lookups of mirrored rows (CRM rows copied from the vendor) refer, such as `Account`. */
export function targetObjects(runtime: TenantRuntime, mirrors: readonly Mirror[]): readonly string[] {
  const rules = mirrors.flatMap((mirror) => linkRulesOf(runtime, mirror.object));
  return [...new Set(rules.map(({ object }) => object))];
}

/**
 * The stream of changes of a CRM object to which lookups of mirrored rows refer. Finds changed records, and the mirrored rows whose lookups
 * must be set again. Each search begins a little before the end of the previous one, so some records are checked twice.
 */
export function relinksOf(
  reading: Reading,
  mirrors: readonly Mirror[],
  object: string,
): ChangeStream<CrmCursor, Relink> {
  const { runtime } = reading;
  const { overlapMs } = runtime.tenant.salesforce.sweep;
  const rules = mirrors.flatMap((mirror) =>
    linkRulesOf(runtime, mirror.object).filter((rule) => rule.object === object),
  );
  const fields = [...new Set(rules.map(({ by }) => by))];
  return {
    part: object,
    first: firstCrmCursor,
    readPage: async (cursor) => {
      const position = pageStart(cursor, overlapMs);
      const call = { signal: cancellationSignal() };
      const page = await runtime.crm
        .changedRows({ object, fields }, position, PAGE_ROWS, call)
        .catch(emptyWhereAbsent(reading, position));
      const { unseen: _, ...swept } = await sweptPage(reading, cursorOf(reading.name, object), cursor, page, []);
      const relinks: Relink[] = [];
      for (const mirror of mirrors) relinks.push(...(await ofMirror(runtime, mirror, object, page.rows)));
      return { ...swept, items: relinks };
    },
  };
}

async function ofMirror(
  runtime: TenantRuntime,
  mirror: Mirror,
  object: string,
  targets: readonly ChangedRow[],
): Promise<readonly Relink[]> {
  const rules = linkRulesOf(runtime, mirror.object);
  const concerned = rules.filter((rule) => rule.object === object);
  if (targets.length === 0 || concerned.length === 0) return [];
  const rows = await rowsOf(runtime, mirror, rules, concerned, targets);
  const found = await foundOf(runtime, rules, rows, { isFresh: true });
  return rows.flatMap((row) => {
    const links = linksOf(rules, row, found);
    const moved = Object.keys(links).filter((field) => (row[field] ?? null) !== links[field]);
    const key = row[mirror.externalId] ?? null;
    if (moved.length === 0 || key === null) return [];
    return [{ mirror, row: { [mirror.externalId]: key, ...links }, isMoved: moved.includes(OPPORTUNITY) }];
  });
}

async function rowsOf(
  { crm }: TenantRuntime,
  { object, externalId }: Mirror,
  rules: readonly LinkRule[],
  concerned: readonly LinkRule[],
  targets: readonly ChangedRow[],
): Promise<readonly CrmFields[]> {
  const fields = [
    externalId,
    ...new Set(
      rules.flatMap(({ from, field, unless = [], customer }) =>
        [from, field, unless, customer === undefined ? [] : [customer.is, customer.problem]].flat(),
      ),
    ),
  ];
  const call = { signal: cancellationSignal() };
  const found = new Map<string, CrmFields>();
  const read = async (key: string, values: readonly string[]): Promise<void> => {
    for (const row of await crm.rowsWith({ object, key, values, fields }, call))
      found.set(String(row['Id']), row as CrmFields);
  };
  for (const { from, by, field, customer } of concerned) {
    const values = targets.flatMap((target) => {
      const value = target.fields[by];
      return typeof value === 'string' && value !== '' ? [value] : [];
    });
    await read(from, [...new Set(values)]);
    await read(
      field,
      targets.map(({ rowId }) => rowId),
    );
    // Several records may have matched a row. A changed record does not show this, so all such rows are read.
    if (customer !== undefined) await read(customer.problem, [LINK_PROBLEMS.several]);
  }
  return [...found.values()];
}
