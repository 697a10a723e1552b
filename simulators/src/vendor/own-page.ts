import { html } from 'hono/html';
import type { Clock } from '../core/clock.ts';
import type { PageContent, Section } from '../core/page/layout.ts';
import { adminCommand, button, commands, table } from '../core/page/parts.ts';
import type { Quota } from '../core/quota.ts';
import type { RequestLog } from '../core/request-log.ts';
import { COVERAGE } from './coverage.ts';
import type { KeyRing } from './keys.ts';
import type { StrictVersion, VendorBehaviour } from './options.ts';
import { DOCUMENT_PATH, REFERENCE_PATH } from './pages.ts';
import { VIOLATION_RULES } from './violations/rules.ts';
import type { ViolationLog } from './violations/violation-log.ts';

/** The data for the vendor simulator's page. */
export type VendorPageParts = {
  readonly clock: Clock;
  readonly log: RequestLog;
  readonly quota: Quota;
  readonly keys: KeyRing;
  readonly violations: ViolationLog;
  readonly behaviour: VendorBehaviour;
  readonly strict: StrictVersion | null;
  readonly keyHeader: string;
  readonly partnerId: string;
  /** The sandbox's own key; keys from a file are not shown. */
  readonly apiKey: string;
};

/** The content of the vendor simulator's page, for developers of partners. */
export function vendorContent(parts: VendorPageParts, origin: string): PageContent {
  const { log, violations, strict, behaviour } = parts;
  return {
    title: "Sandbox of the vendor's partner API",
    lead: html`<p>A stand-in for the vendor, over real HTTP: lead-opportunities, portfolio items, orders, price lists,
accreditations, products and keys, as the vendor's documents describe them. Everything on this page is also a call
under <code>/__admin</code>.</p>`,
    chips: [
      ['Strict', strict ?? 'no'],
      ['Patched arrays', behaviour.patchArrays],
      ['Requests', String(log.count())],
      ['Violations', String(Object.values(violations.counts()).reduce((sum, count) => sum + count, 0))],
    ],
    sections: [
      startSection(parts, origin),
      keySection(parts, origin),
      violationSection(parts, origin),
      coverageSection(),
    ],
  };
}

function startSection({ apiKey, keyHeader, partnerId }: VendorPageParts, origin: string): Section {
  const call = (rest: string): string => `curl -H '${keyHeader}: ${apiKey}' ${rest}`;
  const json = "-H 'content-type: application/json'";
  const lead = {
    partnerId,
    leadOpportunity: {
      partnerLeadOpportunityId: 'MY-CRM-ID-1',
      name: 'Turbine housing',
      status: 'OPPY_OPEN',
      closeDate: '2027-03-31T00:00:00.000Z',
      currency: 'EUR',
    },
    offerLines: [{ offerNameId: 'OFR-DES-001' }],
    customerLegalEntity: { name: 'Northwind Turbines', city: 'Lyon', country: 'FR' },
  };
  const leads = `${origin}/sales/api4partners/v1/leads-opportunities`;
  const body = html`<p><a href="${REFERENCE_PATH}">Browse the API</a>, or take its
<a href="${DOCUMENT_PATH}">OpenAPI document</a> to your own tools. For operations: <a href="/healthz">/healthz</a>,
<a href="/readyz">/readyz</a>, <a href="/metrics">/metrics</a>.</p>
${commands(
  call(`'${origin}/sales/api4partners/v0/portfolio-items/search?top=5'`),
  call(`${json} -d '${JSON.stringify(lead)}' ${leads}`),
  call(`${leads}/LO-00000001`),
)}`;
  return { id: 'start', title: 'First calls', body };
}

function keySection({ apiKey, keyHeader, keys, partnerId }: VendorPageParts, origin: string): Section {
  const rows = keys.list().map(({ id, partnerId: owner, scopes }) => [id, owner, scopes.join(', ')]);
  const body = html`<p>Send the key in the header <code>${keyHeader}</code>. This sandbox's own one stands for partner
<code>${partnerId}</code>:</p>
<pre tabindex="0"><code>${apiKey}</code></pre>
<div id="known-keys" data-live>${table(['Key', 'Partner', 'Scopes'], rows)}</div>
<h3>A new key, as the documents have it</h3>
<p>Generate one with a key that is valid, hand its hash to the vendor (the second call), and use it from then on.</p>
${commands(
  `curl -X POST -H '${keyHeader}: ${apiKey}' ${origin}/order/api4partners/v0/apikeys`,
  `curl ${origin}/__admin/keys -d '{"hashedKey":"THE HASH"}'`,
)}
<p class="quiet">Keys with one scope, and keys of other partners: start with <code>--keys FILE</code>.</p>`;
  return { id: 'keys', title: 'Keys', body };
}

const SHOWN_VIOLATIONS = 20;

function violationSection({ violations, strict }: VendorPageParts, origin: string): Section {
  const counts = violations.counts();
  const rules = Object.entries(VIOLATION_RULES).map(([rule, text]) => [
    html`<code>${rule}</code>`,
    text,
    String(counts[rule as keyof typeof VIOLATION_RULES] ?? 0),
  ]);
  const last = violations
    .list()
    .slice(-SHOWN_VIOLATIONS)
    .toReversed()
    .map(({ request, operation, version, rule, place, detail }) => [
      html`<a href="/__admin/requests/${request}">${operation} ${version}</a>`,
      html`<code>${rule}</code>`,
      html`<code>${place}</code> ${detail}`,
    ]);
  const mode = strict
    ? `This sandbox is strict for clients of ${strict}: it refuses them with 400.`
    : 'This sandbox lists them and goes on; one that is started with --strict refuses them with 400.';
  const body = html`<p>What a real gateway may not forgive. ${mode}</p>
<div id="violation-list" data-live>${table(['Rule', 'What it is', 'Times'], rules)}
${last.length === 0 ? html`<p class="good">None so far.</p>` : table(['Request', 'Rule', 'Where and why'], last)}</div>
${commands(adminCommand(origin, 'GET', '/violations'), adminCommand(origin, 'DELETE', '/violations'))}
<p>${button('Empty the list', { method: 'DELETE', path: '/violations' })}</p>`;
  return { id: 'violations', title: 'Violations', body };
}

function coverageSection(): Section {
  const rows = COVERAGE.map(({ method, path, status, spec, notes }) => [
    html`<code>${method} ${path}</code>`,
    status,
    spec,
    notes,
  ]);
  const body = html`<p>Every route of the documents, where they describe it, and what is done where they leave it open.</p>
<details><summary>${rows.length} routes</summary>${table(['Route', 'Covered', 'Documents', 'Notes'], rows)}</details>`;
  return { id: 'coverage', title: 'Coverage', body };
}
