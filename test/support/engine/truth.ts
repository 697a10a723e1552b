import type { LinkRow } from '../../../src/ledger/links/link-ledger.ts';
import { SEARCH_ATTRIBUTES, workflowIds } from '../../../temporal.config.ts';
import type { Deal } from './deal.ts';
import type { Raw } from './http.ts';
import { differences, LABELS } from './oracle.ts';
import type { People } from './people.ts';
import type { World } from './world.ts';

/** By when the CRM's users and the UI are told of what waits: some seconds, and one request that is never answered. */
const PROMPT_MS = 45_000;
/** A CRM that refuses or is silent cannot be told anything; it is tried again within this. */
const CRM_RECOVERS_MS = 90_000;
/** After so long a record that nobody works on is woken by the next poll. */
const OVERDUE_MS = 150_000;
/** By when it is done then where nothing fails: what else is under way takes its turns, and its own time-outs. */
const NEIGHBOUR_MS = 120_000;
/** After so long without an answer the cause is told: an hour, and the last wait between two tries. */
const UNANSWERED_MS = 3_600_000 + 900_000;

const COMPANY = 'customerLegalEntity';

export interface Truth {
  /** What was said and was not so, so far. */
  readonly lies: readonly string[];
  /** A person changed this side of a deal. */
  edited(deal: Deal, side: 'crm' | 'vendor'): void;
}

/** `isCalm`: nothing fails in the tenant's remote systems. */
export type Surroundings = { readonly arrays: 'replace' | 'merge'; readonly isCalm?: boolean };

/**
 * Looks, at every moment in which nothing changes, at each record that says "In sync" (the ledger, the CRM's sync row, the
 * workflow that is there), and compares both systems by itself. What nobody told the engine of does not count: a
 * side that was edited since the engine was last told of it, and what the integration user may not see.
 */
