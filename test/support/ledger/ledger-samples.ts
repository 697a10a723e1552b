import { randomUUID } from 'node:crypto';
import { shown } from '../../../src/domain/decide/reported.ts';
import type { Base } from '../../../src/domain/record/base.ts';
import type { FieldDecision } from '../../../src/domain/record/field-decision.ts';
import type { Issue } from '../../../src/domain/record/issue.ts';
import type { Link } from '../../../src/domain/record/link.ts';
import type { VendorObservation } from '../../../src/domain/record/observation.ts';
import type { Plan } from '../../../src/domain/record/plan.ts';
import type { Reported } from '../../../src/domain/record/reported.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { LinkVersion } from '../../../src/ledger/links/link-ledger.ts';
import type { NewPlan, PlannedSending, Sending } from '../../../src/ledger/plans/plan-ledger.ts';

/** Values that must never be in the database unencrypted; every sample below contains them. */
export const PRIVATE_VALUES = [
  'Rocket Deal 77',
  'ann.private@example.com',
  '4711.00',
  'Ann Private',
  'Sealed Street 5',
];

const [NAME, EMAIL, AMOUNT, PERSON, STREET] = PRIVATE_VALUES as [string, string, string, string, string];

export const BASE: Base = {
  crm: { name: NAME, dsOwnerEmail: EMAIL },
  vendor: { name: NAME, offerLines: [{ offerNameId: 'o-1', amount: AMOUNT, revenueType: null }] },
  defaulted: ['forecastCategory'],
  awaitingEcho: [],
  linePairs: [{ crmLineId: '00k000000000001AAA', position: 0 }],
  crmVersion: '2026-05-01T10:00:00.000Z',
  vendorVersion: null,
};

export const VENDOR_SEEN: VendorObservation = {
  record: { name: NAME, reasonWonLostComment: PERSON },
  vendorId: 'v-1',
  reference: '006000000000001AAA',
  readOnly: { dsComment: PERSON },
  unknownFields: ['newField'],
  version: '2026-05-01T10:00:00Z',
  readAt: '2026-05-01T10:00:01.000Z',
};

export const DECISION: FieldDecision = {
  field: 'name',
  verdict: 'conflict-crm',
  rule: 'crm',
  base: { crm: NAME, vendor: NAME },
  crm: NAME,
  vendor: STREET,
};

export const ISSUE: Issue = {
  code: 'crm-refused',
  field: 'name',
  message: `The field Name was refused for ${PERSON}.`,
};

export const PLAN: Plan = {
  next: 'update-at-vendor',
  reason: 'changed in the CRM',
  vendorId: 'DS-1',
  intent: { body: { name: NAME, email: EMAIL }, fields: ['name'], record: { name: NAME } },
  savedAt: null,
  decisions: [DECISION],
  issues: [ISSUE],
  baseBefore: null,
  baseAfter: BASE,
  stateAfter: 'in-sync',
};

/** An instant `seconds` after noon of a fixed day. */
export function at(seconds: number): string {
  return new Date(Date.UTC(2026, 4, 1, 12) + seconds * 1000).toISOString();
}

/** A write that leaves `seconds` after noon, based on observations that are at most a minute old. */
export function leaving(seconds: number, uncertain: Sending['uncertain']): Sending {
  return { at: at(seconds), uncertain, notBefore: at(seconds - 60) };
}

/** The sample plan of a link. */
export function planOf(key: string, generation = 0): NewPlan {
  const graph = {
    opportunity: { Id: '006000000000001AAA', Name: NAME },
    account: { Id: '001000000000001AAA', BillingStreet: STREET },
    lines: [],
    contacts: [{ Id: '003000000000001AAA', Email: EMAIL }],
    owner: null,
    sync: null,
    readAt: at(0),
  };
  const readAt = { createdAt: at(0), crmReadAt: at(0), vendorReadAt: null };
  return { key, ...readAt, graph, generation, plan: PLAN };
}

/** Saves the sample plan for a link and returns its id. */
export function savePlan(
  ledger: Ledger,
  tenant: string,
  key: string,
  generation = 0,
  expected?: LinkVersion,
): Promise<string> {
  return ledger.savePlan(tenant, planOf(key, generation), expected);
}

/** The sample plan of a link, to be sent a second after noon, based on the link as it is now. */
export async function plannedSending(ledger: Ledger, tenant: string, key: string): Promise<PlannedSending> {
  const { version, newestPlan } = (await ledger.findLink(tenant, key)) as Link;
  const expected = newestPlan === undefined ? { version } : { version, newestPlan };
  return { id: randomUUID(), plan: planOf(key), sending: leaving(1, 'update'), expected };
}

/** What users see after a report with this name. */
export const sees = (name: string): Reported => shown({}, { name });
