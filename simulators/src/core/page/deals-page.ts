import { html } from 'hono/html';
import type { AdminRecord, SimulatorBackend } from '../admin.ts';
import { isLoopbackName } from '../loopback.ts';
import type { Html, PageContent, Section } from './layout.ts';
import { table } from './parts.ts';

/** The record type of a deal, by simulator. */
const TYPES = { salesforce: 'Opportunity', vendor: 'leadOpportunity' } as const;
type Side = keyof typeof TYPES;

const LABELS = { salesforce: 'Salesforce', vendor: 'Vendor' } as const;

/** The rows of a deal on the page: a label, and the field of each side. */
const ROWS: readonly (readonly [label: string, salesforce: string, vendor: string])[] = [
  ['Name', 'Name', 'name'],
  ['Stage and status', 'StageName', 'status'],
  ['Close date', 'CloseDate', 'closeDate'],
  ['Currency', 'CurrencyIsoCode', 'currency'],
  ['Forecast', 'Vendor_Forecast_Category__c', 'forecastCategory'],
  ['Description', 'Description', 'description'],
  ['Next milestone', 'Vendor_Next_Milestone__c', 'nextMilestone'],
  ['Id of the other side', 'Vendor_Id__c', 'partnerLeadOpportunityId'],
];

const MOST_DEALS = 50;
const PATIENCE_MS = 3_000;

type Deal = Readonly<Partial<Record<Side, AdminRecord>>>;
type Records = readonly AdminRecord[];

/**
 * The page at `/__admin`: the deals of this simulator and, where `beside` is the address of the other one on this machine, its record of
 * each deal beside it. This side is shown even if the other simulator does not answer.
 */
export async function dealsContent(backend: SimulatorBackend, beside: string | undefined): Promise<PageContent> {
  const side: Side = backend.name.startsWith('vendor') ? 'vendor' : 'salesforce';
  const other: Side = side === 'vendor' ? 'salesforce' : 'vendor';
  const own = await backend.listRecords(TYPES[side]);
  const others = await recordsOf(beside, TYPES[other]);
  const deals = pairsOf(side === 'salesforce' ? own : (others ?? []), side === 'vendor' ? own : (others ?? []));
  const shown = deals.slice(-MOST_DEALS).toReversed();
  return {
    title: 'Deals on both sides',
    lead: html`<p>The newest ${shown.length} of ${deals.length} deals, as each simulator holds them now. <a href="/">More of this simulator</a>,
or <a href="/__admin/records">all its records as JSON</a>.</p>${noteOf(beside, others, other)}`,
    chips: [
      [LABELS[side], String(own.length)],
      [LABELS[other], others === null ? 'not read' : String(others.length)],
    ],
    sections: shown.map(section),
    isStatic: true,
  };
}

function noteOf(beside: string | undefined, others: Records | null, other: Side): Html {
  if (others !== null) return html``;
  return beside === undefined
    ? html`<p>Add <code>?beside=</code> and the address of the other simulator, such as <code>http://127.0.0.1:4020</code>, to see ${LABELS[other]} too.</p>`
    : html`<p>${LABELS[other]} does not answer at the address behind <code>beside</code>.</p>`;
}

/** The records of the other simulator; null if it is not named, is not on this machine, or does not answer. */
async function recordsOf(address: string | undefined, type: string): Promise<Records | null> {
  if (address === undefined || !URL.canParse(address)) return null;
  const { protocol, hostname, origin } = new URL(address);
  if (protocol !== 'http:' || !isLoopbackName(hostname)) return null;
  try {
    const answer = await fetch(`${origin}/__admin/records?type=${type}`, {
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const { records } = (await answer.json()) as { readonly records?: unknown };
    return Array.isArray(records) ? records.filter(isRecord) : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is AdminRecord {
  const { id, fields } = (value ?? {}) as Partial<Record<keyof AdminRecord, unknown>>;
  return typeof id === 'string' && typeof fields === 'object' && fields !== null;
}

/** Opportunities, each with the vendor record that either names, then vendor records without an opportunity. */
function pairsOf(opportunities: Records, leads: Records): readonly Deal[] {
  const byId = new Map(leads.map((lead) => [lead.id, lead]));
  const byReference = new Map(leads.map((lead) => [lead.fields['partnerLeadOpportunityId'], lead]));
  const linked = opportunities.map((salesforce): Deal => {
    const vendor = byId.get(String(salesforce.fields['Vendor_Id__c'])) ?? byReference.get(salesforce.id);
    return vendor === undefined ? { salesforce } : { salesforce, vendor };
  });
  const taken = new Set(linked.map(({ vendor }) => vendor?.id));
  return [...leads.filter(({ id }) => !taken.has(id)).map((vendor): Deal => ({ vendor })), ...linked];
}

function section({ salesforce, vendor }: Deal): Section {
  const name = salesforce?.fields['Name'] ?? vendor?.fields['name'] ?? 'Without a name';
  const rows = ROWS.map(([label, crm, lead]) => [label, shown(salesforce, crm), shown(vendor, lead)]);
  const ids = ['Id', salesforce?.id ?? 'not there', vendor?.id ?? 'not there'];
  const id = `deal-${salesforce?.id ?? vendor?.id ?? ''}`;
  return { id, title: String(name), body: table(['', LABELS.salesforce, LABELS.vendor], [ids, ...rows]) };
}

function shown(record: AdminRecord | undefined, field: string): string {
  const value = record?.fields[field];
  return value === undefined || value === null ? '' : String(value);
}
