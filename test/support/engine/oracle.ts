import type { LinkRow } from '../../../src/ledger/links/link-ledger.ts';
import { MANUAL_FIELDS } from './conflicts.ts';
import { personKey, personsOf } from './customers.ts';
import type { Deal, Entered } from './deal.ts';
import {
  CLOSED,
  comparable,
  EARLY,
  FIELD_ROWS,
  type FieldRow,
  linesKey,
  MISFIT,
  NARROWED,
  statusOf,
  vendorLines,
} from './fields.ts';
import type { Raw } from './http.ts';
import { isLead, STATUSES_OF_LEADS } from './lead-rows.ts';
import { lostUntold } from './overruled.ts';
import type { People } from './people.ts';
import type { World } from './world.ts';

/** Issues with which a record may wait although Lockstep works correctly. */
const EXPECTED_ISSUES: ReadonlySet<string> = new Set([
  'required-on-create',
  'contact-incomplete',
  'contact-repeated',
  'line-not-shared',
  'forecast-of-vendor',
]);

function isExpected(
  { code, field }: LinkRow['issues'][number],
  people: People,
  { number }: Deal,
  lead: Raw | null,
  crm: Raw,
): boolean {
  // The test bed's CRM has only EUR.
  if (code === 'currency-differs') return lead !== null && lead['currency'] !== 'EUR';
  // A user must decide whether a deal that the vendor closed stays open, and how a deal ended that both sides closed differently.
  if (code === 'closed-at-vendor') return lead !== null && isClosedThereOnly(crm, lead);
  if (code === 'closed-otherwise') return lead !== null && isClosedOtherwise(crm, lead);
  // A user must decide what both sides changed.
  if (code === 'conflict') return people.isManual && MANUAL_FIELDS.includes(String(field));
  if (code === 'no-code-for-value' && field === 'offerLines') return people.revenue.untold.has(number);
  // A value that both sides show needs no issue about clearing.
  if (code === 'cannot-be-cleared') return isClearedSomewhere(String(field), crm, lead);
  if (code === 'does-not-fit') return NARROWED.includes(String(field)) && lead?.[String(field)] === MISFIT;
  // A vendor that merges arrays and has contacts of its own cannot remove a contact.
  if (code === 'vendor-refused' && field === 'customerContacts') return people.enteredAtVendor.has(number);
  if (code === 'vendor-refused' && field === 'offerLines') return people.emptiedAtOnce.has(number);
  return EXPECTED_ISSUES.has(code);
}

/** NLU for a deal that the vendor closed and whose end no CRM user entered: it stays closed, and its report stays. */
function closedAtVendor({ deal, link, crm, lead }: Seen, { closedDeals }: People): readonly string[] {
  const wasTold = closedDeals.wasTold(deal);
  const isTold = link?.issues.some(({ code, field }) => code === 'closed-at-vendor' && field === 'status') === true;
  const isClosed = CLOSED.has(String(lead['status']));
  closedDeals.settled(deal, isClosedThereOnly(crm, lead) ? statusOf(crm) : null, isTold);
  if (wasTold === undefined) return [];
  if (!isClosed) return [`was closed by the vendor and is ${String(lead['status'])}`];
  return wasTold && !isTold ? ['was a conflict that nobody has decided'] : [];
}

/** Company fields are never cleared in a story, because each deal has an account. */
function isClearedSomewhere(name: string, crm: Raw, lead: Raw | null): boolean {
  const field = FIELD_ROWS.find((row) => row.name === name);
  if (field === undefined) return name !== 'customerLegalEntity';
  const shown = [crm[field.crmField], lead?.[field.vendorField]];
  return shown.some((value) => comparable(field.kind, value) === '');
}