export function watchTruth(world: World, people: People, { arrays, isCalm = false }: Surroundings): Truth {
  const lies = new Set<string>();
  /** By deal, since when its users are told of another state than it has. */
  const mistold = new Map<number, number>();
  const compared = new Map<number, Compared & { readonly changes: number }>();
  /** By workflow id, since when somebody works on the record. */
  const worked = new Map<string, number>();
  let known: { readonly changes: number; readonly rows: readonly Raw[] } = { changes: -1, rows: [] };
  let losses = 0;
  let lostMs = Number.NEGATIVE_INFINITY;
  let lookedUntilMs = world.clock.readMs();

  /** Both sides of a deal and CON between them, but for what nobody can know before the next poll. */
  async function compare(deal: Deal, link: LinkRow): Promise<Compared> {
    const { pair, differences: found } = await lookUp(deal, link);
    if (pair === null || echoedMs(pair) !== null) return { pair, differences: found };
    return { pair, differences: found.filter((what) => !isOfForecast(what)) };
  }

  /** Polled up anew only where one of the systems may have changed. */
  async function lookUp(deal: Deal, link: LinkRow): Promise<Compared> {
    const changes = world.result.changes();
    const before = compared.get(deal.number);
    if (before?.changes === changes) return before;
    const pair = await pairOf(deal);
    const all = pair === null ? [] : await differences({ deal, link, ...pair }, people);
    const hidden = pair === null ? [] : await people.hiddenOf(pair.crm);
    const isKnowable = (what: string): boolean => !hidden.some((part) => what.startsWith(`CON: ${part} of`));
    const found = { pair, differences: all.filter((what) => what.startsWith('CON') && isKnowable(what)) };
    compared.set(deal.number, { ...found, changes });
    return found;
  }

  async function syncRows(): Promise<readonly Raw[]> {
    const changes = world.result.changes();
    if (known.changes !== changes) known = { changes, rows: await world.crm.list('Lockstep_Sync__c') };
    return known.rows;
  }

  /** Since when the engine knows all there is to know of these differences of a deal; null while it does not. */
  function knownSince(deal: Deal, { pair, differences: found }: Compared): number | null {
    if (pair === null) return null;
    const { crm, lead } = pair;
    const since = [
      found.every(isOfForecast) ? echoedMs(pair) : 0,
      toldAfter(`crm ${deal.number}`, String(crm['Id'])),
      toldAfter(`vendor ${deal.number}`, String(lead['id'])),
      // A vendor that lays an array over its own changes what it was sent, and nobody tells of that before the next poll.
      arrays === 'merge' ? toldAfter(`sent ${String(lead['id'])}`, String(lead['id'])) : 0,
    ];
    return since.includes(null) ? null : Math.max(...since.map(Number));
  }

  /** When our last write was told of: the vendor's system sets the forecast by the status that it was sent (sales spec 2.3). */
  function echoedMs({ lead }: Pair): number | null {
    return toldAfter(`sent ${String(lead['id'])}`, String(lead['id']));
  }

  function toldAfter(edit: string, id: string): number | null {
    const editedMs = world.result.editedMs(edit);
    if (editedMs === null) return 0;
    const toldMs = world.result.lastMs(id);
    return toldMs !== null && toldMs >= editedMs ? toldMs : null;
  }

  async function look(untilMs: number): Promise<void> {
    const nowMs = world.clock.readMs();
    // Over a leap of the clock nobody worked.
    if (world.interruptions.losses() > losses || nowMs > lookedUntilMs + OVERDUE_MS) lostMs = nowMs;
    losses = world.interruptions.losses();
    lookedUntilMs = untilMs;
    const links = await world.ledger.listLinks(world.tenant, { limit: 100 });
    const rows = await syncRows();
    for (const deal of people.deals) await observeDeal(deal, links, rows, untilMs);
  }

  async function observeDeal(
    deal: Deal,
    links: readonly LinkRow[],
    rows: readonly Raw[],
    untilMs: number,
  ): Promise<void> {
    const link = links.find(({ crmId, vendorId }) =>
      deal.crmId === null ? vendorId === deal.vendorId : crmId === deal.crmId,
    );
    if (link === undefined || link.crmId === null) return;
    lookForWrongCause(deal, link);
    await lookForCause(deal, link, untilMs);
    if (isCalm) await lookForDelay(deal, link, untilMs);
    const row = rows.find((one) => one['Opportunity__c'] === link.crmId && one['IsDeleted'] !== true);
    await lookForForgotten(deal, link, row, untilMs);
    const id = workflowIds.syncOpportunity(world.tenant, link.key);
    const workedMs = workedSince(id);
    const says = {
      ledger: link.state === 'in-sync',
      crm: row?.['Sync_State__c'] === 'In sync',
      workflow: world.scheduler.searchAttribute(id, SEARCH_ATTRIBUTES.syncState.name) === 'in-sync',
    };
    if (!Object.values(says).includes(true)) return;
    const seen = await compare(deal, link);
    const [since, found] = [knownSince(deal, seen), seen.differences];
    if (since === null || found.length === 0) return;
    const lie = (who: string): void => {
      lies.add(`TRUTH: ${who} says "In sync" at ${world.clock.now().slice(11, 19)}: ${found.join('; ')}`);
    };
    if (says.ledger) lie('the ledger');
    // Only a worker that works on the record can show its state in time: a record may wait for a quota before that.
    if (workedMs === null || untilMs - Math.max(since, lostMs, workedMs) <= PROMPT_MS) return;
    if (says.workflow) lie('the workflow');
    if (says.crm && untilMs - world.result.crmErrorMs() > CRM_RECOVERS_MS && !(await isCrmPaused()))
      lie('the sync row');
  }

  /** No deal of a story is without an account: nobody has cleared its company. */
  function lookForWrongCause({ number }: Deal, { issues }: LinkRow): void {
    const result = issues.find(({ code, field }) => code === 'cannot-be-cleared' && field === COMPANY);
    if (result !== undefined) lies.add(`TRUTH: nobody cleared the company of deal ${number}: ${result.message}`);
  }

  /** What has been tried for an hour and more is told with its cause. */
  async function lookForCause(deal: Deal, link: LinkRow, untilMs: number): Promise<void> {
    if (link.issues.length > 0 || !isWorkedOn(workflowIds.syncOpportunity(world.tenant, link.key))) return;
    const seen = await compare(deal, link);
    const [since, found] = [knownSince(deal, seen), seen.differences];
    if (since === null || found.length === 0 || untilMs - Math.max(since, lostMs) < UNANSWERED_MS) return;
    if ((await world.ledger.pauses(world.tenant)).length > 0) return;
    lies.add(`TRUTH: nobody is told why, at ${world.clock.now().slice(11, 19)}: ${found.join('; ')}`);
  }

  /** What users are told is put right by the next poll that finds it overdue, where nobody is at it. */
  async function lookForForgotten(
    { number }: Deal,
    link: LinkRow,
    row: Raw | undefined,
    untilMs: number,
  ): Promise<void> {
    const result = row?.['Sync_State__c'];
    const isWorked = isWorkedOn(workflowIds.syncOpportunity(world.tenant, link.key));
    if (result === undefined || result === LABELS[link.state] || isWorked) return void mistold.delete(number);
    const sinceMs = mistold.get(number) ?? world.clock.readMs();
    mistold.set(number, sinceMs);
    const polledMs = world.polledMs();
    if (polledMs - Math.max(sinceMs, lostMs) < OVERDUE_MS || untilMs - polledMs < PROMPT_MS) return;
    if (untilMs - world.result.crmErrorMs() < OVERDUE_MS || (await world.ledger.pauses(world.tenant)).length > 0)
      return;
    lies.add(
      `TRUTH: users of deal ${number} are told ${String(result)} and it is ${link.state}, at ${world.clock.now().slice(11, 19)}`,
    );
  }

  /** ISO: what the engine knows of a tenant that is well goes on, whatever happens to another. */
  async function lookForDelay(deal: Deal, link: LinkRow, untilMs: number): Promise<void> {
    if (link.issues.length > 0) return;
    const seen = await compare(deal, link);
    const [since, found] = [knownSince(deal, seen), seen.differences];
    if (since === null || found.length === 0 || world.polledMs() - Math.max(since, lostMs) < OVERDUE_MS) return;
    if (untilMs - world.polledMs() < NEIGHBOUR_MS) return;
    lies.add(`ISO: a neighbour's trouble delays, at ${world.clock.now().slice(11, 19)}: ${found.join('; ')}`);
  }

  /** Since when somebody works on the record; null while nobody does. */
  function workedSince(id: string): number | null {
    if (!isWorkedOn(id)) worked.delete(id);
    else if (!worked.has(id)) worked.set(id, world.clock.readMs());
    return worked.get(id) ?? null;
  }

  function isWorkedOn(id: string): boolean {
    return world.scheduler
      .running()
      .some((running) => running === id || running.startsWith(workflowIds.guardTenant(world.tenant, '')));
  }

  async function isCrmPaused(): Promise<boolean> {
    return (await world.ledger.pauses(world.tenant)).some(({ group }) => group === 'salesforce');
  }

  async function pairOf(deal: Deal): Promise<Pair | null> {
    const [crm, leads] = [await people.opportunityOf(deal), await people.leadsOf(deal)];
    const [lead, rival] = leads;
    return crm === null || lead === undefined || rival !== undefined || crm['Vendor_Share__c'] !== true
      ? null
      : { crm, lead };
  }

  world.watch(look);
  return {
    get lies() {
      return [...lies];
    },
    edited: (deal, side) => world.result.noteEdit(`${side} ${deal.number}`),
  };
}

function isOfForecast(difference: string): boolean {
  return difference.startsWith('CON: forecastCategory of');
}

type Compared = { readonly pair: Pair | null; readonly differences: readonly string[] };

type Pair = { readonly crm: Raw; readonly lead: Raw };
