import type { CrmFields } from '../../domain/record/crm-graph.ts';
import { formerOpportunity } from '../../domain/record/former-ids.ts';
import type { PickedSide } from '../../domain/record/pick.ts';
import { toOpportunityId } from '../../domain/record/salesforce-id.ts';
import type { Intake } from '../../intake/intake.ts';
import type { LinkedIds, LinkLedger } from '../../ledger/links/link-ledger.ts';
import type { Crm } from '../../salesforce/crm.ts';
import { type JudgedMove, judgeMoves, type Move } from './judge-moves.ts';

/**
 * How to find the new id of each opportunity after a move to another org: in a list of pairs, or in a field of the new opportunities that
 * contains the former id.
 */
export type NewIds = { readonly pairs: readonly Move[] } | { readonly field: string };

export type RecordsRelinked = {
  readonly tenant: string;
  /** Whether deals were moved; false if the command only showed what it would do. */
  readonly applied: boolean;
  readonly moves: readonly JudgedMove[];
  /** How many linked deals have an opportunity for which no new id was found. */
  readonly withoutNewId: number;
};

export type RelinkPorts = {
  readonly intake: () => Promise<Pick<Intake, 'requestSync'>>;
  readonly ledger: Pick<LinkLedger, 'linkedIds' | 'findLinkByIds' | 'relink'>;
  readonly crm: Pick<Crm, 'rowsWith'>;
};

const PAGE = 1_000;

/**
 * Links deals to their opportunities in the tenant's present org, after the tenant moved from another org. Without `isOrdered`, changes
 * nothing. Repeatable: a deal that is already moved counts as done. Throws the errors of the CRM and the ledger.
 */
export async function relinkRecords(
  ports: RelinkPorts,
  tenant: string,
  order: { readonly by: NewIds; readonly prefer: PickedSide | null; readonly isOrdered: boolean },
  at: string,
): Promise<RecordsRelinked> {
  const links = await allLinks(ports.ledger, tenant);
  const asked = 'pairs' in order.by ? order.by.pairs : await byField(ports.crm, links, order.by.field);
  const there = await existing(
    ports.crm,
    asked.map(({ to }) => to),
  );
  const judged = judgeMoves(asked, links, there);
  const moves: JudgedMove[] = [];
  for (const move of judged) moves.push(order.isOrdered ? await carried(ports, tenant, move, order.prefer, at) : move);
  const named = new Set(asked.flatMap(({ from, to }) => [from, to]));
  return {
    tenant,
    applied: order.isOrdered,
    moves,
    withoutNewId: links.filter(({ crmId }) => !named.has(crmId)).length,
  };
}

async function carried(
  { ledger, intake }: RelinkPorts,
  tenant: string,
  move: JudgedMove,
  prefer: PickedSide | null,
  at: string,
): Promise<JudgedMove> {
  const { from, to, vendorId, verdict } = move;
  if (verdict !== 'move' || vendorId === null) return move;
  if (!(await ledger.relink(tenant, { from, to, vendorId }, prefer, at))) return { ...move, verdict: 'busy' };
  await (await intake()).requestSync(tenant, { crmId: to }, at);
  return { ...move, verdict: 'moved' };
}

async function allLinks(ledger: RelinkPorts['ledger'], tenant: string): Promise<readonly LinkedIds[]> {
  const links: LinkedIds[] = [];
  for (;;) {
    const page = await ledger.linkedIds(tenant, links.at(-1)?.key ?? '', PAGE);
    links.push(...page);
    if (page.length < PAGE) return links;
  }
}

/**
 * Finds the new opportunities of deals after the tenant moved to another org, where opportunities have new ids. The field `field` of a new
 * opportunity contains the former id, with 15 or 18 characters. This is the id of the deal's opportunity in the previous org. Returns the
 * former and the new id of each opportunity that is found.
 */
async function byField(crm: RelinkPorts['crm'], links: readonly LinkedIds[], field: string): Promise<readonly Move[]> {
  const former = links.map((link) => formerOpportunity(link) ?? link.crmId);
  const values = former.flatMap((id) => [id, id.slice(0, 15)]);
  const known = new Set(former);
  const rows = await rowsWith(crm, field, values);
  return rows.flatMap((row) => {
    const from = toOpportunityId(String(row[field]));
    return from === null || !known.has(from) ? [] : [{ from, to: String(row['Id']) }];
  });
}

async function existing(crm: RelinkPorts['crm'], ids: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set((await rowsWith(crm, 'Id', ids)).map((row) => String(row['Id'])));
}

async function rowsWith(
  crm: RelinkPorts['crm'],
  key: string,
  values: readonly string[],
): Promise<readonly CrmFields[]> {
  if (values.length === 0) return [];
  const fields = key === 'Id' ? [] : [key];
  return (await crm.rowsWith({ object: 'Opportunity', key, values, fields })) as readonly CrmFields[];
}
