import type { LinkRow } from '../../../src/ledger/links/link-ledger.ts';
import { SEARCH_ATTRIBUTES, workflowIds } from '../../../temporal.config.ts';
import type { Deal } from './deal.ts';
import type { Raw } from './http.ts';
import { differences, LABELS } from './oracle.ts';
import type { People } from './people.ts';
import type { World } from './world.ts';

/** The time within which CRM users and the UI see that a record waits: some seconds plus one request without an answer. */
const PROMPT_MS = 45_000;
/**
 * A CRM that did not take a report gets it again within this time: the longest wait for a rate limit, which is two minutes, and a request.
 */
const CRM_RECOVERS_MS = 150_000;
/** After this time the next poll wakes a due record that no workflow handles. */
const OVERDUE_MS = 150_000;
/** The time within which work is done if nothing fails, including other work's turns and its own timeouts. */
const NEIGHBOUR_MS = 120_000;
/** The time without an answer after which the cause is reported: an hour, plus the last retry interval. */
const UNANSWERED_MS = 3_600_000 + 900_000;

const COMPANY = 'customerLegalEntity';

export interface Truth {
  /** States that were shown although they were not true. */
  readonly lies: readonly string[];
  /** A user changed this side of a deal. */
  edited(deal: Deal, side: 'crm' | 'vendor'): void;
  /** A late update of Lockstep changed this deal at the vendor. */
  arrived(deal: Deal): void;
}

/** `isCalm`: nothing fails in the tenant's remote systems. */
export type Surroundings = { readonly arrays: 'replace' | 'merge'; readonly isCalm?: boolean };

/**
 * Checks, at every moment at which nothing changes, each record that is shown as "In sync" (in the ledger, in the CRM's sync row, in a
 * running workflow), by comparing both systems itself. Ignores what the engine cannot know: edits after its last notification of a side,
 * and records that the integration user cannot see.
 */