/** NLU for conflicts that a user must decide or has decided. */
function conflictsOf({ deal, link, crm, lead }: Seen, { conflicts, isManual }: People): readonly string[] {
  return FIELD_ROWS.flatMap(({ name, kind, crmField, vendorField }) => {
    const shows = { crm: comparable(kind, crm[crmField]), vendor: comparable(kind, lead[vendorField]) };
    const what = `${name} of deal ${deal.number}: CRM ${JSON.stringify(shows.crm)}, vendor ${JSON.stringify(shows.vendor)}`;
    const open = conflicts.open.get(`${deal.number} ${name}`);
    const pick = conflicts.picked.get(`${deal.number} ${name}`);
    if (pick !== undefined && (shows.crm !== pick || shows.vendor !== pick))
      return [`NLU: ${what}, and a person picked ${JSON.stringify(pick)}`];
    if (!isManual || !MANUAL_FIELDS.includes(name) || open === undefined) return [];
    const isTold = link?.issues.some(({ code, field }) => code === 'conflict' && field === name) === true;
    if (isTold && shows.crm === open.crm && shows.vendor === open.vendor) return [];
    return [`NLU: ${what}, and a person had to decide between ${JSON.stringify(open)}`];
  });
}

function isClosedThereOnly(crm: Raw, lead: Raw): boolean {
  return CLOSED.has(String(lead['status'])) && !CLOSED.has(statusOf(crm));
}

function isClosedOtherwise(crm: Raw, lead: Raw): boolean {
  return CLOSED.has(String(lead['status'])) && CLOSED.has(statusOf(crm)) && statusOf(crm) !== lead['status'];
}

/** The label that CRM users see for each state of a link. */
export const LABELS: Readonly<Record<string, string>> = {
  'in-sync': 'In sync',
  conflict: 'Conflict',
  'closed-at-vendor': 'Closed at vendor',
  parked: 'Parked',
  detached: 'Detached',
  'vendor-missing': 'Vendor missing',
};

type Seen = {
  readonly deal: Deal;
  readonly link: LinkRow | undefined;
  readonly crm: Raw;
  readonly lead: Raw;
};

/**
 * Compares the two systems record by record as raw JSON when all work is done. It shares no code with the engine; from the ledger it only
 * reads the state and issues of a link, which users see too. `isSteady`: no worker was delayed. Returns the broken rules.
 */
export async function judge(world: World, people: People, isSteady = false): Promise<readonly string[]> {
  const links = await world.ledger.listLinks(world.tenant, { limit: 1000 });
  const found = await Promise.all(people.deals.map((deal) => judgeDeal(world, people, links, deal, isSteady)));
  return [...(await doubles(world, people)), ...found.flat()];
}

/** DUP: duplicates of a record. */
async function doubles(world: World, people: People): Promise<readonly string[]> {
  const leads = await world.vendor.list('leadOpportunity');
  const opportunities = (await world.crm.list('Opportunity')).filter((row) => !people.isUnusedTarget(row));
  const vendorIds = opportunities
    .filter((row) => row['IsDeleted'] !== true)
    .map((row) => row['Vendor_Id__c'])
    .filter(Boolean);
  const imported = await people.livingLeads();
  const made = people.deals.filter((deal) => deal.vendorId !== null).length;
  const fromCrm = people.deals.length - made;
  const madeByVendorUsers = new Set([...people.deals.map((deal) => deal.vendorId), ...people.copies.keys()]);
  return [
    ...repeated(leads.map((lead) => lead['partnerLeadOpportunityId']).filter(Boolean)).map(
      (reference) => `DUP: several vendor records for ${String(reference)}`,
    ),
    ...repeated([...vendorIds, ...imported]).map((id) => `DUP: several opportunities for ${String(id)}`),
    ...(leads.filter((lead) => !madeByVendorUsers.has(lead['id'] as string)).length > fromCrm
      ? ['DUP: more vendor records than deals']
      : []),
    ...(opportunities.length > people.deals.length ? ['DUP: more opportunities than deals'] : []),
  ];
}

function repeated(values: readonly unknown[]): readonly unknown[] {
  return [...new Set(values.filter((value, place) => values.indexOf(value) !== place))];
}