export function watchTruth(world: World, people: People, { arrays, isCalm = false }: Surroundings): Truth {
  const lies = new Set<string>();
  /** For each deal, since when its users see another state than it has. */
  const mistold = new Map<number, number>();
  const compared = new Map<number, Compared & { readonly changes: number }>();
  /** For each workflow id, since when that workflow or a guard of the tenant works on the record. */
  const worked = new Map<string, number>();
  /** For each workflow id, since when that workflow runs. */
  const ran = new Map<string, number>();
  let known: { readonly changes: number; readonly rows: readonly Raw[] } = { changes: -1, rows: [] };
  let losses = 0;
  let lostMs = Number.NEGATIVE_INFINITY;
  let lookedUntilMs = world.clock.readMs();

  /** Both sides of a deal and the CON differences between them, without those that nobody can know before the next poll. */
  async function compare(deal: Deal, link: LinkRow): Promise<Compared> {
    const { pair, differences: found } = await lookUp(deal, link);
    if (pair === null || echoedMs(pair) !== null) return { pair, differences: found };
    return { pair, differences: found.filter((what) => !isOfForecast(what)) };
  }

  /** Compares again only if one of the systems may have changed. */
  async function lookUp(deal: Deal, link: LinkRow): Promise<Compared> {
    const changes = world.result.changes();
    const before = compared.get(deal.number);
    if (before?.changes === changes) return before;
    const pair = await pairOf(deal, link);
    const all = pair === null ? [] : await differences({ deal, link, ...pair }, people);
    const hidden = pair === null ? [] : await people.hiddenOf(pair.crm);
    const isKnowable = (what: string): boolean => !hidden.some((part) => what.startsWith(`CON: ${part} of`));
    const found = { pair, differences: all.filter((what) => what.startsWith('CON') && isKnowable(what)) };
    compared.set(deal.number, { ...found, changes });
    return found;
  }

  async function syncRows(): Promise<readonly Raw[]> {
    const changes = world.result.changes();
    if (known.changes !== changes) known = { changes, rows: await people.syncRows() };
    return known.rows;
  }

  /** Since when the engine knows everything needed about these differences of a deal; null if it does not yet. */
  function knownSince(deal: Deal, crmId: string, { pair, differences: found }: Compared): number | null {
    if (pair === null) return null;
    const { lead } = pair;
    const since = [
      found.every(isOfForecast) ? echoedMs(pair) : 0,
      toldAfter(`crm ${deal.number}`, crmId),
      toldAfter(`vendor ${deal.number}`, String(lead['id'])),
      toldAfter(`late ${deal.number}`, String(lead['id'])),
      // A vendor that merges arrays changes the values it gets, and nothing signals that before the next poll.
      arrays === 'merge' ? toldAfter(`sent ${String(lead['id'])}`, String(lead['id'])) : 0,
    ];
    return since.includes(null) ? null : Math.max(...since.map(Number));
  }

  /** When Lockstep's last write was signalled back: the vendor sets the forecast by the status that it got (sales spec 2.3). */
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
    // No worker ran during a time jump.
    if (world.interruptions.losses() > losses || nowMs > lookedUntilMs + OVERDUE_MS) lostMs = nowMs;
    losses = world.interruptions.losses();
    lookedUntilMs = untilMs;
    const links = await world.ledger.listLinks(world.tenant, { limit: 100 });
    const rows = await syncRows();
    for (const deal of people.deals) if (!(await people.hasEnded(deal))) await observeDeal(deal, links, rows, untilMs);
  }

  async function observeDeal(
    deal: Deal,
    links: readonly LinkRow[],
    rows: readonly Raw[],
    untilMs: number,
  ): Promise<void> {
    const link = await people.linkOf(deal, links);
    if (link === undefined || link.crmId === null) return;
    lookForWrongCause(deal, link);
    await lookForCause(deal, link, untilMs);
    if (isCalm) await lookForDelay(deal, link, untilMs);
    const row = rows.find((one) => one['Opportunity__c'] === link.crmId && one['IsDeleted'] !== true);
    await lookForForgotten(deal, link, row, untilMs);
    const id = workflowIds.syncOpportunity(world.tenant, link.key);
    const [workedMs, ranMs] = [since(worked, id, isWorkedOn(id)), since(ran, id, isRunning(id))];
    const says = {
      ledger: link.state === 'in-sync',
      crm: row?.['Sync_State__c'] === 'In sync',
      workflow: world.scheduler.searchAttribute(id, SEARCH_ATTRIBUTES.syncState.name) === 'in-sync',
    };
    if (!Object.values(says).includes(true)) return;
    const seen = await compare(deal, link);
    const [knownMs, found] = [knownSince(deal, String(link.crmId), seen), seen.differences];
    if (knownMs === null || found.length === 0) return;
    const lie = (who: string): void => {
      lies.add(`TRUTH: ${who} says "In sync" at ${world.clock.now().slice(11, 19)}: ${found.join('; ')}`);
    };
    if (says.ledger) lie('the ledger');
    // The state is only checked while a workflow works on the record, because a record may wait for a quota before that.
    const isLate = (fromMs: number | null): boolean =>
      fromMs !== null && untilMs - Math.max(knownMs, lostMs, fromMs) > PROMPT_MS;
    if (says.workflow && isLate(ranMs)) lie('the workflow');
    if (says.crm && isLate(workedMs) && untilMs - world.result.crmErrorMs() > CRM_RECOVERS_MS && !(await isCrmPaused()))
      lie('the sync row');
  }

  /** Each deal of a story has an account, so no company was cleared. */
  function lookForWrongCause({ number }: Deal, { issues }: LinkRow): void {
    const result = issues.find(({ code, field }) => code === 'cannot-be-cleared' && field === COMPANY);
    if (result !== undefined) lies.add(`TRUTH: nobody cleared the company of deal ${number}: ${result.message}`);
  }

  /** After an hour of retries the report must name the cause. */
  async function lookForCause(deal: Deal, link: LinkRow, untilMs: number): Promise<void> {
    if (link.issues.length > 0 || !isWorkedOn(workflowIds.syncOpportunity(world.tenant, link.key))) return;
    const seen = await compare(deal, link);
    const [since, found] = [knownSince(deal, String(link.crmId), seen), seen.differences];
    if (since === null || found.length === 0 || untilMs - Math.max(since, lostMs) < UNANSWERED_MS) return;
    if ((await world.ledger.pauses(world.tenant)).length > 0) return;
    lies.add(`TRUTH: nobody is told why, at ${world.clock.now().slice(11, 19)}: ${found.join('; ')}`);
  }

  /** If no workflow handles a record, the next poll that finds it overdue must correct the report. */
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

  /** ISO: a healthy tenant's known changes are synced in time, whatever happens to another tenant. */
  async function lookForDelay(deal: Deal, link: LinkRow, untilMs: number): Promise<void> {
    if (link.issues.length > 0) return;
    const seen = await compare(deal, link);
    const [since, found] = [knownSince(deal, String(link.crmId), seen), seen.differences];
    if (since === null || found.length === 0 || world.polledMs() - Math.max(since, lostMs) < OVERDUE_MS) return;
    if (untilMs - world.polledMs() < NEIGHBOUR_MS) return;
    lies.add(`ISO: a neighbour's trouble delays, at ${world.clock.now().slice(11, 19)}: ${found.join('; ')}`);
  }

  /** Since when a condition holds without a break; null if it does not. */
  function since(times: Map<string, number>, id: string, holds: boolean): number | null {
    if (!holds) times.delete(id);
    else if (!times.has(id)) times.set(id, world.clock.readMs());
    return times.get(id) ?? null;
  }

  function isRunning(id: string): boolean {
    return world.scheduler.running().includes(id);
  }

  function isWorkedOn(id: string): boolean {
    const guards = workflowIds.guardTenant(world.tenant, '');
    return isRunning(id) || world.scheduler.running().some((running) => running.startsWith(guards));
  }

  async function isCrmPaused(): Promise<boolean> {
    return (await world.ledger.pauses(world.tenant)).some(({ group }) => group === 'salesforce');
  }

  /** The two records of a deal that its link should make equal; null if there are none, or if a person has to choose between several. */
  async function pairOf(deal: Deal, { vendorId }: LinkRow): Promise<Pair | null> {
    const [crm, leads] = [await people.opportunityOf(deal), await people.leadsOf(deal)];
    const [lead, copy] = leads;
    if (crm === null || lead === undefined || copy !== undefined || crm['Vendor_Share__c'] !== true) return null;
    const isOfRival = vendorId !== lead['id'] && (await people.hasRival(deal));
    return isOfRival ? null : { crm, lead };
  }

  world.watch(look);
  return {
    get lies() {
      return [...lies];
    },
    edited: (deal, side) => world.result.noteEdit(`${side} ${deal.number}`),
    arrived: (deal) => world.result.noteEdit(`late ${deal.number}`),
  };
}

function isOfForecast(difference: string): boolean {
  return difference.startsWith('CON: forecastCategory of');
}

type Compared = { readonly pair: Pair | null; readonly differences: readonly string[] };

type Pair = { readonly crm: Raw; readonly lead: Raw };