async function judgeDeal(
  world: World,
  people: People,
  links: readonly LinkRow[],
  deal: Deal,
  isSteady: boolean,
): Promise<readonly string[]> {
  if (await people.hasEnded(deal)) return [];
  const [crm, lead] = [await people.opportunityOf(deal), await people.leadOf(deal)];
  const name = `deal ${deal.number}`;
  const linked = await people.linkOf(deal, links);
  const link = crm === null || linked?.crmId === crm['Id'] ? linked : undefined;
  const hasRival = await people.hasRival(deal);
  // A person decides which of two vendor records goes on.
  const trail = await people.trailOf(deal);
  if (hasRival && links.some((row) => trail.includes(String(row.crmId)) && isToldAsSeveral(row))) return [];
  const result = link === undefined ? 'no link' : `${link.state} ${JSON.stringify(link.issues)}`;
  if (crm === null) {
    const wasMade = (await people.trailOf(deal)).length > 0;
    if (!wasMade && lead !== null) return [`CON: ${name} is at the vendor and not in the CRM (${result})`];
    return link === undefined || ['detached', 'vendor-missing'].includes(link.state)
      ? []
      : [`CON: ${name} has no opportunity and its link is ${result}`];
  }
  if (crm['Vendor_Share__c'] !== true) {
    if (link === undefined) return [];
    if (!['detached', 'vendor-missing', 'superseded'].includes(link.state))
      return [`CON: ${name} is not shared and its link is ${result}`];
    const shown = (await people.syncRowOf(crm))?.['Sync_State__c'] ?? 'Detached';
    return shown === (LABELS[link.state] ?? 'Detached')
      ? []
      : [`CON: ${name} is not shared and users are told ${String(shown)} (${result})`];
  }
  if (link === undefined) return [`CON: ${name} is shared and has no link`];
  const broken = (await reported(people, link, crm, people.notes.get(deal.number))).map(
    (what) => `CON: ${name}: ${what}`,
  );
  const { length } = await people.leadsOf(deal);
  if (hasRival && link.vendorId !== lead?.['id'])
    broken.push(`DUP: ${name} has a rival, and nobody is told: ${result}`);
  // A user must decide which of the records is meant.
  if (length > 1)
    return isToldAsSeveral(link)
      ? broken
      : [...broken, `DUP: ${length} vendor records of ${name}, and nobody is told: ${result}`];
  const odd = link.issues.filter((issue) => !isExpected(issue, people, deal, lead, crm));
  if (link.state === 'vendor-missing') {
    // The vendor record of a lead that became this deal's opportunity waits, until the vendor keeps one of the two.
    const isOfLead =
      lead?.['id'] !== link.vendorId && people.deals.some((one) => one !== deal && people.heirOf(one) === deal);
    return lead === null || isOfLead ? broken : [...broken, `CON: ${name} is there, ${result}`];
  }
  if (odd.length > 0) broken.push(`CON: ${name} waits without a reason: ${result}`);
  if (!(link.state in LABELS) || link.state === 'detached') broken.push(`CON: ${name} is shared and ${result}`);
  if (lead === null) {
    if (people.goneAtVendor.has(deal.number))
      return [...broken, `CON: ${name} is gone at the vendor, and nobody is told: ${result}`];
    const isIncomplete = link.issues.some((issue) => issue.code === 'required-on-create');
    return isIncomplete ? broken : [...broken, `CON: ${name} is not at the vendor: ${result}`];
  }
  if (lead['currency'] !== 'EUR' && !link.issues.some((issue) => issue.code === 'currency-differs'))
    broken.push(`CON: ${name} is in ${String(lead['currency'])} at the vendor, and nobody is told: ${result}`);
  broken.push(...closedAtVendor({ deal, link, crm, lead }, people).map((what) => `NLU: ${name} ${what}: ${result}`));
  return [
    ...broken,
    ...(await differences({ deal, link, crm, lead }, people)).map((what) => `${what} (${result})`),
    ...conflictsOf({ deal, link, crm, lead }, people).map((what) => `${what} (${result})`),
    ...(await lostUntold(world, people, { deal, link, crm, lead }, isSteady)).map((what) => `${what} (${result})`),
    ...(await people.revenue.lost(deal, String(crm['Id']), lead)),
    ...(await repeatedContacts(link, crm, people)).map((what) => `CON: ${name} ${what} (${result})`),
  ];
}

const SEVERAL: ReadonlySet<string> = new Set(['several-candidates', 'became-another-deal']);

function isToldAsSeveral({ state, issues }: LinkRow): boolean {
  return state === 'parked' && issues.some(({ code }) => SEVERAL.has(code));
}

/** Of contacts with one e-mail address only one is synced, and an issue names the others. */
async function repeatedContacts(link: LinkRow, crm: Raw, people: People): Promise<readonly string[]> {
  const { contacts } = await people.customersOf(crm);
  const emails = contacts.map((contact) => String(contact['Email']).toLowerCase());
  const isTold = link.issues.some(({ code }) => code === 'contact-repeated');
  return isTold === new Set(emails).size < emails.length
    ? []
    : [isTold ? 'has no two contacts of one address' : 'has two contacts of one address, and nobody is told'];
}

/** The length of a text field of the package. */
const SHOWN_LENGTH = 255;

/** Checks that the CRM shows users the true state. */
async function reported(people: People, link: LinkRow, crm: Raw, note: string | undefined): Promise<readonly string[]> {
  const row = await people.syncRowOf(crm);
  const state = row?.['Sync_State__c'];
  const broken: string[] = [];
  if (state !== LABELS[link.state]) broken.push(`users are told ${String(state)}, and it is ${link.state}`);
  if (link.vendorId !== crm['Vendor_Id__c'] && link.vendorId !== null) broken.push('Vendor_Id__c is not the link');
  if (note !== undefined && link.state === 'in-sync' && row?.['PO_Information__c'] !== note.slice(0, SHOWN_LENGTH))
    broken.push(`users read ${String(row?.['PO_Information__c'])}, and the vendor wrote ${note}`);
  return broken;
}

/** The differences between the two sides of a deal: CON, and NLU for values that users entered. */
export async function differences(seen: Seen, people: People): Promise<readonly string[]> {
  const { deal, link, crm, lead } = seen;
  const waiting = new Set(link?.issues.map((issue) => issue.field));
  const enteredIn = (field: string): Entered => people.entered.get(`${deal.number} ${field}`) ?? {};
  const isOfLead = isLead(crm['Id']);
  const pairs = [
    ...FIELD_ROWS.filter(({ name }) => !isOfLead || name !== 'reasonWon').map((field) =>
      pairOf(field, crm, lead, enteredIn),
    ),
    statusPair(seen, people, enteredIn('status')),
    // Lines that the vendor adds to a lead reach the CRM after its conversion.
    ...(isOfLead ? [] : [await linesPair(seen, people, enteredIn('offerLines'))]),
  ];
  const broken = pairs.filter(({ name }) => !waiting.has(name)).flatMap((pair) => judgeField(deal, pair));
  return [...broken, ...(await customer(seen, people, waiting))];
}

async function linesPair({ crm, lead }: Seen, people: People, entered: Entered): Promise<Pair> {
  const mine = linesKey(await people.linesOf(String(crm['Id'])));
  return {
    name: 'offerLines',
    crm: mine,
    vendor: linesKey(vendorLines(lead)),
    entered,
    vendorDefaults: [],
    merges: true,
  };
}

type Pair = {
  readonly name: string;
  readonly crm: string;
  readonly vendor: string;
  readonly entered: Entered;
  readonly vendorDefaults: readonly string[];
  /** Whether edits of both sides may both be kept. */
  readonly merges?: boolean;
};

function pairOf(field: FieldRow, crm: Raw, lead: Raw, enteredIn: (name: string) => Entered): Pair {
  const { name, kind, vendorDefaults } = field;
  const status = String(lead['status']);
  const vendor = comparable(kind, lead[field.vendorField]);
  const mine = comparable(kind, crm[field.crmField]);
  const pair = { name, crm: mine, vendor, entered: enteredIn(name), vendorDefaults };
  if (name !== 'forecastCategory') return pair;
  // The vendor ignores the forecast or sets it by the status (sales spec 2.3).
  const isOpen = !CLOSED.has(status) && !EARLY.has(status);
  const moved = Object.keys(enteredIn('status')).length > 0;
  return { ...pair, crm: isOpen ? mine : vendor, entered: moved || !isOpen ? {} : pair.entered };
}

/**
 * A deal that the vendor closed keeps its CRM stage and shows the vendor's status. If both sides closed it differently, only a user's
 * decision applies the vendor's end.
 */
function statusPair({ deal, crm, lead }: Seen, { conflicts }: People, entered: Entered): Pair {
  const vendor = String(lead['status']);
  const isTaken = conflicts.takenOfVendor.has(deal.number) && CLOSED.has(vendor);
  const isOnlyShown = isLead(crm['Id']) && !STATUSES_OF_ALL_LEADS.has(vendor);
  const stays = isClosedThereOnly(crm, lead) || isTaken || isOnlyShown;
  const statuses = crm['statuses'] as readonly string[];
  const shown = stays ? String(crm['Vendor_Status__c']) : statuses.includes(vendor) ? vendor : statusOf(crm);
  return { name: 'status', crm: shown, vendor, entered, vendorDefaults: [] };
}

const STATUSES_OF_ALL_LEADS: ReadonlySet<string> = new Set(Object.values(STATUSES_OF_LEADS).flat());

/** CON and NLU for one field. */
function judgeField(deal: Deal, pair: Pair): readonly string[] {
  const { name, crm, vendor, entered } = pair;
  const shown = `${name} of deal ${deal.number}: CRM ${JSON.stringify(crm)}, vendor ${JSON.stringify(vendor)}`;
  const equal = (a: string, b: string): boolean => a === b || (a === '' && pair.vendorDefaults.includes(b));
  if (!equal(crm, vendor)) return [`CON: ${shown}, entered ${JSON.stringify(entered)}`];
  const wanted = [entered.crm, entered.vendor].filter((value) => value !== undefined);
  if (wanted.length === 0 || (wanted.length === 2 && pair.merges === true)) return [];
  if (wanted.some((value) => value === vendor || value === crm)) return [];
  return [`NLU: ${shown}, and people entered ${JSON.stringify(entered)}`];
}

/** Checks company and contacts, which are synced to the vendor and must not overwrite the vendor users' own entries. */
async function customer(
  { deal, crm, lead }: Seen,
  people: People,
  waiting: ReadonlySet<unknown>,
): Promise<readonly string[]> {
  const { account, contacts } = await people.customersOf(crm);
  const entity = (lead['customerLegalEntity'] ?? {}) as Raw;
  const listed = personsOf(lead);
  const broken: string[] = [];
  const theirs = await people.keptAtVendor(deal, lead);
  if (theirs.vat !== undefined && entity['vatNumber'] !== theirs.vat)
    broken.push(`NLU: VAT number of deal ${deal.number}: ${String(entity['vatNumber'])}, not ${theirs.vat}`);
  if (theirs.formerVat !== undefined && entity['vatNumber'] === theirs.formerVat)
    broken.push(`CON: VAT number of deal ${deal.number} is that of the former account`);
  if (account?.['IsPersonAccount'] === true) broken.push(`ACC: the customer of deal ${deal.number} is a person`);
  if (account !== null && account['Name'] !== entity['name'])
    broken.push(`CON: company of deal ${deal.number} is ${String(entity['name'])}`);
  if (account !== null && account['BillingCity'] !== entity['city'])
    broken.push(
      `CON: city of deal ${deal.number}: CRM ${String(account['BillingCity'])}, vendor ${String(entity['city'])}`,
    );
  if (waiting.has('customerContacts')) return broken;
  const mine = [...contacts.map((contact) => personKey(contact['Email'], contact['LastName'])), ...theirs.contacts];
  // A removed row of Lockstep's that a vendor user saves again with the list belongs to that user from then on.
  const known = listed.filter((name) => mine.includes(name) || !theirs.saved.includes(name));
  if (mine.sort().join() !== known.sort().join())
    broken.push(`CON: contacts of deal ${deal.number}: CRM ${mine.join()}, vendor ${listed.join()}`);
  return broken;
}
